// One V2 result as a plain table of numbers: a row per instance, a column per counter id. V2Tracker
// reads it, V2Aggregate adds it up. Thread rule: V2Table is a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/model/error.h"
#include "collectors/model/raw_reading.h"
#include "collectors/wire/v2/data_view.h"
#include "collectors/wire/v2/registration.h"

namespace winperf {

struct V2Cell {
  std::uint64_t value = 0;
  std::uint8_t bytes = 0;  // 4 or 8; any other width has a reason
  NoValue reason = NoValue::kNotDelivered;
};

// Rows are read from the bytes one by one; a corrupt row ends the table, and the rows before it
// remain valid. Lifetime of the instance headers: not longer than the bytes.
struct V2Table {
  struct Row {
    std::optional<v2::InstanceHeader> header{};  // as delivered
    std::string added_name{};                    // of a row that V2Aggregate has added
  };

  std::vector<std::uint32_t> ids;  // of the columns, each once
  std::vector<Row> rows;
  std::vector<V2Cell> cells;         // rows * ids
  std::vector<Error> problems{};     // duplicate ids, names that can't be decoded
  std::optional<Error> cut_short{};  // why the rows end before the last one

  std::optional<std::size_t> column_of(std::uint32_t id) const;
  const V2Cell& at(std::size_t row, std::size_t column) const {
    return cells[row * ids.size() + column];
  }
};

// `requested_counter` is the id of the column if the result doesn't name its one counter.
[[nodiscard]] V2Table read_v2_table(const v2::ResultView& result, std::uint32_t requested_counter);

// Adds up instances, which some countersets leave to the consumer: into a single value
// (globalAggregate), into an additional `_Total` (multipleAggregate), or into a value that includes
// the last values of vanished instances (globalAggregateHistory). V2Tracker calls it.
//
// Each counter names its rule: total, average, minimum or maximum. The sum has no value for a
// counter without a rule, or if an instance has no value. Totals of 32-bit counters and of
// their bases wrap as these do, so that their growth stays right; a gauge that doesn't fit its
// width has no value. Thread rule: one thread. Source: Learn, PERF_COUNTERSET_INFO and
// PERF_COUNTER_REG_INFO.
class V2Aggregate {
 public:
  // Replaces the rows with their sum, or adds `_Total` if no instance has that name, according to
  // the counterset's type. Tables of other types stay as they are.
  void apply(const v2::CountersetRegistration& registration, V2Table& table);

 private:
  // The sum of a column so far.
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
