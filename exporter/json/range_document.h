// GET /api/v1/range: counters of the recent past, step by step:
//   {"since", "until", "step_seconds",
//    "counters": [{"counterset", "counter", "type",
//      "instances": [{"instance", "parent", "instance_number", "process_id", "thread_id", "labels",
//        "windows": [{"from", "to", "cooked", "reason", "min", "mean", "max",
//                     "shortest_seconds"}]}]}]}
// step_seconds is null if the time is one step. from and to are the times of the samples between
// which cooked was computed; it is null if there is no value, and reason says why. min and max are
// those of the shortest windows kept within, of which the shortest is shortest_seconds long, null
// without one. mean is null unless the counter is a gauge: the value of any other is its mean. The
// keys of an instance are those of append_identity() and append_owner(). Thread rule: pure
// function.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectors/model/sample.h"
#include "collectors/recorder/windows.h"

namespace winperf::json {

struct RangeOfCounter {
  std::string counterset;
  std::string counter;
  CounterType type{};
  std::vector<recorder::InstanceWindows> instances;
};

struct RangeTimes {
  Ticks100ns since;
  Ticks100ns until;
  std::optional<double> step_seconds{};
};

[[nodiscard]] std::string range_document(const RangeTimes& times,
                                         std::span<const RangeOfCounter> counters,
                                         const recorder::ProcessOwners& owners = {});

}  // namespace winperf::json
