#include "collectors/capture/scrubber.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <utility>

#include "collectors/wire/block_view.h"
#include "collectors/wire/text.h"
#include "collectors/wire/v1_format.h"
#include "collectors/wire/v2/blocks.h"
#include "collectors/wire/v2/data_view.h"

namespace winperf::capture {
namespace {

// One buffer, from its beginning to its end.
class Finder {
 public:
  explicit Finder(std::span<std::byte> buffer) : buffer_(buffer) {}

  std::span<std::byte> buffer() const { return buffer_; }
  NamePlaces take() { return std::move(places_); }

  void name(std::size_t offset, std::size_t bytes, std::size_t character_bytes) {
    places_.names.push_back({buffer_.subspan(offset, bytes), character_bytes});
  }
  void clear(std::size_t from, std::size_t to) {
    to = std::min(to, buffer_.size());
    if (from < to) places_.to_clear.push_back(buffer_.subspan(from, to - from));
  }
  void damaged(const Error& error) { places_.damage.push_back(error); }
  // `part` lies in the buffer.
  std::size_t offset_of(std::span<const std::byte> part) const {
    return static_cast<std::size_t>(part.data() - buffer_.data());
  }

 private:
  std::span<std::byte> buffer_;
  NamePlaces places_;
};

// Clears a damaged object after its header. Returns the offset of the next object, or the end if
// the object's length is invalid.
std::size_t skip_damaged_object(Finder& finder, std::size_t at) {
  const std::size_t size = finder.buffer().size();
  const ByteView whole(finder.buffer(), "capture.object");
  const std::size_t length =
      whole.read<std::uint32_t>(at + v1::object::kTotalByteLength).value_or(0);
  const bool known = at <= size && length >= v1::object::kBytes && length <= size - at;
  const std::size_t end = known ? at + length : size;
  finder.clear(at + v1::object::kBytes, end);
  return end;
}

void find_in_instance(Finder& finder, const InstanceView& instance, std::uint32_t code_page) {
  const auto definition = instance.definition_bytes();
  const std::size_t start = finder.offset_of(definition);
  const ByteView view(definition, "capture.instance");
  const std::size_t offset = view.get(v1::instance::kNameOffset);
  const std::size_t length = view.get(v1::instance::kNameLength);
  // A name within the header would overlap lengths and offsets.
  const bool named = length > 0 && offset >= v1::instance::kBytes;
  if (named) finder.name(start + offset, length, code_page == kUtf16 ? 2 : 1);
  finder.clear(start + (named ? offset + length : v1::instance::kBytes), start + definition.size());
}

void find_in_object(Finder& finder, const ObjectView& object) {
  if (!object.multi_instance()) return;
  const std::size_t start = object.offset();
  const std::size_t end = start + object.byte_length();
  std::size_t at = start + object.definition_length();
  InstanceWalk instances = object.instances();
  while (const auto instance = instances.next()) {
    if (!*instance) {
      finder.damaged(instance->error());
      at += v1::instance::kBytes;
      break;
    }
    find_in_instance(finder, **instance, object.code_page());
    at += static_cast<std::size_t>((*instance)->byte_length());
  }
  finder.clear(at, end);
}

void find_in_result(Finder& finder, const v2::ResultView& result, std::size_t end) {
  if (!result.has_instances()) return;
  v2::RowWalk rows = result.rows();
  v2::RowWalk::Row row;
  std::size_t at = result.offset();  // the end of the last sound row
  while (true) {
    const auto more = rows.next(row);
    if (!more) {
      finder.damaged(more.error());
      finder.clear(at + v2::instance_header::kBytes, end);
      return;
    }
    if (!*more) break;
    if (!row.instance) continue;
    const auto bytes = row.instance->bytes.bytes();
    const std::size_t start = finder.offset_of(bytes);
    finder.name(start + v2::instance_header::kBytes, bytes.size() - v2::instance_header::kBytes, 2);
    at = start + bytes.size();
    if (!row.values.empty()) {
      const ByteView& last = row.values.back().data;
      at = finder.offset_of(last.bytes()) + last.size();
    }
  }
  finder.clear(at, end);
}

}  // namespace

std::expected<NamePlaces, Error> places_in_block(std::span<std::byte> block) {
  const auto view = BlockView::parse(block);
  if (!view) return std::unexpected(view.error());
  Finder finder(block);
  const ByteView whole(block, "capture.block");
  const std::size_t header = whole.get(v1::block::kHeaderLength);
  const std::size_t length = whole.get(v1::block::kSystemNameLength);
  const std::size_t offset = whole.get(v1::block::kSystemNameOffset);
  if (offset >= v1::block::kBytes && offset <= header && length <= header - offset)
    finder.name(offset, length, 2);
  std::size_t at = header;
  ObjectWalk objects = view->objects();
  while (const auto object = objects.next()) {
    if (*object) {
      find_in_object(finder, **object);
      at = static_cast<std::size_t>((*object)->offset()) + (*object)->byte_length();
    } else {
      finder.damaged(object->error());
      at = skip_damaged_object(finder, at);
    }
  }
  finder.clear(at, block.size());
  return finder.take();
}

std::expected<NamePlaces, Error> places_in_v2_data(std::span<std::byte> data) {
  const auto view = v2::DataView::parse(data);
  if (!view) return std::unexpected(view.error());
  Finder finder(data);
  std::size_t at = v2::data_header::kBytes;
  v2::ResultBytesWalk results = view->result_bytes();
  while (const auto bytes = results.next()) {
    if (!*bytes) {
      finder.damaged(bytes->error());
      finder.clear(at + v2::counter_header::kBytes, data.size());
      return finder.take();
    }
    const std::size_t start = finder.offset_of((*bytes)->bytes());
    finder.clear(at, start);  // padding that the sender omits from its sizes
    at = start + (*bytes)->size();
    if (const auto result = v2::ResultView::parse(**bytes, {})) {
      find_in_result(finder, *result, at);
    } else {
      finder.damaged(result.error());
      finder.clear(start + v2::counter_header::kBytes, at);
    }
  }
  finder.clear(at, data.size());
  return finder.take();
}

namespace {

struct UpperRange {
  char16_t first;
  char16_t last;
  char16_t difference;  // to the small letter; 1: large and small letters alternate
};

constexpr std::array kUpper = {
    UpperRange{u'A', u'Z', 32},           UpperRange{u'\u00C0', u'\u00D6', 32},
    UpperRange{u'\u00D8', u'\u00DE', 32}, UpperRange{u'\u0100', u'\u012E', 1},
    UpperRange{u'\u0132', u'\u0136', 1},  UpperRange{u'\u0139', u'\u0147', 1},
    UpperRange{u'\u014A', u'\u0176', 1},  UpperRange{u'\u0179', u'\u017D', 1},
    UpperRange{u'\u0391', u'\u03A9', 32}, UpperRange{u'\u0400', u'\u040F', 80},
    UpperRange{u'\u0410', u'\u042F', 32}, UpperRange{u'\u0460', u'\u0480', 1},
    UpperRange{u'\u048A', u'\u04BE', 1},  UpperRange{u'\u04D0', u'\u052E', 1},
};

char16_t folded(char16_t c) {
  for (const UpperRange& range : kUpper) {
    if (c < range.first || c > range.last) continue;
    const bool is_upper = range.difference != 1 || (c - range.first) % 2 == 0;
    return is_upper ? static_cast<char16_t>(c + range.difference) : c;
  }
  return c;
}

bool is_letter(char16_t c) { return (c >= u'a' && c <= u'z') || c > 0x7F; }

std::uint64_t beginning_of(std::u16string_view text) {
  std::uint64_t beginning = 0;
  static_assert(sizeof beginning == NameBook::kShortestFound * sizeof(char16_t));
  std::memcpy(&beginning, text.data(), sizeof beginning);
  return beginning;
}

// "xxxxxa", "xxxxxb", ...: a number in letters.
std::u16string letters(std::size_t length, std::size_t number) {
  std::u16string text(length, u'x');
  for (std::size_t i = length; i-- > 0 && number > 0; number /= 25)
    text[i] = static_cast<char16_t>(u'a' + number % 25 + (number % 25 >= 23 ? 1 : 0));
  return text;
}

}  // namespace

std::u16string folded(std::u16string_view text) {
  std::u16string result(text);
  std::ranges::transform(result, result.begin(), [](char16_t c) { return folded(c); });
  return result;
}

bool is_harmless(std::u16string_view name) {
  constexpr std::u16string_view kTotal = u"_total";
  std::u16string text = folded(name);
  if (text == u"idle") return true;
  if (text.ends_with(kTotal)) text.resize(text.size() - kTotal.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool drive =
        i + 1 < text.size() && text[i + 1] == u':' && (i == 0 || !is_letter(text[i - 1]));
    if (is_letter(text[i]) && !drive) return false;
  }
  return true;
}

void NameBook::learn(std::u16string_view name) {
  if (is_harmless(name)) return;
  const auto [found, fresh] = entries_.try_emplace(folded(name));
  if (!fresh) return;
  found->second = {.name = found->first, .replacement = letters(name.size(), used_[name.size()]++)};
  if (name.size() >= kShortestFound)
    by_beginning_.emplace(beginning_of(found->first), &found->second);
}

const NameBook::Entry* NameBook::find(std::u16string_view name) const {
  const auto found = entries_.find(folded(name));
  return found == entries_.end() ? nullptr : &found->second;
}

const NameBook::Entry* NameBook::find_at(std::u16string_view text, std::size_t at) const {
  if (at > text.size() || text.size() - at < kShortestFound) return nullptr;
  const Entry* longest = nullptr;
  const auto [first, last] = by_beginning_.equal_range(beginning_of(text.substr(at)));
  for (auto it = first; it != last; ++it) {
    const Entry* const entry = it->second;
    if (longest != nullptr && entry->name.size() <= longest->name.size()) continue;
    if (text.substr(at).starts_with(entry->name)) longest = entry;
  }
  return longest;
}

namespace {

// Shorter texts with one byte per character are as likely to be something else.
constexpr std::size_t kShortestAnsiLeftover = 6;

std::u16string text_of(std::span<const std::byte> bytes, std::size_t character_bytes) {
  std::u16string text(bytes.size() / character_bytes, u'\0');
  for (std::size_t i = 0; i < text.size(); ++i)
    std::memcpy(&text[i], &bytes[i * character_bytes], character_bytes);
  return text;
}

// Up to the NUL.
std::u16string name_of(const NamePlace& place) {
  const std::u16string text = text_of(place.bytes, place.character_bytes);
  return text.substr(0, text.find(u'\0'));
}

void put(std::span<std::byte> bytes, std::size_t character_bytes, std::u16string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    std::memcpy(&bytes[i * character_bytes], &text[i], character_bytes);
}

// A part of a name in its place, whether replaced or kept, isn't a leftover.
bool is_in_name(std::span<const std::byte> part, const NamePlaces& places) {
  const auto after = std::ranges::upper_bound(
      places.names, part.data(), {}, [](const NamePlace& place) { return place.bytes.data(); });
  const bool next_begins_within =
      after != places.names.end() && after->bytes.data() < part.data() + part.size();
  if (next_begins_within || after == places.names.begin()) return next_begins_within;
  const auto before = std::prev(after)->bytes;
  return before.data() + before.size() > part.data();
}

}  // namespace

void Scrubber::learn(const NamePlaces& places) {
  for (const NamePlace& place : places.names) book_.learn(name_of(place));
}

void Scrubber::scrub(std::span<std::byte> buffer, const NamePlaces& places) {
  for (const auto part : places.to_clear) std::ranges::fill(part, std::byte{});
  for (const NamePlace& place : places.names) {
    const std::u16string name = name_of(place);
    std::ranges::fill(place.bytes.subspan(name.size() * place.character_bytes), std::byte{});
    if (const auto* const entry = book_.find(name))
      put(place.bytes, place.character_bytes, entry->replacement);
  }
  scrub_leftovers(buffer, places, 2, NameBook::kShortestFound);
  if (!buffer.empty()) scrub_leftovers(buffer.subspan(1), places, 2, NameBook::kShortestFound);
  scrub_leftovers(buffer, places, 1, kShortestAnsiLeftover);
}

void Scrubber::scrub_leftovers(std::span<std::byte> buffer, const NamePlaces& places,
                               std::size_t character_bytes, std::size_t shortest) {
  const std::u16string text = folded(text_of(buffer, character_bytes));
  for (std::size_t at = 0; at < text.size();) {
    const auto* const entry = book_.find_at(text, at);
    const std::size_t length = entry == nullptr ? 1 : entry->name.size();
    const auto part = buffer.subspan(at * character_bytes, length * character_bytes);
    const bool left_over = entry != nullptr && length >= shortest && !is_in_name(part, places);
    if (left_over) {
      put(part, character_bytes, entry->replacement);
      ++leftovers_;
    }
    at += left_over ? length : 1;
  }
}

}  // namespace winperf::capture
