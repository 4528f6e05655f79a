#include "exporter/deflate/deflated.h"

#include <cstddef>
#include <memory>

#include "exporter/deflate/bit_writer.h"
#include "exporter/deflate/block.h"
#include "exporter/deflate/match_finder.h"

namespace winperf {
namespace deflate {
namespace {

// Each block but the last one has a byte of text or more for each symbol. The end is an empty
// block.
constexpr std::size_t most_bytes(std::size_t text) {
  const std::size_t blocks = text / Block::kFull + 1;
  return text + (blocks + 1) * Block::kMostOverhead + BitWriter::kSpare;
}

class Deflater {
 public:
  explicit Deflater(std::string_view text) : text_(text), finder_(text) {}

  // Returns how many bytes it wrote. There is room for most_bytes().
  std::size_t write(char* to) {
    BitWriter writer(to);
    std::size_t written = 0;  // of the text
    for (std::size_t at = 0; at < text_.size();) {
      const Sequence sequence = finder_.next(at);
      block_.add(sequence, text_.substr(at));
      at += sequence.size();
      if (!block_.is_full() && at < text_.size()) continue;
      block_.write(writer, text_.substr(written, at - written));
      written = at;
    }
    if (!writer.is_aligned()) write_stored(writer, {});
    return static_cast<std::size_t>(writer.end() - to);
  }

 private:
  std::string_view text_;
  MatchFinder finder_;
  Block block_;
};

}  // namespace
}  // namespace deflate

std::string deflated(std::string_view text) {
  if (text.empty()) return {};
  const auto deflater = std::make_unique<deflate::Deflater>(text);
  std::string out;
  out.resize_and_overwrite(deflate::most_bytes(text.size()),
                           [&](char* to, std::size_t) { return deflater->write(to); });
  out.shrink_to_fit();
  return out;
}

}  // namespace winperf
