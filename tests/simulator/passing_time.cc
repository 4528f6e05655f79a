#include "tests/simulator/passing_time.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>

#include "config/quantity.h"

namespace winperf::simulator {
namespace {

using Ticks = std::chrono::duration<std::int64_t, std::ratio<1, kTicks100nsPerSecond>>;

constexpr char kSinceVariable[] = "WINPERF_SIMULATOR_SINCE";
constexpr std::int64_t kNotYet = std::numeric_limits<std::int64_t>::max();
constexpr int kMostSpeed = 1'000;
// The simulated server was started twelve days before it begins to run.
constexpr std::chrono::hours kLongestPast{10 * 24};

std::int64_t real_ticks() {
  return std::chrono::duration_cast<Ticks>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

[[noreturn]] void complain(const char* variable, const std::string& wrong) {
  std::cerr << variable << ": " << wrong << std::endl;
  std::exit(2);
}

// When the first of several processes began, in ticks of the steady clock, and the time; and from
// when on time passes at another speed.
struct Beginning {
  std::int64_t steady = 0;
  std::int64_t time_100ns = 0;
  std::atomic<std::int64_t> fast_from = kNotYet;
  std::atomic<std::int64_t> behind = 0;  // ticks of the past that are left
  const int speed = speed_of_environment();

  Beginning();
  // For workers, so that they see the same machine. They have no past.
  void tell_workers() const;
};

Beginning::Beginning() {
  if (const char* const since = std::getenv(kSinceVariable)) {
    std::int64_t fast = 0;
    std::istringstream(since) >> steady >> time_100ns >> fast;
    fast_from = fast;
    return;
  }
  const Instant now = system_clocks().now();
  steady = std::chrono::duration_cast<Ticks>(now.steady.time_since_epoch()).count();
  time_100ns = now.wall.ticks;
  if (past_of_environment().count() == 0) fast_from = steady;
  tell_workers();
}

void Beginning::tell_workers() const {
  // The environment keeps the pointer, and another thread may be copying it.
  static std::deque<std::string> assignments;
  assignments.push_back(std::string(kSinceVariable) + '=' + std::to_string(steady) + ' ' +
                        std::to_string(time_100ns) + ' ' + std::to_string(fast_from));
  putenv(assignments.back().data());
}

Beginning& beginning() {
  static Beginning beginning;
  return beginning;
}

SteadyTime passing_steady() {
  return SteadyTime(
      std::chrono::duration_cast<SteadyTime::duration>(Ticks(beginning().steady + passed_100ns())));
}

void pass_until(SteadyTime then, const StopToken& stop) {
  constexpr std::chrono::hours kLongest{1};
  while (!stop.stop_requested()) {
    const SteadyTime now = passing_steady();
    if (then <= now) return;
    const auto rest = std::min<SteadyTime::duration>(then - now, kLongest);
    if (beginning().behind > 0) {
      const std::int64_t ticks = std::chrono::ceil<Ticks>(rest).count();
      beginning().behind = std::max<std::int64_t>(beginning().behind - ticks, 0);
    } else {
      pause_until(std::chrono::steady_clock::now() + rest / beginning().speed, stop);
    }
  }
}

}  // namespace

std::chrono::milliseconds past_of_environment() {
  const char* const text = std::getenv(kPastVariable);
  if (text == nullptr) return {};
  const auto past = parse_duration_ms(text);
  if (!past || std::chrono::milliseconds(*past) > kLongestPast)
    complain(kPastVariable, "write a time of at most 240h, such as 6h");
  return std::chrono::milliseconds(*past);
}

int speed_of_environment() {
  const char* const text = std::getenv(kSpeedVariable);
  if (text == nullptr) return 1;
  int speed = 0;
  if (!(std::istringstream(text) >> speed) || speed < 1 || speed > kMostSpeed)
    complain(kSpeedVariable, "write a number from 1 to " + std::to_string(kMostSpeed));
  return speed;
}

std::int64_t first_time_100ns() { return beginning().time_100ns; }

std::int64_t passed_100ns() {
  const Beginning& begin = beginning();
  const std::int64_t now = real_ticks();
  const std::int64_t fast = now > begin.fast_from ? now - begin.fast_from : 0;
  return now - begin.steady + fast * (begin.speed - 1) - begin.behind;
}

ClockSource passing_clocks() {
  return {.steady_now = passing_steady,
          .wall_now = [] { return Ticks100ns{first_time_100ns() + passed_100ns()}; },
          .pause_until = pass_until};
}

void go_back(std::chrono::milliseconds past) {
  beginning().behind = std::chrono::duration_cast<Ticks>(past).count();
}

std::chrono::nanoseconds past_left() { return Ticks(beginning().behind); }

void go_on() {
  Beginning& begin = beginning();
  begin.behind = 0;
  if (begin.fast_from != kNotYet) return;
  begin.fast_from = real_ticks();
  begin.tell_workers();
}

}  // namespace winperf::simulator
