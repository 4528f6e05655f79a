// Published samples for a recorder, second by second. Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/recorder/recorder.h"
#include "tests/collectors/sampling/raw_sample.h"

namespace winperf::testing {

inline constexpr const char* kCounterset = "Thing";
inline constexpr std::size_t kLargeBudget = std::size_t{1} << 30U;

// Empty if there is a value.
inline std::string_view reason_in(const std::expected<double, NoValue>& value) {
  return value ? std::string_view() : name_of(value.error());
}

// By this machine's clocks.
inline Ticks100ns wall_at(std::int64_t second) { return {second * kTicks100nsPerSecond}; }
inline Instant instant_at(std::int64_t second) {
  return {.steady = SteadyTime(std::chrono::seconds(second)), .wall = wall_at(second)};
}

inline CountersetState state_of(std::shared_ptr<const CountersetSample> sample, Instant at,
                                const std::string& name = kCounterset) {
  CountersetState state;
  state.name = name;
  state.sample = std::move(sample);
  state.success = true;
  state.sampled_at = at;
  return state;
}

inline void record(recorder::Recorder& recorder, std::vector<CountersetState> states) {
  Sample sample;
  sample.countersets = std::move(states);
  recorder.add(sample);
}
inline void record(recorder::Recorder& recorder, std::shared_ptr<const CountersetSample> sample,
                   std::int64_t second) {
  record(recorder, {state_of(std::move(sample), instant_at(second))});
}

// The same as if the sampler had taken them one after the other.
class Chained {
 public:
  std::shared_ptr<const CountersetSample> append(std::shared_ptr<CountersetSample> raw) {
    return chain_.append(std::move(raw), {});
  }

 private:
  SampleChain chain_;
};

// Of one counter of some instances, at that second.
inline std::shared_ptr<CountersetSample> sample_of_column(const Column& column,
                                                          const std::vector<std::string>& names,
                                                          std::vector<std::uint64_t> values,
                                                          std::int64_t second) {
  auto sample =
      make_raw_sample(schema_of({column}, true), instances_named(names), at_second(second));
  sample->raw = std::move(values);
  return sample;
}

}  // namespace winperf::testing
