// What processes use over a while: numbers for people and programs, and growth that shouldn't be.
//
// Growth is judged from the highest of the second quarter to the lowest of the last one, so that
// neither a start nor a moment counts; with fewer than eight samples it isn't. Bounds are of what
// goes on while a server runs as before: memory that is freed but kept, a few connections, a
// worker's thread. Thread rule: pure functions.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "service/selftest/check.h"
#include "service/selftest/processes.h"
#include "service/selftest/program.h"

namespace winperf::selftest {

inline constexpr std::size_t kSamplesOfGrowth = 8;
inline constexpr std::chrono::seconds kLoadInterval{15};  // between two samples
// The first sample is taken at once.
inline constexpr auto kMinutesOfGrowth =
    std::chrono::ceil<std::chrono::minutes>((kSamplesOfGrowth - 1) * kLoadInterval).count();
// Of private bytes, what heaps keep back at most (a few MiB, seen over a month of scripts/soak),
// doubled.
inline constexpr std::uint64_t kMemoryGrowth = std::uint64_t{8} << 20;
// Connections of two scrapers, and what a system's library opens the first time.
inline constexpr std::uint64_t kHandleGrowth = 24;
inline constexpr std::uint64_t kThreadGrowth = 6;

struct LoadSample {
  double seconds = 0;  // since the measurement began
  ProcessFacts process{};
};

// One process from its first sample on. `known`: what it may keep more and more of, such as the
// recorder's memory, in bytes, for each sample; empty: nothing.
struct LoadSeries {
  std::string process;  // "server", "registry"
  std::vector<LoadSample> samples{};
  std::vector<std::uint64_t> known{};
};

// What one process takes on the average; nothing where it is unknown, or there is one sample.
struct LoadRates {
  std::optional<double> processors{};  // 1: a whole one
  std::optional<double> switches{};    // a second
};
LoadRates rates_of(const LoadSeries& series);

// One for each number that grows.
std::vector<Finding> growth_of(const LoadSeries& series);
// Of which processes it was judged: {"judged": [...], "not_judged": [...], "samples_needed": 8}.
nlohmann::ordered_json growth_json(const std::vector<LoadSeries>& all);
// "growth was not judged, which takes at least 2 minutes"; empty if it was of any process.
std::string why_no_growth(const std::vector<LoadSeries>& all);

// {"process": ..., "cpu_seconds": ..., ..., "samples": [...]}
nlohmann::ordered_json load_json(const LoadSeries& series);

// "0.4 % of a processor, 61 MiB, 412 handles, 21 threads, 13 wake-ups a second" of all together;
// what isn't known of one of them is left out.
std::string load_text(const std::vector<LoadSeries>& all);

// Of typeperf, which ended before the measurement: "exit code 1: Error: No valid counters.". It
// takes the counters' names in Windows' language, and writes to standard output why it refuses
// them.
std::string early_end_text(const ProgramEnd& end);

}  // namespace winperf::selftest
