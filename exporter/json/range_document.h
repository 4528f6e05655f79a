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
// keys of an instance are those of append_identity() and append_owner(). As columns, counters are
// those of range_columns.h. Counters are added one by one, because each may have thousands of
// windows. Thread rule: one thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/sample.h"
#include "collectors/recorder/windows.h"

namespace winperf::json {

struct RangeOfCounter {
  std::string counterset;
  std::string counter;
  CounterType type{};
  std::vector<recorder::InstanceWindows> instances;  // each with a window
};

struct RangeTimes {
  Ticks100ns since;
  Ticks100ns until;
  std::optional<double> step_seconds{};
};

// Why there is no value, or none that JSON can express; empty if there is one.
[[nodiscard]] std::string_view reason_of(const recorder::Window& window);

class RangeDocument {
 public:
  // `owners`: outlives it.
  RangeDocument(const RangeTimes& times, bool as_columns, const recorder::ProcessOwners& owners);

  void add(const RangeOfCounter& counter);
  [[nodiscard]] std::string finish() &&;

 private:
  const recorder::ProcessOwners& owners_;
  bool as_columns_;
  bool is_first_ = true;
  std::string text_;
};

}  // namespace winperf::json
