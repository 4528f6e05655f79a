// Where names stand in a recorded buffer: those of the instances, and the computer's.
//
// What is behind a name in its place, behind the last instance of an object and behind the last
// object has no meaning, but providers leave old bytes there: it is to be cleared. So is what can't
// be followed, from where that begins to the next place that can: a damaged object or result costs
// its instances, and its header stays, with what is wrong with it.
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
  std::vector<std::span<std::byte>> to_clear;  // without a name
  std::vector<Error> damage;                   // where a part can't be followed
};

// The error says why the buffer as a whole can't be followed.
std::expected<NamePlaces, Error> places_in_block(std::span<std::byte> block);
std::expected<NamePlaces, Error> places_in_v2_data(std::span<std::byte> data);

}  // namespace winperf::capture
