// Adds instances up, which for some countersets is the consumer's part of the contract: to one
// value (globalAggregate), to a `_Total` beside the instances (multipleAggregate), and with the
// last values of instances that are gone (globalAggregateHistory).
//
// Each counter names its rule: total, average, minimum, maximum. A counter without one, or of which
// an instance has no value, has none in the sum either. Totals of 32-bit counters wrap as the
// counters do, so that their growth stays right; a gauge that does not fit its width has no value.
// Thread rule: one thread. Source: Learn, PERF_COUNTERSET_INFO and PERF_COUNTER_REG_INFO.
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
  // Replaces the rows by their sum, or adds `_Total` where no instance is called so, as the
  // counterset's type wants it; leaves the table of other types alone.
  void apply(const v2::CountersetRegistration& registration, V2Table& table);

 private:
  // What a column has come to so far.
  struct Sum {
    std::uint64_t total = 0;
    std::uint64_t minimum = 0;
    std::uint64_t maximum = 0;
    std::uint64_t count = 0;
    std::uint8_t bytes = 0;
    NoValue reason = NoValue::kNone;
    void add(const V2Cell& cell);
    V2Cell result(const v2::CounterRegistration& counter) const;
  };
  using Identity = std::pair<std::uint32_t, std::string>;  // instance id and name

  void remember_vanished(const V2Table& table);
  std::vector<V2Cell> add_up(const v2::CountersetRegistration& registration,
                             const V2Table& table) const;

  std::vector<std::uint32_t> ids_;                // columns of what is remembered
  std::map<Identity, std::vector<V2Cell>> last_;  // of the instances of the last sample
  std::vector<Sum> vanished_;                     // by column
};

}  // namespace winperf
