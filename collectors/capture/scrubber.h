// Removes names from recorded buffers, V1 and V2 alike. A name is replaced in its place by another
// name of the same length, so that the rest of the buffer stays unchanged. Every other occurrence
// of a name that a provider left in the bytes is replaced, too: in UTF-16 if it has at least 4
// characters, with one byte per character if it has at least 6.
//
// It has to learn the names of all buffers before it scrubs the first one, because an earlier
// buffer may hold leftovers of a later name. Not changed: values, and names of countersets,
// counters and providers. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "collectors/capture/name_book.h"
#include "collectors/capture/name_places.h"

namespace winperf::capture {

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
