// What the trial provider (winperf_exporter_trial.dll) and the selftest agree on: an object for
// each harm, by its index. The indices are above those of any registered provider.
//
// The DLL is never registered, so that Windows loads it nowhere: only a worker of the selftest
// does, from the program's own folder. Thread rule: constants.
#pragma once

#include <cstdint>

namespace winperf::trial {

enum class Harm : std::uint32_t {
  kNone,     // answers
  kCrash,    // writes to address 0
  kExit,     // ends the process
  kHang,     // never returns
  kMemory,   // takes kMemoryBytes, and answers
  kHandles,  // opens kHandles, and answers
  kThreads,  // starts kThreads that never end, and answers
  kOverrun,  // writes behind the room that it was given
  kLie,      // reports more bytes than there is room for
};
inline constexpr std::uint32_t kHarms = 9;

inline constexpr std::uint32_t kFirstIndex = 1'000'000;
inline constexpr std::uint32_t kIndicesOfEach = 4;  // object, its help, counter, its help
inline constexpr unsigned long long kMemoryBytes = 96ULL << 20;
inline constexpr int kHandles = 400;
inline constexpr int kThreads = 50;

constexpr std::uint32_t index_of(Harm harm) {
  return kFirstIndex + static_cast<std::uint32_t>(harm) * kIndicesOfEach;
}

}  // namespace winperf::trial
