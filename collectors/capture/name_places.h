// Where names occur in a recorded buffer: those of the instances, and the computer's.
//
// The bytes after a name in its place, after the last instance of an object and after the last
// object have no meaning, but providers leave old data there, so the scrubber clears them. The same
// holds for bytes that can't be parsed, up to the next place that can: a damaged object or result
// loses its instances; its header stays, including what is wrong with it.
// Lifetime: not longer than the buffer. Thread rule: immutable.
#pragma once

#include <cstddef>
#include <expected>
#include <span>
#include <vector>

#include "collectors/model/error.h"

namespace winperf::capture {

struct NamePlace {
  std::span<std::byte> bytes;
  std::size_t character_bytes = 2;  // 2: UTF-16; 1: a code page
};

struct NamePlaces {
  std::vector<NamePlace> names;                // in the order of the buffer
  std::vector<std::span<std::byte>> to_clear;  // contain no name of `names`
  std::vector<Error> damage;                   // one for each part that can't be parsed
};

// The error says why the buffer as a whole can't be parsed.
[[nodiscard]] std::expected<NamePlaces, Error> places_in_block(std::span<std::byte> block);
[[nodiscard]] std::expected<NamePlaces, Error> places_in_v2_data(std::span<std::byte> data);

}  // namespace winperf::capture
