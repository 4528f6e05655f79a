// A registration, its results as bytes, and the V2Tracker that they are given to, one per second.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collectors/sampling/perflib/v2_tracker.h"
#include "tests/simulator/v2_bytes.h"
#include "tests/support/narrowed.h"

namespace winperf::testing {

using Counters = std::vector<simulator::CounterDefinition>;

class Tracked {
 public:
  explicit Tracked(Counters counters, v2::InstanceType type = v2::InstanceType::kMultiple,
                   Selection selection = {})
      : set_{.instance_type = type, .counters = std::move(counters)},
        tracker_(counterset(), std::move(selection)) {}

  ReadResult take(const std::vector<simulator::InstanceValues>& rows) {
    return take_bytes(result(rows));
  }
  ReadResult take_bytes(const simulator::Bytes& bytes) {
    ++second_;
    const v2::ResultView view = v2::ResultView::parse(ByteView(bytes, "v2.result"), {}).value();
    return tracker_.update(view, request, clocks());
  }
  std::shared_ptr<const CountersetSample> sample(
      const std::vector<simulator::InstanceValues>& rows) {
    auto result = take(rows);
    EXPECT_TRUE(result.has_value());
    return result ? result->sample : nullptr;
  }
  simulator::Bytes result(const std::vector<simulator::InstanceValues>& rows) const {
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < set_.counters.size(); ++i) columns.push_back(i);
    return simulator::table_result(
        {.counterset = set_,
         .columns = columns,
         .rows = rows,
         .has_instances = set_.instance_type != v2::InstanceType::kSingle});
  }
  Clocks clocks() const {
    return {.perf_time = {second_ * 1'000},
            .perf_frequency = {1'000},
            .time_100ns = {second_ * 10'000'000}};
  }
  // The width in which a counter is delivered from now on.
  void deliver(std::size_t counter, std::uint8_t bytes) { set_.counters[counter].bytes = bytes; }
  V2Tracker& tracker() { return tracker_; }

  v2::CounterRequest request{.instance_name = u"*"};

 private:
  std::shared_ptr<const V2Counterset> counterset() const {
    auto set = std::make_shared<V2Counterset>();
    set->registration = v2::parse_counterset(simulator::counterset_info(set_)).value();
    for (const simulator::CounterDefinition& counter : set_.counters)
      set->counter_names[counter.id] =
          counter.name.empty() ? "counter " + std::to_string(counter.id) : narrowed(counter.name);
    return set;
  }

  simulator::CountersetDefinition set_;
  V2Tracker tracker_;
  std::int64_t second_ = 0;
};

}  // namespace winperf::testing
