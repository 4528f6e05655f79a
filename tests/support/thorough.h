#pragma once

#include <cstddef>
#include <cstdlib>

namespace winperf::testing {

// True where every case is wanted, as by scripts/test --all. Elsewhere, of what takes minutes a
// sample is tried.
inline bool thorough() { return std::getenv("WINPERF_ALL_TESTS") != nullptr; }

// How many of something are tried.
inline std::size_t tried(std::size_t sample, std::size_t all) { return thorough() ? all : sample; }

// The step from one of many to the next one that is tried.
inline std::size_t tried_every(std::size_t step) { return thorough() ? 1 : step; }

}  // namespace winperf::testing
