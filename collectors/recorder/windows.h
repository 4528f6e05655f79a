// A counter over a time, step by step.
//
// The value of a step is cooked between the samples kept next to its two ends: the last one before
// or at each. Nothing is interpolated: the times of the samples are in the answer, and a step
// without a newer sample has no window. A window over a birth, a reset, a gap or a clock step has
// that reason instead of a value, and one over a death kNotDelivered. Minimum and maximum are those
// of the shortest windows that are kept within it; of gauges, of all samples that ever were, with
// their mean.
// Thread rule: pure functions.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "collectors/recorder/history.h"
#include "collectors/recorder/lives.h"

namespace winperf::recorder {

struct WindowQuery {
  std::string counter;                                     // its name
  std::function<bool(const InstanceSchema&)> instances{};  // empty: all
  Ticks100ns since{};                                      // by the wall clock
  Ticks100ns until{};
  std::int64_t step_100ns = 0;  // 0 or less: one step
  bool each_sample = false;     // instead: each step ends with the next sample
  bool last_sample = false;     // instead: its values, of the instances that are in it
  // Instances after the one that exceeds it are left out.
  std::size_t most = std::numeric_limits<std::size_t>::max();
};

struct Window {
  Instant from;  // of the samples
  Instant to;
  std::expected<double, NoValue> value;
  std::optional<double> lowest{};
  std::optional<double> highest{};
  std::optional<double> mean{};  // of gauges; of other counters `value` is
  // The length of the shortest window within it; 0 if there is none.
  std::chrono::steady_clock::duration shortest{};
};

struct InstanceWindows {
  InstanceSchema instance;
  std::vector<Window> windows;
};

// No more steps than this are answered; the last one then ends early.
inline constexpr std::size_t kMostSteps = 100'000;

[[nodiscard]] std::expected<std::vector<InstanceWindows>, Error> windows(const Track& track,
                                                                         const WindowQuery& query);
// The same of reels that were opened for the time of the query, and may serve others.
[[nodiscard]] std::expected<std::vector<InstanceWindows>, Error> windows(SharedReels reels,
                                                                         const WindowQuery& query);

}  // namespace winperf::recorder
