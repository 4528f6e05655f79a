// Two samples of Processor Information, with the ids, types and widths of Microsoft's sample
// consumer, against the formulas that are documented for these types. The reference here reads
// neither the tables nor the code under test.
// Source: Learn, "Using the PerfLib Functions to Consume Counter Data" and "Calculating Counter
// Values".
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/collectors/sampling/perflib/tracked.h"

namespace winperf {
namespace {

using testing::Counters;
using testing::Tracked;

enum class Documented { kTimer, kTimerInverse, kPerSecond, kAsItIs, kOfBase, kPercentOfBase };

struct Row {
  std::uint32_t id;
  std::uint32_t type;
  std::uint8_t bytes;
  std::uint64_t before, now;
  Documented formula = Documented::kAsItIs;
  std::optional<std::uint32_t> base_id{};
};

constexpr std::uint64_t kAlmost32 = 0xFFFF'FFF0, kAlmost64 = 0xFFFF'FFFF'FFFF'0000;

// In another order than that of the ids; each number is used once.
const std::vector<Row> kRows{
    {27, 0x40030402, 4, kAlmost32, 0x30},  // the base of two counters, across its wrap
    {0, 0x21510500, 8, 1'000, 4'001'000, Documented::kTimerInverse},
    {1, 0x20510500, 8, 2'000, 3'002'000, Documented::kTimer},
    {3, 0x10410400, 4, 0xFFFF'FF00, 0x100, Documented::kPerSecond},
    {12, 0x10410500, 8, kAlmost64, kAlmost64 + 77, Documented::kPerSecond},
    {16, 0x00010000, 4, 5, 3},
    {21, 0x20570500, 8, 10'000, 16'000, Documented::kPercentOfBase, 22},
    {22, 0x40030500, 8, 50'000, 74'000},
    {25, 0x40030402, 4, 100, 140},
    {24, 0x40020500, 8, 700, 1'700, Documented::kOfBase, 25},
    {26, 0x40020500, 8, 800, 4'000, Documented::kOfBase, 27},
    {28, 0x40020500, 8, 900, 1'600, Documented::kOfBase, 27},
};

std::uint64_t grown(const Row& row) {
  const std::uint64_t difference = row.now - row.before;
  return row.bytes == 4 ? difference & 0xFFFF'FFFF : difference;
}

const Row& row_of(std::uint32_t id) { return *std::ranges::find(kRows, id, &Row::id); }

// The interval is one second: 10,000,000 units of 100 ns.
double reference(const Row& row) {
  const auto counted = static_cast<double>(grown(row));
  const auto base_counted = row.base_id ? static_cast<double>(grown(row_of(*row.base_id))) : 0.0;
  switch (row.formula) {
    case Documented::kTimer:
      return 100 * counted / 1e7;
    case Documented::kTimerInverse:
      return 100 * (1 - counted / 1e7);
    case Documented::kPerSecond:
      return counted;
    case Documented::kAsItIs:
      return static_cast<double>(row.now);
    case Documented::kOfBase:
      return counted / base_counted;
    case Documented::kPercentOfBase:
      return 100 * counted / base_counted;
  }
  return -1;
}

TEST(V2Arithmetic, IsThatOfTheDocumentedFormulas) {
  std::vector<simulator::CounterDefinition> counters;
  simulator::InstanceValues before{.name = u"0,0", .id = 1}, now = before;
  simulator::InstanceValues idle_before{.name = u"0,1", .id = 2}, idle_now = idle_before;
  for (const Row& row : kRows) {
    counters.push_back(
        {.id = row.id, .type = row.type, .bytes = row.bytes, .base_id = row.base_id});
    before.values.push_back(row.before);
    now.values.push_back(row.now);
    idle_before.values.push_back(row.before);
    idle_now.values.push_back(row.before);
  }
  Tracked tracked(counters);
  tracked.sample({before, idle_before});
  const auto sample = tracked.sample({idle_now, now});
  std::size_t column = 0;
  for (const Row& row : kRows) {
    const bool is_base = row.id == 22 || row.id == 25 || row.id == 27;
    if (is_base) continue;
    SCOPED_TRACE(row.id);
    ASSERT_LT(column, sample->columns());
    EXPECT_EQ(value_of(sample->schema->counters[column].index), row.id);
    const std::size_t cell = sample->cell(1, column);
    EXPECT_EQ(sample->reason[cell], NoValue::kNone);
    EXPECT_DOUBLE_EQ(sample->cooked[cell], reference(row));
    EXPECT_EQ(sample->raw[cell], row.now);
    EXPECT_EQ(sample->base_at(cell), row.base_id ? row_of(*row.base_id).now : 0);
    const NoValue idle = row.base_id ? NoValue::kZeroBase : NoValue::kNone;
    EXPECT_EQ(sample->reason[sample->cell(0, column)], idle) << "nothing happened";
    ++column;
  }
  EXPECT_EQ(column, sample->columns());
}

// Numerator and base of an average are added up before one is divided by the other.
TEST(V2Arithmetic, AnAverageOverInstancesIsThatOfAllTheirOperations) {
  Tracked tracked(
      {{.id = 1, .type = 0x40020500, .bytes = 8, .base_id = 2}, {.id = 2, .type = 0x40030402}},
      v2::InstanceType::kSingleAggregate);
  tracked.sample({{u"a", 1, {100, 0xFFFF'FFFF}}, {u"b", 2, {1'000, 10}}});
  const auto sample = tracked.sample({{u"a", 1, {160, 1}}, {u"b", 2, {1'030, 14}}});
  ASSERT_EQ(sample->rows(), 1U);
  EXPECT_DOUBLE_EQ(sample->cooked[0], (60.0 + 30.0) / (2.0 + 4.0));
}

}  // namespace
}  // namespace winperf
