// Removes names from recorded V1 and V2 buffers. A name is replaced by another name of the same
// length, so that the rest of the buffer stays unchanged. Every other occurrence of a name that a
// provider left in unused bytes is replaced, too: in UTF-16 if it has at least 4 characters, with
// one byte per character if it has at least 6.
//
// It has to learn the names of all buffers before it scrubs the first one, because an earlier
// buffer may hold leftovers of a later name. Not changed: values, and names of countersets,
// counters and providers. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "collectors/model/error.h"

namespace winperf::capture {

// Where names occur in a recorded buffer: those of the instances, and the computer's.
//
// The bytes after a name in its place, after the last instance of an object and after the last
// object have no meaning, but providers leave old data there, so the scrubber clears them. The same
// holds for bytes that can't be parsed, up to the next part that can: a damaged object or result
// loses its instances; its header stays, including its defect. Lifetime: not longer than the
// buffer.
struct NamePlace {
  std::span<std::byte> bytes;
  std::size_t character_bytes = 2;  // 2: UTF-16; 1: a code page
};

struct NamePlaces {
  std::vector<NamePlace> names;                // in the order of the buffer
  std::vector<std::span<std::byte>> to_clear;  // contain no name of `names`
  std::vector<Error> damage;                   // one for each part that can't be parsed
};

// The error is that of parsing the whole buffer.
[[nodiscard]] std::expected<NamePlaces, Error> places_in_block(std::span<std::byte> block);
[[nodiscard]] std::expected<NamePlaces, Error> places_in_v2_data(std::span<std::byte> data);

// The names that a capture must not reveal, and a replacement for each: another name of the same
// length, one for all spellings that differ only in case, and different for different names.
//
// Harmless names, which reveal nothing about the machine, are never replaced: totals (_Total),
// Idle, names of digits and punctuation, and drive letters.

// Whether a name reveals nothing about the machine.
bool is_harmless(std::u16string_view name);
// The same form for all spellings of a name: lower case in Latin, Greek and Cyrillic, with the
// length unchanged.
std::u16string folded(std::u16string_view text);

class NameBook {
 public:
  // Shorter names are not searched for in other bytes, because matches would be random.
  static constexpr std::size_t kShortestFound = 4;

  struct Entry {
    std::u16string name;  // folded
    std::u16string replacement;
  };

  void learn(std::u16string_view name);
  std::size_t size() const { return entries_.size(); }

  // Null if the name is not one of them.
  const Entry* find(std::u16string_view name) const;
  // The longest name that begins at a place in a folded text. Null if there is none.
  const Entry* find_at(std::u16string_view text, std::size_t at) const;

 private:
  std::unordered_map<std::u16string, Entry> entries_;                  // by folded name
  std::unordered_map<std::size_t, std::size_t> used_;                  // names by length
  std::unordered_multimap<std::uint64_t, const Entry*> by_beginning_;  // by first characters
};

class Scrubber {
 public:
  void learn(std::u16string_view name) { book_.learn(name); }
  void learn(const NamePlaces& places);
  // `places`: those in the buffer.
  void scrub(std::span<std::byte> buffer, const NamePlaces& places);

  std::size_t names() const { return book_.size(); }
  // Occurrences that were replaced outside the places of names.
  std::uint64_t leftovers() const { return leftovers_; }

 private:
  void scrub_leftovers(std::span<std::byte> buffer, const NamePlaces& places,
                       std::size_t character_bytes, std::size_t shortest);

  NameBook book_;
  std::uint64_t leftovers_ = 0;
};

}  // namespace winperf::capture
