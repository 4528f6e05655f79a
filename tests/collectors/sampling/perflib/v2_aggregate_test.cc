#include "collectors/sampling/perflib/v2_tracker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "tests/collectors/sampling/raw_sample.h"
#include "tests/simulator/v2_bytes.h"

namespace winperf {
namespace {

using testing::kGauge;
using testing::kRate;
using ::testing::Pair;
using v2::Aggregation;
using v2::InstanceType;

v2::CountersetRegistration registration(InstanceType type, Aggregation aggregation,
                                        CounterType counter = kGauge) {
  v2::CountersetRegistration registration;
  registration.instance_type = type;
  v2::CounterRegistration& only = registration.counters.emplace_back();
  only.id = 7;
  only.type = counter;
  only.aggregation = aggregation;
  return registration;
}

V2Cell cell(std::uint64_t value, std::uint8_t bytes = 4) {
  return {.value = value, .bytes = bytes, .reason = NoValue::kNone};
}

// A column with the id 7.
V2Table table(std::vector<V2Cell> cells) {
  V2Table table{.ids = {7}, .rows = std::vector<V2Table::Row>(cells.size()), .cells = {}};
  table.cells = std::move(cells);
  return table;
}

// The one cell that is left after adding up.
std::pair<std::uint64_t, NoValue> sum(const v2::CountersetRegistration& registration,
                                      V2Table rows) {
  V2Aggregate().apply(registration, rows);
  EXPECT_EQ(rows.rows.size(), 1U);
  EXPECT_EQ(rows.cells.size(), 1U);
  return {rows.cells.at(0).value, rows.cells.at(0).reason};
}

TEST(V2Aggregate, EachRuleHasItsSum) {
  struct Row {
    Aggregation rule;
    std::uint64_t expected;
  };
  for (const Row& row : {Row{Aggregation::kTotal, 15}, Row{Aggregation::kAverage, 5},
                         Row{Aggregation::kMinimum, 2}, Row{Aggregation::kMaximum, 9}}) {
    const auto set = registration(InstanceType::kSingleAggregate, row.rule);
    EXPECT_THAT(sum(set, table({cell(4), cell(2), cell(9)})), Pair(row.expected, NoValue::kNone))
        << static_cast<int>(row.rule);
  }
}

// The rules once more, in the plainest way; nothing where no sum exists.
std::optional<std::uint64_t> added_up(Aggregation rule, const std::vector<std::uint64_t>& values,
                                      std::uint8_t bytes, bool grows) {
  if (values.empty()) return std::nullopt;
  std::uint64_t total = 0;
  for (const std::uint64_t value : values) total += value;
  const std::uint64_t most = bytes == 4 ? 0xFFFF'FFFF : ~0ULL;
  switch (rule) {
    case Aggregation::kTotal:
      if (grows) return total & most;
      return total <= most ? std::optional(total) : std::nullopt;
    case Aggregation::kAverage:
      return total / values.size();
    case Aggregation::kMinimum:
      return *std::ranges::min_element(values);
    case Aggregation::kMaximum:
      return *std::ranges::max_element(values);
    default:
      return std::nullopt;
  }
}

// Raw counts of 8 bytes have a sign; hexadecimal ones and those of 4 bytes don't.
TEST(V2Aggregate, NumbersBelowZeroAreOrderedAsSuch) {
  constexpr CounterType kLargeHex{0x0000'0100};
  struct Row {
    Aggregation rule;
    CounterType type;
    std::uint8_t bytes;
    std::uint64_t expected;
  };
  const std::uint64_t minus_9 = ~8ULL;
  for (const Row& row :
       {Row{Aggregation::kMinimum, kGauge, 8, minus_9}, Row{Aggregation::kMaximum, kGauge, 8, 2},
        Row{Aggregation::kTotal, kGauge, 8, ~5ULL}, Row{Aggregation::kAverage, kGauge, 8, ~1ULL},
        Row{Aggregation::kMinimum, kLargeHex, 8, 1},
        Row{Aggregation::kMaximum, kLargeHex, 8, minus_9},
        Row{Aggregation::kMaximum, kGauge, 4, minus_9 & 0xFFFF'FFFF}}) {
    const std::uint64_t first = row.bytes == 4 ? minus_9 & 0xFFFF'FFFF : minus_9;
    EXPECT_THAT(sum(registration(InstanceType::kSingleAggregate, row.rule, row.type),
                    table({cell(first, row.bytes), cell(2, row.bytes), cell(1, row.bytes)})),
                Pair(row.expected, NoValue::kNone))
        << static_cast<int>(row.rule) << ", " << int{row.bytes} << " bytes";
  }
}

TEST(V2Aggregate, EveryRuleHoldsForEveryWidthAndNumberOfInstances) {
  const std::vector<std::vector<std::uint64_t>> lists{{},
                                                      {0},
                                                      {7},
                                                      {0xFFFF'FFFF},
                                                      {2, 4},
                                                      {4, 2},
                                                      {5, 6},
                                                      {9, 9},
                                                      {0, 3},
                                                      {0xFFFF'FFFF, 1},
                                                      {0xFFFF'FFFE, 1},
                                                      {3, 1, 2},
                                                      {1, 3, 2},
                                                      {8, 0, 0, 0},
                                                      {1, 2, 3, 4, 5, 6, 7, 8, 9, 11}};
  for (const Aggregation rule :
       {Aggregation::kUndefined, Aggregation::kTotal, Aggregation::kAverage, Aggregation::kMinimum,
        Aggregation::kMaximum, Aggregation{5}}) {
    for (const CounterType type : {kGauge, kRate}) {
      for (const std::uint8_t bytes : {std::uint8_t{4}, std::uint8_t{8}}) {
        for (const auto& values : lists) {
          std::vector<V2Cell> cells;
          for (const std::uint64_t value : values) cells.push_back(cell(value, bytes));
          const auto expected = added_up(rule, values, bytes, type == kRate);
          const NoValue none = values.empty() ? NoValue::kNotDelivered : NoValue::kNotAggregated;
          EXPECT_THAT(sum(registration(InstanceType::kSingleAggregate, rule, type), table(cells)),
                      Pair(expected.value_or(0), expected ? NoValue::kNone : none))
              << "rule " << static_cast<int>(rule) << ", " << int{bytes} << " bytes, "
              << values.size() << " instances";
        }
      }
    }
  }
}

TEST(V2Aggregate, AWiderInstanceMakesAWiderSum) {
  const auto total = registration(InstanceType::kSingleAggregate, Aggregation::kTotal, kRate);
  EXPECT_THAT(sum(total, table({cell(0xFFFF'FFFF, 4), cell(6, 8)})),
              Pair(0x1'0000'0005, NoValue::kNone));
  EXPECT_THAT(sum(total, table({cell(6, 8), cell(0xFFFF'FFFF, 4)})),
              Pair(0x1'0000'0005, NoValue::kNone));
}

TEST(V2Aggregate, DoublesCannotBeAddedUp) {
  const auto total =
      registration(InstanceType::kSingleAggregate, Aggregation::kTotal, CounterType{0x00012000});
  EXPECT_THAT(sum(total, table({cell(1, 8)})), Pair(0, NoValue::kNotAggregated));
}

TEST(V2Aggregate, EachColumnIsAddedUpByItsOwnRuleAndAClockIsTaken) {
  auto set = registration(InstanceType::kSingleAggregate, Aggregation::kTotal);
  for (const std::uint32_t id : {8U, 20U, 21U}) {
    v2::CounterRegistration& counter = set.counters.emplace_back();
    counter.id = id;
    counter.type = kGauge;
    counter.aggregation = Aggregation::kMaximum;
  }
  set.counters[1].perf_time_id = 20;
  set.counters[1].perf_freq_id = 21;
  V2Table rows{.ids = {8, 7, 20, 21, 99},
               .rows = std::vector<V2Table::Row>(2),
               .cells = {cell(1), cell(10), cell(50), cell(60), cell(1),  //
                         cell(2), cell(20), cell(51), cell(61), cell(1)}};
  V2Aggregate().apply(set, rows);
  ASSERT_EQ(rows.cells.size(), 5U);
  EXPECT_EQ(rows.cells[0].value, 2U);
  EXPECT_EQ(rows.cells[1].value, 30U);
  EXPECT_EQ(rows.cells[2].value, 50U) << "the first instance's, not the largest";
  EXPECT_EQ(rows.cells[3].value, 60U);
  EXPECT_EQ(rows.cells[4].reason, NoValue::kNotDelivered) << "no such counter is registered";
  V2Table none{.ids = {8, 20}, .rows = {}, .cells = {}};
  V2Aggregate().apply(set, none);
  ASSERT_EQ(none.cells.size(), 2U);
  EXPECT_EQ(none.cells[1].reason, NoValue::kNotDelivered);
}

TEST(V2Aggregate, WithoutARuleOrAnInstanceThereIsNoSum) {
  const auto undefined = registration(InstanceType::kSingleAggregate, Aggregation::kUndefined);
  EXPECT_THAT(sum(undefined, table({cell(1)})), Pair(0, NoValue::kNotAggregated));
  const auto unknown = registration(InstanceType::kSingleAggregate, Aggregation{77});
  EXPECT_THAT(sum(unknown, table({cell(1)})), Pair(0, NoValue::kNotAggregated));
  const auto total = registration(InstanceType::kSingleAggregate, Aggregation::kTotal);
  EXPECT_THAT(sum(total, table({})), Pair(0, NoValue::kNotDelivered));
}

TEST(V2Aggregate, AnInstanceWithoutAValueLeavesNone) {
  const auto total = registration(InstanceType::kSingleAggregate, Aggregation::kTotal);
  EXPECT_THAT(sum(total, table({cell(1), {.reason = NoValue::kBadSize}, cell(2)})),
              Pair(0, NoValue::kBadSize));
}

TEST(V2Aggregate, A32BitTotalWrapsAndAGaugeThatDoesNotFitHasNoValue) {
  const auto counter = registration(InstanceType::kSingleAggregate, Aggregation::kTotal, kRate);
  EXPECT_THAT(sum(counter, table({cell(0xFFFF'FFFF), cell(6)})), Pair(5, NoValue::kNone));
  const auto gauge = registration(InstanceType::kSingleAggregate, Aggregation::kTotal);
  EXPECT_THAT(sum(gauge, table({cell(0xFFFF'FFFF), cell(6)})), Pair(0, NoValue::kNotAggregated));
  EXPECT_THAT(sum(gauge, table({cell(0xFFFF'FFFF, 8), cell(6, 8)})),
              Pair(0x1'0000'0005, NoValue::kNone));
}

TEST(V2Aggregate, A32BitBaseWrapsIfItsCounterIsMeasuredByItsGrowth) {
  constexpr CounterType kAverage{0x40020500}, kAverageBase{0x40030402};
  constexpr CounterType kFraction{0x20020400}, kRawBase{0x40030403};
  for (const bool counted : {true, false}) {
    auto set = registration(InstanceType::kSingleAggregate, Aggregation::kTotal,
                            counted ? kAverageBase : kRawBase);
    v2::CounterRegistration& user = set.counters.emplace_back();
    user.id = 8;
    user.type = counted ? kAverage : kFraction;
    EXPECT_THAT(sum(set, table({cell(0xFFFF'FFFF), cell(6)})), Pair(0, NoValue::kNotAggregated))
        << "no counter uses it";
    set.counters[1].base_id = 7;
    EXPECT_THAT(sum(set, table({cell(0xFFFF'FFFF), cell(6)})),
                counted ? Pair(5, NoValue::kNone) : Pair(0, NoValue::kNotAggregated));
  }
}

TEST(V2Aggregate, ATotalIsAddedUnlessAnInstanceHasItsName) {
  const auto set = registration(InstanceType::kMultipleAggregate, Aggregation::kTotal);
  V2Table two = table({cell(4), cell(2)});
  V2Aggregate().apply(set, two);
  ASSERT_EQ(two.rows.size(), 3U);
  EXPECT_EQ(two.rows[2].added_name, "_Total");
  EXPECT_EQ(two.at(2, 0).value, 6U);

  const std::vector<simulator::InstanceValues> instances{{.name = u"_TOTAL", .id = 1}};
  const auto bytes = simulator::instance_list(instances);
  V2Table own = table({cell(9)});
  own.rows[0].header = v2::InstanceHeader::parse(ByteView(bytes, "test"), {}).value();
  V2Aggregate().apply(set, own);
  EXPECT_EQ(own.rows.size(), 1U);
  EXPECT_EQ(own.at(0, 0).value, 9U);

  V2Table none = table({});
  V2Aggregate().apply(set, none);
  EXPECT_TRUE(none.rows.empty());
}

TEST(V2Aggregate, OtherTypesStayAsTheyAre) {
  for (const InstanceType type : {InstanceType::kSingle, InstanceType::kMultiple}) {
    V2Table rows = table({cell(4), cell(2)});
    V2Aggregate().apply(registration(type, Aggregation::kTotal), rows);
    EXPECT_EQ(rows.rows.size(), 2U);
    EXPECT_EQ(rows.at(1, 0).value, 2U);
  }
}

// Gives a table of named instances, and keeps their bytes for as long as it lives.
class History {
 public:
  std::uint64_t add(std::vector<simulator::InstanceValues> instances) {
    const auto set = registration(InstanceType::kSingleAggregateHistory, Aggregation::kTotal);
    V2Table rows{.ids = {7}, .rows = {}, .cells = {}};
    for (const simulator::InstanceValues& instance : instances) {
      bytes_.push_back(simulator::instance_list({&instance, 1}));
      rows.rows.push_back(
          {.header = v2::InstanceHeader::parse(ByteView(bytes_.back(), "test"), {}).value()});
      rows.cells.push_back(cell(instance.values.at(0)));
    }
    aggregate_.apply(set, rows);
    return rows.at(0, 0).value;
  }

 private:
  V2Aggregate aggregate_;
  std::vector<simulator::Bytes> bytes_;
};

TEST(V2Aggregate, HistoryKeepsTheLastValueOfInstancesThatAreGone) {
  History history;
  EXPECT_EQ(history.add({{u"a", 1, {10}}, {u"b", 2, {5}}}), 15U);
  EXPECT_EQ(history.add({{u"b", 2, {6}}}), 16U) << "10 of the vanished one";
  EXPECT_EQ(history.add({{u"b", 2, {6}}, {u"a", 9, {1}}}), 17U) << "another id is another instance";
  EXPECT_EQ(history.add({}), 17U) << "all of them are gone";
}

TEST(V2Aggregate, HistoryKeepsEachColumnOfEachInstance) {
  auto set = registration(InstanceType::kSingleAggregateHistory, Aggregation::kTotal);
  set.counters.push_back(set.counters[0]);
  set.counters[1].id = 8;
  const std::vector<simulator::InstanceValues> a{{.name = u"a", .id = 1}},
      b{{.name = u"b", .id = 2}};
  const auto bytes_a = simulator::instance_list(a), bytes_b = simulator::instance_list(b);
  const auto header_a = v2::InstanceHeader::parse(ByteView(bytes_a, "test"), {}).value();
  const auto header_b = v2::InstanceHeader::parse(ByteView(bytes_b, "test"), {}).value();
  V2Aggregate aggregate;
  V2Table both{.ids = {7, 8},
               .rows = {{.header = header_a}, {.header = header_b}},
               .cells = {cell(10), cell(100), cell(5), cell(50)}};
  aggregate.apply(set, both);
  V2Table none{.ids = {7, 8}, .rows = {}, .cells = {}};
  aggregate.apply(set, none);
  EXPECT_EQ(none.cells.at(0).value, 15U);
  EXPECT_EQ(none.cells.at(1).value, 150U);
}

TEST(V2Aggregate, HistoryIsForgottenIfOtherCountersAreDelivered) {
  const auto set = registration(InstanceType::kSingleAggregateHistory, Aggregation::kTotal);
  const std::vector<simulator::InstanceValues> instances{{.name = u"a", .id = 1}};
  const auto bytes = simulator::instance_list(instances);
  const auto header = v2::InstanceHeader::parse(ByteView(bytes, "test"), {}).value();
  V2Aggregate aggregate;
  V2Table first{.ids = {7}, .rows = {{.header = header}}, .cells = {cell(10)}};
  aggregate.apply(set, first);
  V2Table vanished{.ids = {7}, .rows = {}, .cells = {}};
  aggregate.apply(set, vanished);
  EXPECT_EQ(vanished.cells.at(0).value, 10U);
  V2Table again{.ids = {7}, .rows = {{.header = header}}, .cells = {cell(3)}};
  aggregate.apply(set, again);
  EXPECT_EQ(again.cells.at(0).value, 13U);
  V2Table other{.ids = {7, 8}, .rows = {}, .cells = {}};
  aggregate.apply(set, other);
  EXPECT_EQ(other.cells.at(0).reason, NoValue::kNotDelivered) << "neither 10 nor 3";
}

TEST(V2Aggregate, InstancesAreVanishedByIdAndName) {
  History history;
  EXPECT_EQ(history.add({{u"a", 1, {10}}, {u"b", 1, {5}}, {u"a", 2, {1}}}), 16U);
  EXPECT_EQ(history.add({{u"a", 1, {11}}, {u"a", 2, {2}}}), 18U) << "5 of the one that is gone";
  EXPECT_EQ(history.add({{u"a", 1, {12}}}), 19U) << "and 2 of the next one";
  EXPECT_EQ(history.add({{u"a", 1, {12}}}), 19U) << "each once";
}

}  // namespace
}  // namespace winperf
