// Adds up instances, which some countersets leave to the consumer: into a single value
// (globalAggregate), into a `_Total` beside the instances (multipleAggregate), or into a value that
// includes the last values of instances that are gone (globalAggregateHistory). V2Tracker calls it.
//
// Each counter names its rule: total, average, minimum or maximum. The sum has no value for a
// counter without a rule, or if an instance has no value. Totals of 32-bit counters and of
// their bases wrap as these do, so that their growth stays right; a gauge that doesn't fit its
// width has no value. Thread rule: one thread. Source: Learn, PERF_COUNTERSET_INFO and
// PERF_COUNTER_REG_INFO.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "collectors/sampling/perflib/v2_table.h"
#include "collectors/wire/v2/registration.h"

namespace winperf {

class V2Aggregate {
 public:
  // Replaces the rows with their sum, or adds `_Total` if no instance has that name, according to
  // the counterset's type. Tables of other types stay as they are.
  void apply(const v2::CountersetRegistration& registration, V2Table& table);

 private:
  // What has been added up of a column so far.
  struct Sum {
    std::uint64_t total = 0;
    std::uint64_t minimum = 0;
    std::uint64_t maximum = 0;
    std::uint64_t count = 0;
    std::uint8_t bytes = 0;
    NoValue reason = NoValue::kNone;
    std::int64_t lowest = 0;  // as `minimum` and `maximum`, of numbers with a sign
    std::int64_t highest = 0;
    void add(const V2Cell& cell);
    V2Cell result(const v2::CounterRegistration& counter, bool may_wrap) const;
  };
  using Identity = std::pair<std::uint32_t, std::string>;  // instance id and name

  void remember_vanished(const V2Table& table);
  std::vector<V2Cell> add_up(const v2::CountersetRegistration& registration,
                             const V2Table& table) const;

  std::vector<std::uint32_t> ids_;                // the columns of last_ and vanished_
  std::map<Identity, std::vector<V2Cell>> last_;  // of the instances of the last sample
  std::vector<Sum> vanished_;                     // by column
};

}  // namespace winperf
