// Takes names out of recorded buffers. A name is replaced in its place by another one of the same
// length, so that the buffer stays what it was otherwise, in V1 and V2 buffers alike. Every other
// occurrence of a name, wherever a provider left it behind, is replaced as well: in UTF-16 from 4
// characters on, in one byte a character from 6 on.
//
// All buffers are learnt from before the first one is scrubbed: names are left behind in earlier
// buffers, too. Not touched: values, and names of countersets, counters and providers.
// Thread rule: one thread.
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
  // `places`: those of the buffer.
  void scrub(std::span<std::byte> buffer, const NamePlaces& places);

  std::size_t names() const { return book_.size(); }
  // Occurrences that were replaced outside of the places of names.
  std::uint64_t leftovers() const { return leftovers_; }

 private:
  void scrub_leftovers(std::span<std::byte> buffer, const NamePlaces& places,
                       std::size_t character_bytes, std::size_t shortest);

  NameBook book_;
  std::uint64_t leftovers_ = 0;
};

}  // namespace winperf::capture
