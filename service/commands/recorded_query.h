// Queries a recording: every sample, with every requested object in it. Thread rule: one thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectors/model/counter_path.h"
#include "collectors/model/sample.h"
#include "collectors/sampling/plan.h"
#include "service/plan/setup.h"

namespace winperf {

using CountersetSamples = std::vector<std::shared_ptr<const CountersetSample>>;

// One sample of a recording.
struct RecordedSample {
  CountersetSamples countersets{};
  std::optional<Ticks100ns> time{};  // empty if nothing in it has one
  std::string host{};                // empty if the recording is of several, or doesn't say
};

using PrintSample = std::function<void(const RecordedSample& sample)>;

struct RecordedQuery {
  std::optional<std::vector<PlannedCounterset>> plan;  // nothing: everything
  bool is_all_needed = false;                          // whether each of them must be known
  std::optional<CounterPath> path;                     // nothing: both
  std::string source;                                  // how messages call the recording
};

// Reports what is missing or damaged on standard error, and returns the exit code: a failure if
// anything of the recording can't be shown.
int query_recording(const Setup& setup, const RecordedQuery& query, const PrintSample& print);

}  // namespace winperf
