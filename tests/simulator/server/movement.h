// How the numbers of the simulated server move: in waves of a day, of the better part of an hour,
// of minutes and of seconds, between limits that are known beforehand.
//
// Everything is a closed form of the time since the machine was started, without state and without
// chance, so that several processes see the same numbers, and a clock that goes on never makes a
// running total smaller. Thread rule: any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace winperf::simulator {

// What tells the waves of one value from those of others. Values of one instance have their slow
// waves in common, as a busy web site has many requests and sends many bytes.
struct WaveSeeds {
  std::uint64_t instance = 0;
  std::uint64_t object = 0;
  std::uint64_t counter = 0;
};

std::uint64_t seed_of(std::string_view name);

class Waves {
 public:
  // `time_of_day`: of the machine's start, in seconds; the waves of a day are highest in the
  // afternoon.
  Waves(const WaveSeeds& seeds, double time_of_day);

  // Between `low` and `high`; `seconds` since the machine's start.
  double level(double low, double high, double seconds) const;

  // What has accumulated between two times at an average of `rate` a second, which moves up and
  // down by at most `swing` of it: a part below 1.
  double total(double rate, double swing, double from, double to) const;

 private:
  static constexpr std::size_t kWaves = 4;

  double integral(double seconds) const;

  std::array<double, kWaves> phases_;  // radians
};

}  // namespace winperf::simulator
