#include "collectors/sampling/perflib/v2_tracker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simulator/v2_bytes.h"
#include "tests/support/block_builder.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const simulator::CountersetDefinition kSet{
    .counters = {{.id = 5}, {.id = 9, .bytes = 8}, {.id = 7}}};

class V2TableTest : public ::testing::Test {
 protected:
  V2Table read(simulator::Bytes bytes, std::uint32_t requested = v2::kAllCounters) {
    bytes_ = std::move(bytes);
    return read_v2_table(v2::ResultView::parse(ByteView(bytes_, "test"), {}).value(), requested);
  }
  static simulator::Bytes result(std::vector<std::size_t> columns,
                                 std::vector<simulator::InstanceValues> rows,
                                 bool many_counters = true, bool has_instances = true) {
    return simulator::table_result({.counterset = kSet,
                                    .columns = std::move(columns),
                                    .rows = std::move(rows),
                                    .many_counters = many_counters,
                                    .has_instances = has_instances});
  }

  simulator::Bytes bytes_;
};

TEST_F(V2TableTest, HasARowPerInstanceAndAColumnPerCounter) {
  const V2Table table = read(result({0, 1}, {{u"a", 1, {10, 0x1'0000'0000}}, {u"b", 2, {30, 40}}}));
  EXPECT_THAT(table.ids, ElementsAre(5, 9));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[1].header->name(), "b");
  EXPECT_EQ(table.rows[1].header->id, 2U);
  EXPECT_EQ(table.at(0, 0).value, 10U);
  EXPECT_EQ(table.at(0, 0).bytes, 4);
  EXPECT_EQ(table.at(0, 1).value, 0x1'0000'0000U);
  EXPECT_EQ(table.at(0, 1).bytes, 8);
  EXPECT_EQ(table.at(1, 0).value, 30U);
  EXPECT_EQ(table.at(1, 1).reason, NoValue::kNone);
  EXPECT_EQ(table.column_of(5), 0U);
  EXPECT_EQ(table.column_of(9), 1U);
  EXPECT_EQ(table.column_of(7), std::nullopt);
  EXPECT_THAT(table.problems, IsEmpty());
  EXPECT_FALSE(table.cut_short.has_value());
}

TEST_F(V2TableTest, EveryKindOfResultIsATable) {
  for (const bool many_counters : {false, true}) {
    for (const bool has_instances : {false, true}) {
      const V2Table table = read(result({2}, {{u"a", 1, {0, 0, 30}}}, many_counters, has_instances),
                                 many_counters ? v2::kAllCounters : 7);
      EXPECT_THAT(table.ids, ElementsAre(7));
      ASSERT_EQ(table.rows.size(), 1U);
      EXPECT_EQ(table.rows[0].header.has_value(), has_instances);
      EXPECT_EQ(table.at(0, 0).value, 30U);
    }
  }
  EXPECT_THAT(read(result({0}, {})).rows, IsEmpty());
  EXPECT_THAT(read(simulator::error_result(5)).rows, IsEmpty());
}

TEST_F(V2TableTest, AnIdIsFoundWhereverItWasDelivered) {
  const V2Table table = read(result({2, 1, 0}, {{u"a", 1, {10, 20, 30}}}));
  for (const auto& [id, value] : {std::pair(5U, 10U), std::pair(9U, 20U), std::pair(7U, 30U)})
    EXPECT_EQ(table.at(0, table.column_of(id).value()).value, value);
}

TEST_F(V2TableTest, OfAnIdThatIsDeliveredTwiceTheFirstColumnCounts) {
  const V2Table table =
      read(result({0, 2, 0, 0}, {{u"a", 1, {10, 0, 30}}, {u"b", 2, {40, 0, 60}}}));
  EXPECT_THAT(table.ids, ElementsAre(5, 7));
  ASSERT_EQ(table.cells.size(), 4U);
  EXPECT_EQ(table.at(1, 1).value, 60U) << "rows don't shift";
  ASSERT_EQ(table.problems.size(), 2U);
  EXPECT_EQ(table.problems[0].code, ErrorCode::kDuplicateCounter);
  EXPECT_EQ(table.problems[0].actual, 5U);
}

TEST_F(V2TableTest, ABadRowEndsTheTableAndTheRowsBeforeItHold) {
  auto bytes = result({0}, {{u"a", 1, {10}}, {u"b", 2, {20}}, {u"c", 3, {30}}});
  const auto whole = bytes;
  // Header, ids and the first row: the second instance's header is next.
  constexpr std::size_t kSecondInstance = 16 + 16 + 8 + (16 + 16);
  const V2Table table = read(testing::with_field(bytes, kSecondInstance, 4));
  EXPECT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.cells.size(), 1U);
  ASSERT_TRUE(table.cut_short.has_value());
  EXPECT_EQ(table.cut_short->code, ErrorCode::kBadLength);
  EXPECT_EQ(read(whole).rows.size(), 3U);
}

TEST_F(V2TableTest, ANameWithoutItsEndIsReportedAndItsRowHolds) {
  auto bytes = result({0}, {{u"abc", 1, {10}}});
  constexpr std::size_t kEndOfName = 16 + 16 + 8 + 8 + 6;
  const V2Table table = read(testing::with_field(bytes, kEndOfName - 2, 0x00640063));
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].header->name(), "abcd");
  ASSERT_EQ(table.problems.size(), 1U);
  EXPECT_EQ(table.problems[0].code, ErrorCode::kBadText);
}

TEST_F(V2TableTest, AValueOfAnotherWidthHasAReason) {
  const auto bytes = result({0}, {{u"a", 1, {10}}});
  constexpr std::size_t kDataSize = 16 + 16 + 8 + 16;
  EXPECT_EQ(read(testing::with_field(bytes, kDataSize, 6)).at(0, 0).reason, NoValue::kBadSize);
  EXPECT_EQ(read(testing::with_field(bytes, kDataSize, 0)).at(0, 0).reason, NoValue::kNotDelivered);
  EXPECT_EQ(read(testing::with_field(bytes, kDataSize, 8)).at(0, 0).bytes, 8);
}

}  // namespace
}  // namespace winperf
