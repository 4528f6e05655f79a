#include "collectors/capture/scrubber.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>

namespace winperf::capture {
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

// A part of a name in its place, whether replaced or kept, is no leftover.
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
