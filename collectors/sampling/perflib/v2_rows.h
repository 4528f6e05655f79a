// The rows of a V2 result whose values lie as those of the result before: the same counters, each
// value of the same size. Then the values of a row are read like those of a V1 counter block
// (wire/counter_blocks.h), without walking from one to the next. Where a result differs in
// anything, V2Tracker reads it value by value (V2Table), and learns from it. Thread rule: one
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "collectors/wire/counter_blocks.h"
#include "collectors/wire/v2/data_view.h"

namespace winperf {

class V2Rows {
 public:
  // How the values lie in the first row of a result that read_v2_table() has read without a
  // problem.
  void learn(const v2::ResultView& result, std::uint32_t requested_counter);
  void forget() { ids_.clear(); }

  // Proves that each row of the result has its values where they were. If it returns false, the
  // other functions must not be called. What it returns lasts as long as the result's bytes.
  [[nodiscard]] bool follow(const v2::ResultView& result, std::uint32_t requested_counter);
  // Of each row: its values.
  const CounterBlocks& blocks() const { return blocks_; }
  // Of each row that has one.
  const std::vector<v2::InstanceHeader>& instances() const { return instances_; }
  // Where the value of a counter is in each block, as a counter of this type. Empty if it isn't
  // delivered.
  std::optional<CounterDefinition> place_of(std::uint32_t id, CounterType type) const;

 private:
  struct Place {
    std::uint32_t offset = 0;  // of the PERF_COUNTER_DATA, from the first one of the row
    std::uint32_t data_size = 0;
    std::uint32_t size = 0;
  };
  bool has_places(const ByteView& values) const;

  std::vector<std::uint32_t> ids_;  // of the values of a row; empty if nothing is known
  bool has_instances_ = false;
  std::vector<Place> places_;  // of each of them
  std::size_t row_bytes_ = 0;  // of all values of a row
  CounterBlocks blocks_;
  std::vector<v2::InstanceHeader> instances_;
};

}  // namespace winperf
