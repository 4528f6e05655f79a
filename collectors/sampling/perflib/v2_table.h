// One V2 result as a plain table of numbers: a row per instance, a column per counter id. V2Tracker
// reads it, V2Aggregate adds it up.
//
// Rows are read from the bytes one by one; a corrupt row ends the table, and the rows before it
// remain valid. Lifetime of the instance headers: not longer than the bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectors/model/error.h"
#include "collectors/model/no_value.h"
#include "collectors/wire/v2/data_view.h"

namespace winperf {

struct V2Cell {
  std::uint64_t value = 0;
  std::uint8_t bytes = 0;  // 4 or 8; any other width has a reason
  NoValue reason = NoValue::kNotDelivered;
};

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

}  // namespace winperf
