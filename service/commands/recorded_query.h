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
#include "service/run/setup.h"

namespace winperf {

using CountersetSamples = std::vector<std::shared_ptr<const CountersetSample>>;

// `time` is the recording's, for samples in which nothing has one.
using PrintSample =
    std::function<void(const CountersetSamples& samples, std::optional<Ticks100ns> time)>;

struct RecordedQuery {
  std::optional<std::vector<PlannedCounterset>> plan;  // nothing: everything
  bool is_all_needed = false;                          // whether each of them must be known
  std::optional<CounterPath> path;                     // nothing: both
  std::string source;                                  // how messages call the recording
};

// Reports what is missing or damaged on standard error, and returns the exit code.
int query_recording(const Setup& setup, const RecordedQuery& query, const PrintSample& print);

}  // namespace winperf
