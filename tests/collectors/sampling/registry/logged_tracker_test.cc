#include "collectors/sampling/registry/object_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collectors/sampling/raw_sample.h"
#include "tests/support/sample_arrays.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using namespace winperf::testing;

const std::vector<Column> kColumns{
    {.index = 1, .type = kRate, .name = "Turns/sec"},
    {.index = 2, .name = "id process"},  // a log may spell it in its own way
    {.index = 3, .name = "ID Thread"},
    {.index = 4, .type = kElapsed, .size = 8, .name = "Elapsed Time"},
    {.index = 5, .type = kFraction, .base_size = 4, .name = "% Full"}};

// Each row is one instance's value of each column.
std::shared_ptr<CountersetSample> logged(const std::vector<std::string>& names,
                                         const std::vector<std::vector<std::uint64_t>>& rows,
                                         std::int64_t second,
                                         const std::vector<Column>& columns = kColumns) {
  auto schema = std::make_shared<CountersetSchema>(*schema_of(columns, true));
  schema->path = CounterPath::kLog;
  auto sample = make_raw_sample(schema, instances_named(names), at_second(second));
  sample->own_clocks.assign(sample->reason.size(), at_second(second));
  std::vector<std::uint64_t> table;
  for (const auto& row : rows) table.insert(table.end(), row.begin(), row.end());
  sample->raw = by_rows(*sample, table);
  std::ranges::fill(sample->more, 200);
  return sample;
}

Selection only_counter(std::string name) {
  return {.counters = [name = std::move(name)](const CounterSchema& c) { return c.name == name; }};
}

TEST(LoggedTracker, TakesTheSelectedColumnsAndRows) {
  LoggedTracker tracker;
  const Selection selection{.instances = [](std::string_view name) { return name != "b"; },
                            .counters = [](const CounterSchema& c) { return c.name[0] != 'I'; }};
  const auto log =
      logged({"a", "b", "c"}, {{10, 1, 2, 3, 4}, {20, 5, 6, 7, 8}, {30, 9, 10, 11, 12}}, 1);
  log->reason[log->cell(0, 4)] = NoValue::kNoBase;
  const auto sample = tracker.update(log, selection);
  ASSERT_EQ(sample->rows(), 2U);
  ASSERT_EQ(sample->columns(), 4U);
  EXPECT_EQ(sample->schema->path, CounterPath::kLog);
  EXPECT_THAT(in_rows(*sample, sample->raw), ElementsAre(10, 1, 3, 4, 30, 9, 11, 12));
  EXPECT_EQ(sample->base_at(7), 200U);
  EXPECT_EQ(sample->reason[sample->cell(0, 3)], NoValue::kNoBase);
  EXPECT_EQ(sample->cooked[7], 6);
}

TEST(LoggedTracker, EachCellIsMeasuredByItsOwnClock) {
  LoggedTracker tracker;
  const auto first = logged({"a"}, {{10, 1, 1, 1, 1}}, 1);
  (void)tracker.update(first, {});
  const auto second = logged({"a"}, {{50, 1, 1, 1, 1}}, 9);
  second->own_clocks[0] = at_second(3);
  EXPECT_EQ(tracker.update(second, {})->cooked[0], 20);
}

TEST(LoggedTracker, IdsTellInstancesApartWithoutBeingSelected) {
  struct Row {
    const char* changed;
    std::vector<std::uint64_t> values;  // of the second sample
  };
  for (const Row& row : {Row{"nothing", {15, 4, 5, 6, 0}}, Row{"process id", {15, 40, 5, 6, 0}},
                         Row{"thread id", {15, 4, 50, 6, 0}}, Row{"start", {15, 4, 5, 60, 0}}}) {
    LoggedTracker tracker;
    (void)tracker.update(logged({"a"}, {{10, 4, 5, 6, 0}}, 1), only_counter("Turns/sec"));
    const auto sample = tracker.update(logged({"a"}, {row.values}, 2), only_counter("Turns/sec"));
    ASSERT_EQ(sample->columns(), 1U);
    const bool same = std::string_view(row.changed) == "nothing";
    EXPECT_EQ(sample->reason[0], same ? NoValue::kNone : NoValue::kFirstSample) << row.changed;
  }
}

TEST(LoggedTracker, AnIdWithoutAValueIsUnknown) {
  LoggedTracker tracker;
  const auto log = logged({"a", "b"}, {{10, 4, 5, 6, 0}, {10, 7, 8, 9, 0}}, 1);
  log->reason[log->cell(0, 1)] = NoValue::kNotDelivered;
  const auto sample = tracker.update(log, {});
  EXPECT_EQ(sample->instances->instances[0].process_id, std::nullopt);
  EXPECT_EQ(sample->instances->instances[0].thread_id, 5U);
  EXPECT_EQ(sample->instances->instances[1].process_id, 7U);
  EXPECT_EQ(sample->instances->instances[1].started, 9U);
}

TEST(LoggedTracker, ALogWithOtherCountersFromSomeTimeOnIsFollowed) {
  LoggedTracker tracker;
  (void)tracker.update(logged({"a"}, {{10, 4, 5, 6, 0}}, 1), {});
  const auto sample = tracker.update(
      logged({"a"}, {{7, 13}}, 2,
             {{.index = 9, .name = "New"}, {.index = 1, .type = kRate, .name = "Turns/sec"}}),
      {});
  EXPECT_EQ(sample->schema->counters.at(0).name, "New");
  EXPECT_EQ(sample->instances->instances[0].process_id, std::nullopt);
  EXPECT_THAT(sample->raw, ElementsAre(7, 13));
}

TEST(LoggedTracker, SchemaAndInstancesAreSharedWhileTheLogsAreTheSame) {
  LoggedTracker tracker;
  const auto log = logged({"a"}, {{10, 4, 5, 6, 0}}, 1);
  const auto first = tracker.update(log, {});
  const auto second = tracker.update(log, {});
  EXPECT_EQ(first->schema, second->schema);
  EXPECT_EQ(first->instances, second->instances);
}

TEST(LoggedTracker, AnObjectWithoutInstancesHasOneRow) {
  LoggedTracker tracker;
  const auto log = [](std::uint64_t value, std::int64_t second) {
    auto sample = single({{.index = 1, .type = kRate, .name = "A"}}, {value}, second);
    sample->own_clocks = {at_second(second)};
    return sample;
  };
  (void)tracker.update(log(10, 1), {});
  const auto sample = tracker.update(log(13, 2), {});
  ASSERT_EQ(sample->rows(), 1U);
  EXPECT_EQ(sample->raw[0], 13U);
  EXPECT_EQ(sample->cooked[0], 3);
}

}  // namespace
}  // namespace winperf
