// Raw values that were recorded beside what Microsoft's PDH cooked from them.
//
// The recording prints each cooked value twice: cooked_ms as PDH's own tool wrote it, with 17
// digits or "0", and cooked_calc as computed a second time. They differ in the last digit at most.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/captures.h"
#include "tests/support/cook_cell.h"

namespace winperf {
namespace {

using testing::cook;
using testing::Measurement;
using testing::Observation;

struct Row {
  std::string counter;
  CounterType type{};
  std::int64_t time_base = 0;
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  std::string cooked_ms;  // empty where PDH had no value
  std::string cooked_calc;
};

std::vector<Row> read_rows(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<Row> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::vector<std::string> field;
    for (std::string text; std::getline(fields, text, '\t');) field.push_back(text);
    field.resize(11);
    rows.push_back(
        {field[1], CounterType{static_cast<std::uint32_t>(std::stoul(field[2], nullptr, 0))},
         std::stoll(field[3]), std::stoull(field[5]), std::stoull(field[6]), field[9], field[10]});
  }
  return rows;
}

// PDH_RAW_COUNTER keeps the time, or the base, as the second value.
Observation observation(const Row& row, const CounterTypeInfo& type) {
  const bool has_base = type.base != BaseKind::kNone;
  return {row.first, has_base ? row.second : 0, type.raw_bytes,
          has_base ? type.raw_bytes : std::uint8_t{0}};
}

Clocks clocks(const Row& row) {
  const auto time = static_cast<std::int64_t>(row.second);
  return {.perf_time = {time}, .perf_frequency = {row.time_base}, .time_100ns = {time}};
}

std::expected<double, NoValue> cook_row(const Row& row, const Row* before) {
  const CounterTypeInfo type = describe(row.type);
  std::optional<Measurement> previous;
  if (before != nullptr) previous = {observation(*before, type), clocks(*before)};
  return cook(type, previous, {observation(row, type), clocks(row)});
}

class PdhRows : public testing::CaptureTest {};

TEST_F(PdhRows, AreCookedAsPdhDoes) {
  const auto rows = read_rows(captures_ / "formulas" / "pdh-raw-and-cooked.tsv");
  std::map<std::string, Row> previous;
  int compared = 0;
  for (const Row& row : rows) {
    const auto before = previous.find(row.counter);
    const auto cooked = cook_row(row, before == previous.end() ? nullptr : &before->second);
    previous[row.counter] = row;
    if (row.cooked_ms.empty()) {
      EXPECT_EQ(cooked, std::unexpected(NoValue::kFirstSample)) << row.counter;
      continue;
    }
    ASSERT_TRUE(cooked) << row.counter << ": " << name_of(cooked.error());
    for (const std::string& text : {row.cooked_ms, row.cooked_calc}) {
      const double expected = std::stod(text);
      EXPECT_LE(std::abs(*cooked - expected), 1e-12 * std::abs(expected)) << row.counter;
    }
    ++compared;
  }
  EXPECT_EQ(compared, 242);
}

}  // namespace
}  // namespace winperf
