#include "collectors/wire/v2/data_view.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/simulator/v2_bytes.h"
#include "tests/support/byte_writer.h"

namespace winperf::v2 {
namespace {

using simulator::CountersetDefinition;
using testing::ByteWriter;

CountersetDefinition three_counters() {
  return {.name = u"Set",
          .counters = {{.id = 5, .bytes = 4}, {.id = 7, .bytes = 8}, {.id = 9, .bytes = 4}}};
}

std::vector<std::byte> reply_with(const simulator::ResultTable& table) {
  const std::vector<simulator::Bytes> results{simulator::table_result(table)};
  return simulator::data_reply({}, results);
}

struct Numbers {
  std::vector<std::string> names;
  std::vector<std::uint32_t> ids;
  std::vector<std::vector<std::uint64_t>> rows;
};

Numbers numbers_in(const std::vector<std::byte>& bytes) {
  Numbers numbers;
  const auto data = DataView::parse(bytes);
  EXPECT_TRUE(data.has_value());
  ResultWalk results = data->results();
  const auto result = results.next();
  EXPECT_TRUE(result && *result);
  numbers.ids = (*result)->counter_ids().value_or(std::vector<std::uint32_t>{});
  RowWalk walk = (*result)->rows();
  RowWalk::Row row;
  while (true) {
    const auto more = walk.next(row);
    EXPECT_TRUE(more.has_value());
    if (!more || !*more) break;
    if (row.instance) numbers.names.push_back(row.instance->name());
    auto& values = numbers.rows.emplace_back();
    for (const CounterValue& value : row.values) values.push_back(*value.number());
  }
  EXPECT_FALSE(results.next().has_value());
  return numbers;
}

// The sizes that the documentation's structures add up to.
TEST(V2DataView, ReadsTheWorkedSizes) {
  const CountersetDefinition set = three_counters();
  const auto whole = reply_with(
      {set, {0, 1, 2}, {{u"0", 0, {1, 2, 3}}, {u"1", 1, {4, 5'000'000'000, 6}}}, true, true});
  EXPECT_EQ(whole.size(), 224u);
  const Numbers numbers = numbers_in(whole);
  EXPECT_EQ(numbers.ids, (std::vector<std::uint32_t>{5, 7, 9}));
  EXPECT_EQ(numbers.names, (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(numbers.rows,
            (std::vector<std::vector<std::uint64_t>>{{1, 2, 3}, {4, 5'000'000'000, 6}}));

  const std::vector<simulator::Bytes> two{
      simulator::table_result({set, {0}, {{u"", 0, {1, 2, 3}}}, false, false}),
      simulator::table_result({set, {2}, {{u"", 0, {1, 2, 3}}}, false, false})};
  EXPECT_EQ(simulator::data_reply({}, two).size(), 112u);
}

TEST(V2DataView, ReadsEveryKindOfResult) {
  const CountersetDefinition set = three_counters();
  const Numbers single = numbers_in(reply_with({set, {1}, {{u"", 0, {1, 2, 3}}}, false, false}));
  EXPECT_TRUE(single.ids.empty());
  EXPECT_EQ(single.rows, (std::vector<std::vector<std::uint64_t>>{{2}}));
  const Numbers counters =
      numbers_in(reply_with({set, {0, 1, 2}, {{u"", 0, {1, 2, 3}}}, true, false}));
  EXPECT_EQ(counters.ids.size(), 3u);
  EXPECT_EQ(counters.rows, (std::vector<std::vector<std::uint64_t>>{{1, 2, 3}}));
  const Numbers instances =
      numbers_in(reply_with({set, {2}, {{u"a", 0, {1, 2, 3}}, {u"", 4, {4, 5, 6}}}, false, true}));
  EXPECT_EQ(instances.names, (std::vector<std::string>{"a", ""}));
  EXPECT_EQ(instances.rows, (std::vector<std::vector<std::uint64_t>>{{3}, {6}}));
}

TEST(V2DataView, MayHaveNoCounterOrInstanceOneOrMany) {
  const CountersetDefinition set = three_counters();
  for (std::size_t columns = 0; columns <= 3; ++columns) {
    for (std::size_t instances = 0; instances <= 3; ++instances) {
      simulator::ResultTable table{.counterset = set, .columns = {}, .rows = {}};
      for (std::size_t column = 0; column < columns; ++column) table.columns.push_back(column);
      for (std::uint32_t row = 0; row < instances; ++row)
        table.rows.push_back({u"i", row, {10 * row, 10 * row + 1, 10 * row + 2}});
      const Numbers numbers = numbers_in(reply_with(table));
      EXPECT_EQ(numbers.ids.size(), columns);
      ASSERT_EQ(numbers.rows.size(), instances);
      for (std::size_t row = 0; row < instances; ++row) {
        ASSERT_EQ(numbers.rows[row].size(), columns);
        for (std::size_t column = 0; column < columns; ++column)
          EXPECT_EQ(numbers.rows[row][column], 10 * row + column);
      }
    }
  }
}

TEST(V2DataView, TellsTheClocks) {
  const simulator::Now now{.perf_time = 7, .perf_frequency = 9, .time_100ns = 11};
  const auto bytes = simulator::data_reply(now, {});
  const Clocks clocks = DataView::parse(bytes)->clocks();
  EXPECT_EQ(clocks.perf_time.ticks, 7);
  EXPECT_EQ(clocks.perf_frequency.ticks_per_second, 9);
  EXPECT_EQ(clocks.time_100ns.ticks, 11);
}

TEST(V2DataView, TellsTheErrorOfAResultAndGoesOn) {
  const CountersetDefinition set = three_counters();
  const std::vector<simulator::Bytes> results{
      simulator::error_result(4201),
      simulator::table_result({set, {1}, {{u"", 0, {1, 2, 3}}}, false, false})};
  const auto bytes = simulator::data_reply({}, results);
  ResultWalk walk = DataView::parse(bytes)->results();
  const auto first = walk.next();
  EXPECT_EQ((*first)->kind(), ResultKind::kError);
  EXPECT_EQ((*first)->status(), 4201u);
  RowWalk::Row row;
  EXPECT_FALSE(*(*first)->rows().next(row));
  EXPECT_EQ((*walk.next())->kind(), ResultKind::kSingleCounter);
  EXPECT_FALSE(walk.next().has_value());
}

TEST(V2DataView, AResultOfAnUnknownKindCostsItselfAlone) {
  const CountersetDefinition set = three_counters();
  simulator::Bytes strange = simulator::error_result(0);
  strange[4] = std::byte{3};
  const std::vector<simulator::Bytes> results{
      strange, simulator::table_result({set, {1}, {{u"", 0, {1, 2, 3}}}, false, false})};
  const auto bytes = simulator::data_reply({}, results);
  ResultWalk walk = DataView::parse(bytes)->results();
  EXPECT_EQ((*walk.next()).error().code, ErrorCode::kUnknownBlock);
  EXPECT_TRUE((*walk.next()).has_value());
}

// One row without instances, whose one value has `bytes` of data.
std::expected<std::uint64_t, NoValue> value_of(std::uint32_t bytes) {
  ByteWriter out;
  out.put(bytes).put(8 + (bytes + 7) / 8 * 8).grow((bytes + 7) / 8 * 8);
  const auto data = std::move(out).take();
  RowWalk walk(ByteView(data, "test"), false, 1, 1, {});
  RowWalk::Row row;
  EXPECT_TRUE(*walk.next(row));
  return row.values.front().number();
}

TEST(V2DataView, AValueOfAnOddSizeIsNoNumber) {
  EXPECT_EQ(value_of(4), 0u);
  EXPECT_EQ(value_of(8), 0u);
  EXPECT_EQ(value_of(0), std::unexpected(NoValue::kNotDelivered));
  for (const std::uint32_t bytes : {1u, 2u, 3u, 5u, 7u, 9u, 16u, 64u})
    EXPECT_EQ(value_of(bytes), std::unexpected(NoValue::kBadSize)) << bytes;
}

// Three ids take 20 bytes. What follows them begins where their block ends, after 20 or 24.
TEST(V2DataView, TheNextBlockBeginsWhereTheIdsEnd) {
  const CountersetDefinition set = three_counters();
  const std::vector<simulator::InstanceValues> rows{{u"0", 0, {1, 2, 3}}};
  for (const auto padding : {simulator::Padding::kCounted, simulator::Padding::kNone}) {
    const auto bytes = reply_with({set, {0, 1, 2}, rows, true, true, padding});
    EXPECT_EQ(numbers_in(bytes).rows, (std::vector<std::vector<std::uint64_t>>{{1, 2, 3}}));
  }
  EXPECT_EQ(reply_with({set, {0, 1, 2}, rows, true, true, simulator::Padding::kNone}).size() + 4,
            reply_with({set, {0, 1, 2}, rows, true, true, simulator::Padding::kCounted}).size());
}

// After the last result nothing has a meaning, so no padding is looked for there.
TEST(V2DataView, WhatFollowsTheLastResultIsNotExamined) {
  const CountersetDefinition set = three_counters();
  const std::vector<simulator::Bytes> results{
      simulator::table_result({.counterset = set,
                               .columns = {0},
                               .rows = {{.values = {1, 2, 3}}},
                               .has_instances = false,
                               .padding = simulator::Padding::kBetweenResults}),
      simulator::error_result(5)};
  auto bytes = simulator::data_reply({}, results, simulator::Padding::kBetweenResults);
  for (const bool both : {true, false}) {
    bytes[4] = both ? std::byte{2} : std::byte{1};
    ResultWalk walk = DataView::parse(bytes)->results();
    EXPECT_TRUE(walk.next().has_value());
    EXPECT_EQ(walk.padding_left_out(), both);
    EXPECT_EQ(walk.next().has_value(), both);
  }
}

// Neither place holds what can follow: the exact one is reported.
TEST(V2DataView, WhereNeitherPlaceIsSoundTheExactOneIsMeant) {
  const CountersetDefinition set = three_counters();
  auto bytes =
      reply_with({set, {0, 1, 2}, {{u"0", 0, {1, 2, 3}}}, true, true, simulator::Padding::kNone});
  const std::size_t ids_end = 48 + 16 + 20;
  bytes[ids_end] = std::byte{7};  // dwTotalSize of PERF_MULTI_INSTANCES
  ResultWalk results = DataView::parse(bytes)->results();
  const auto result = results.next();
  ASSERT_TRUE(result && !*result);
  EXPECT_EQ(result->error().code, ErrorCode::kBadLength);
  EXPECT_EQ(result->error().offset, ids_end);
}

TEST(V2DataView, RowsBeforeABadOneHold) {
  const CountersetDefinition set = three_counters();
  auto bytes = reply_with({set, {0}, {{u"a", 0, {1, 0, 0}}, {u"b", 1, {2, 0, 0}}}, false, true});
  const std::size_t second_row = 48 + 16 + 8 + 16 + 16;
  bytes[second_row] = std::byte{3};  // Size of the instance's header
  ResultWalk results = DataView::parse(bytes)->results();
  const auto result = results.next();
  RowWalk walk = (*result)->rows();
  RowWalk::Row row;
  EXPECT_TRUE(*walk.next(row));
  EXPECT_EQ(row.values.front().number(), 1u);
  const auto bad = walk.next(row);
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().code, ErrorCode::kBadLength);
  EXPECT_EQ(bad.error().offset, second_row);
  EXPECT_FALSE(*walk.next(row)) << "the walk is over";
}

TEST(V2DataView, ANameWithoutAnEndIsReportedAndItsRowKept) {
  const CountersetDefinition set = three_counters();
  auto bytes = reply_with({set, {0}, {{u"abcdefg", 0, {1, 0, 0}}}, false, true});
  const std::size_t header = 48 + 16 + 8;
  for (std::size_t i = header + 8; i < header + 24; ++i)
    if (bytes[i] == std::byte{0} && bytes[i + 1] == std::byte{0} && i % 2 == 0)
      bytes[i] = std::byte{'x'};
  ResultWalk results = DataView::parse(bytes)->results();
  const auto result = results.next();
  RowWalk walk = (*result)->rows();
  RowWalk::Row row;
  ASSERT_TRUE(*walk.next(row));
  EXPECT_EQ(row.instance->name(), "abcdefgx");
  ASSERT_TRUE(row.instance->name_problem().has_value());
  EXPECT_EQ(row.instance->name_problem()->code, ErrorCode::kBadText);
}

TEST(V2DataView, MoreInstancesThanBytesIsAnErrorBehindThoseThatAreThere) {
  const CountersetDefinition set = three_counters();
  auto bytes = reply_with({set, {0}, {{u"a", 0, {1, 0, 0}}}, false, true});
  bytes[48 + 16 + 4] = std::byte{9};
  ResultWalk results = DataView::parse(bytes)->results();
  const auto result = results.next();
  RowWalk walk = (*result)->rows();
  RowWalk::Row row;
  EXPECT_TRUE(*walk.next(row));
  EXPECT_EQ(walk.next(row).error().code, ErrorCode::kBadCount);
}

}  // namespace
}  // namespace winperf::v2
