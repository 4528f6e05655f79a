#include "collectors/wire/name_table.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "collectors/wire/text.h"

namespace winperf {
namespace {

constexpr std::uint32_t kHeaderIndex = 1;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::optional<std::uint32_t> parse_index(std::string_view text) {
  std::uint32_t index = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, index);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return index;
}

// Takes one string after the other from the stream.
class StringReader {
 public:
  explicit StringReader(std::span<const std::byte> bytes) : bytes_(bytes) {
    const bool has_mark =
        bytes.size() >= 2 && bytes[0] == std::byte{0xFF} && bytes[1] == std::byte{0xFE};
    if (has_mark) position_ = 2;
  }

  struct String {
    Text text;
    std::uint64_t offset;
  };

  std::optional<String> next() {
    if (bytes_.size() - position_ < 2) return std::nullopt;
    const std::size_t start = position_;
    std::size_t end = start;
    while (bytes_.size() - end >= 2 && !is_nul(end)) end += 2;
    position_ = std::min(end + 2, bytes_.size());
    return String{decode_utf16le(bytes_.subspan(start, end - start)), start};
  }

 private:
  bool is_nul(std::size_t at) const {
    return bytes_[at] == std::byte{0} && bytes_[at + 1] == std::byte{0};
  }

  std::span<const std::byte> bytes_;
  std::size_t position_ = 0;
};

}  // namespace

bool equal_names(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

NameTable NameTable::parse(std::span<const std::byte> bytes) {
  NameTable table;
  StringReader reader(bytes);
  while (const auto index_text = reader.next()) {
    // The empty string ends a REG_MULTI_SZ; padding may follow.
    if (index_text->text.text.empty()) continue;
    const auto index = parse_index(index_text->text.text);
    if (!index) {
      table.note(ErrorCode::kBadNumber, index_text->offset);
      continue;
    }
    auto text = reader.next();
    if (!text) {
      table.note(ErrorCode::kTruncated, index_text->offset);
      break;
    }
    if (text->text.replaced != 0) table.note(ErrorCode::kBadText, text->offset);
    table.add(*index, std::move(text->text.text));
  }
  table.sort_and_deduplicate();
  return table;
}

const std::string* NameTable::find(std::uint32_t index) const {
  const auto entry = std::ranges::lower_bound(entries_, index, {}, &Entry::index);
  return entry != entries_.end() && entry->index == index ? &entry->text : nullptr;
}

std::vector<std::uint32_t> NameTable::indices_of(std::string_view text) const {
  std::vector<std::uint32_t> indices;
  for (const Entry& entry : entries_)
    if (equal_names(entry.text, text)) indices.push_back(entry.index);
  return indices;
}

void NameTable::note(ErrorCode code, std::uint64_t offset) {
  const auto known =
      std::ranges::find(problems_, code, [](const Problem& p) { return p.first.code; });
  if (known != problems_.end()) {
    ++known->count;
    return;
  }
  problems_.push_back({{.code = code, .where = "name table", .offset = offset}, 1});
}

void NameTable::add(std::uint32_t index, std::string text) {
  if (index == kHeaderIndex && !base_limit_ && entries_.empty()) {
    base_limit_ = parse_index(text);
    if (base_limit_) return;
  }
  // Providers leave help texts empty: that is no text, and no damage.
  if (text.empty()) return;
  entries_.push_back({index, std::move(text)});
}

void NameTable::sort_and_deduplicate() {
  std::ranges::stable_sort(entries_, {}, &Entry::index);
  const auto repeated = std::ranges::unique(entries_, {}, &Entry::index);
  for (std::size_t i = 0; i < repeated.size(); ++i) note(ErrorCode::kDuplicateIndex, 0);
  entries_.erase(repeated.begin(), repeated.end());
}

}  // namespace winperf
