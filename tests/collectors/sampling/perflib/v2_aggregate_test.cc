#include "collectors/sampling/perflib/v2_aggregate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simulator/v2_bytes.h"

namespace winperf {
namespace {

using ::testing::Pair;
using v2::Aggregation;
using v2::InstanceType;

constexpr CounterType kGauge{0x00010000}, kCounter{0x10410400};

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
  const auto counter = registration(InstanceType::kSingleAggregate, Aggregation::kTotal, kCounter);
  EXPECT_THAT(sum(counter, table({cell(0xFFFF'FFFF), cell(6)})), Pair(5, NoValue::kNone));
  const auto gauge = registration(InstanceType::kSingleAggregate, Aggregation::kTotal);
  EXPECT_THAT(sum(gauge, table({cell(0xFFFF'FFFF), cell(6)})), Pair(0, NoValue::kNotAggregated));
  EXPECT_THAT(sum(gauge, table({cell(0xFFFF'FFFF, 8), cell(6, 8)})),
              Pair(0x1'0000'0005, NoValue::kNone));
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

}  // namespace
}  // namespace winperf
