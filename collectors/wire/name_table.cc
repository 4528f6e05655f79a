#include "collectors/wire/name_table.h"

#include <algorithm>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/decimal.h"
#include "collectors/wire/text.h"

namespace winperf {
namespace {

constexpr std::uint32_t kHeaderIndex = 1;

}  // namespace

// Takes one string after another from the stream. A copy can read ahead.
class NameTable::StringReader {
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

  // Whether a string follows that is neither an index nor the end.
  bool is_before_text() const {
    StringReader ahead = *this;
    const auto string = ahead.next();
    return string && !string->text.text.empty() && !whole_decimal<std::uint32_t>(string->text.text);
  }

  std::optional<String> next() {
    if (bytes_.size() - position_ < 2) return std::nullopt;
    const std::size_t start = position_;
    const std::size_t all = (bytes_.size() - start) / 2 * 2;
    const std::size_t end = find_nul(ByteView(bytes_, "name table"), start).value_or(start + all);
    position_ = std::min(end + 2, bytes_.size());
    return String{decode_utf16le(bytes_.subspan(start, end - start)), start};
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t position_ = 0;
};

NameTable NameTable::parse(std::span<const std::byte> bytes) {
  NameTable table;
  table.keep_first_of_each_index(table.read_pairs(bytes));
  if (bytes.size() % 2 != 0) table.note(ErrorCode::kTruncated, bytes.size() - 1);
  return table;
}

std::vector<NameTable::Placed> NameTable::read_pairs(std::span<const std::byte> bytes) {
  std::vector<Placed> pairs;
  StringReader reader(bytes);
  while (const auto string = reader.next()) {
    // The empty string ends a REG_MULTI_SZ; padding may follow.
    if (string->text.text.empty()) continue;
    const auto index = whole_decimal<std::uint32_t>(string->text.text);
    if (!index) {
      note(ErrorCode::kBadNumber, string->offset);
      continue;
    }
    auto text = take_text(reader, *index, string->offset);
    // Providers may leave help texts empty, which is not damage.
    if (!text.empty()) pairs.push_back({{*index, std::move(text)}, string->offset});
  }
  return pairs;
}

std::string NameTable::take_text(StringReader& reader, std::uint32_t index, std::uint64_t offset) {
  StringReader after = reader;
  auto string = after.next();
  if (!string) {
    note(ErrorCode::kTruncated, offset);
    return {};
  }
  const auto number = whole_decimal<std::uint32_t>(string->text.text);
  const bool is_header = index == kHeaderIndex && number;
  if (number && !is_header && after.is_before_text()) {
    // It is the next index: the text is lost, and the reader stays before that index.
    note(ErrorCode::kTruncated, offset);
    return {};
  }
  reader = after;
  if (is_header) {
    if (base_limit_) note(ErrorCode::kDuplicateIndex, offset);
    if (!base_limit_) base_limit_ = number;
    return {};
  }
  if (string->text.replaced != 0) note(ErrorCode::kBadText, string->offset);
  return std::move(string->text.text);
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

void NameTable::keep_first_of_each_index(std::vector<Placed> pairs) {
  const auto index_of = [](const Placed& pair) { return pair.entry.index; };
  std::ranges::stable_sort(pairs, {}, index_of);
  entries_.reserve(pairs.size());
  for (Placed& pair : pairs) {
    if (!entries_.empty() && entries_.back().index == pair.entry.index)
      note(ErrorCode::kDuplicateIndex, pair.offset);
    else
      entries_.push_back(std::move(pair.entry));
  }
}

}  // namespace winperf
