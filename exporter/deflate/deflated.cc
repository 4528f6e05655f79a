#include "exporter/deflate/deflated.h"

#include <cstddef>
#include <memory>

#include "exporter/deflate/bit_writer.h"
#include "exporter/deflate/block.h"
#include "exporter/deflate/match_finder.h"

namespace winperf {
namespace {

using namespace deflate;  // NOLINT: its parts

constexpr std::size_t kEnd = 5;  // an empty block that is stored

// Every block but the last one has at least so many bytes of text as it is full of symbols.
constexpr std::size_t most_bytes(std::size_t text) {
  return text + (text / Block::kFull + 1) * Block::kMostOverhead + kEnd + BitWriter::kSpare;
}

class Deflater {
 public:
  explicit Deflater(std::string_view text) : text_(text), finder_(text) {}

  // Returns how many bytes it wrote. There is room for most_bytes().
  std::size_t write(char* to) {
    BitWriter writer(to);
    std::size_t at = 0;
    while (at < text_.size()) {
      const Sequence sequence = finder_.next(at);
      block_.add(sequence, text_.substr(at));
      at += sequence.size();
      if (block_.is_full() || at == text_.size()) write_block(writer, at);
    }
    if (!writer.is_aligned()) write_stored(writer, {});
    return static_cast<std::size_t>(writer.end() - to);
  }

 private:
  void write_block(BitWriter& writer, std::size_t at) {
    block_.write(writer, text_.substr(written_, at - written_));
    written_ = at;
  }


  std::string_view text_;
  MatchFinder finder_;
  Block block_;
  std::size_t written_ = 0;  // of the text
};

}  // namespace

std::string deflated(std::string_view text) {
  if (text.empty()) return {};
  const auto deflater = std::make_unique<Deflater>(text);
  std::string out;
  out.resize_and_overwrite(most_bytes(text.size()),
                           [&](char* to, std::size_t) { return deflater->write(to); });
  out.shrink_to_fit();
  return out;
}

}  // namespace winperf
