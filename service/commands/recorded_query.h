// Queries a recording: every sample, with every object in it that was asked for. Thread rule: one
// thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectors/model/counter_path.h"
#include "collectors/model/sample.h"
#include "service/run/setup.h"

namespace winperf {

using CountersetSamples = std::vector<std::shared_ptr<const CountersetSample>>;

// `time` is that of the recording, where nothing in the sample has one.
using PrintSample =
    std::function<void(const CountersetSamples& samples, std::optional<Ticks100ns> time)>;

struct RecordedQuery {
  std::vector<std::string> names;   // of objects and countersets; empty: everything
  std::optional<CounterPath> path;  // nothing: both
  std::string source;               // how messages call the recording
};

// Returns the exit code, after complaining of what is missing or damaged.
int query_recording(const Setup& setup, const RecordedQuery& query, const PrintSample& print);

}  // namespace winperf
