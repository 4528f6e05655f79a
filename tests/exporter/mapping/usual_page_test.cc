#include "exporter/mapping/usual_page.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "exporter/mapping/name_table.h"
#include "exporter/mapping/object_mapping.h"
#include "tests/exporter/support/sample_builder.h"
#include "tests/support/sample_arrays.h"

namespace winperf {
namespace {

using testing::counter;
using testing::object;

struct Row {
  std::string name;
  std::uint64_t process_id;
  std::uint64_t time;    // running total
  std::uint64_t memory;  // bytes
};

const CountersetSchema kProcessSchema =
    object("Process",
           {counter("% Processor Time", testing::k100nsTimer, 6),
            counter("Working Set - Private", testing::kLargeRawCount, 8)},
           true);

std::shared_ptr<const CountersetSample> processes(const std::vector<Row>& rows) {
  std::vector<InstanceSchema> instances;
  for (const Row& row : rows) {
    instances.push_back(testing::instance(row.name, std::uint32_t(instances.size())));
    instances.back().process_id = row.process_id;
  }
  CountersetSample sample = testing::values(kProcessSchema, std::move(instances));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    testing::totals(sample)[sample.cell(i, 0)] = rows[i].time;
    sample.raw[sample.cell(i, 0)] = 7;  // 32 bits of it would have wrapped
    sample.raw[sample.cell(i, 1)] = rows[i].memory;
  }
  return std::make_shared<const CountersetSample>(std::move(sample));
}

class LeadersTest : public ::testing::Test {
 protected:
  // The names of those that lead, in the sample's order.
  std::string lead(const std::vector<Row>& rows, std::chrono::seconds at, std::size_t most = 2) {
    const auto leads =
        leaders_.choose(processes(rows), *leaders_row("Process"), most, SteadyTime(at));
    std::string names;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (leads[i]) names += (names.empty() ? "" : " ") + rows[i].name;
    return names;
  }

  Leaders leaders_;
};

TEST_F(LeadersTest, LeadByTimeAndByMemoryInTurn) {
  const std::vector<Row> rows{
      {"a", 1, 900, 5}, {"b", 2, 800, 7}, {"c", 3, 10, 99}, {"d", 4, 20, 98}};
  EXPECT_EQ(lead(rows, std::chrono::seconds(0), 2), "a c");
  leaders_ = {};
  EXPECT_EQ(lead(rows, std::chrono::seconds(0), 3), "a b c");
  leaders_ = {};
  EXPECT_EQ(lead(rows, std::chrono::seconds(0), 4), "a b c d");
}

TEST_F(LeadersTest, TotalAndTheIdleProcessNeverLead) {
  EXPECT_EQ(lead({{"_Total", 0, 9999, 9999}, {"Idle", 0, 9000, 1}, {"a", 8, 1, 1}, {"b", 9, 2, 2}},
                 std::chrono::seconds(0), 1),
            "b");
}

TEST_F(LeadersTest, WithinTheLimitAllAreShown) {
  EXPECT_EQ(lead({{"Idle", 0, 9, 1}, {"a", 8, 0, 0}}, std::chrono::seconds(0), 2), "Idle a");
}

TEST_F(LeadersTest, ByWhatTheyUsedSinceTheLastChoice) {
  EXPECT_EQ(lead({{"a", 1, 9000, 9}, {"b", 2, 10, 8}, {"c", 3, 20, 7}}, std::chrono::seconds(0), 1),
            "a");
  // "b" worked for the whole minute, and "a" only before it.
  EXPECT_EQ(
      lead({{"a", 1, 9001, 9}, {"b", 2, 510, 8}, {"c", 3, 20, 7}}, std::chrono::seconds(60), 1),
      "b");
}

TEST_F(LeadersTest, AChoiceHoldsForAMinute) {
  const std::vector<Row> before{{"a", 1, 100, 9}, {"b", 2, 10, 8}, {"c", 3, 10, 7}};
  const std::vector<Row> after{{"a", 1, 100, 9}, {"b", 2, 5000, 8}, {"c", 3, 10, 7}};
  EXPECT_EQ(lead(before, std::chrono::seconds(0), 1), "a");
  EXPECT_EQ(lead(after, std::chrono::seconds(59), 1), "a");
  EXPECT_EQ(lead(after, std::chrono::seconds(60), 1), "b");
}

TEST_F(LeadersTest, GivesWayOnlyToOneWithClearlyMore) {
  EXPECT_EQ(lead({{"a", 1, 100, 1}, {"b", 2, 90, 1}, {"c", 3, 0, 0}}, std::chrono::seconds(0), 1),
            "a");
  EXPECT_EQ(lead({{"a", 1, 200, 1}, {"b", 2, 239, 1}, {"c", 3, 0, 0}}, std::chrono::seconds(60), 1),
            "a");  // 149 against 100
  EXPECT_EQ(
      lead({{"a", 1, 300, 1}, {"b", 2, 390, 1}, {"c", 3, 0, 0}}, std::chrono::seconds(120), 1),
      "b");  // 151 against 100
}

TEST_F(LeadersTest, AnEndedOneIsReplacedAtOnceAndTheOthersStay) {
  EXPECT_EQ(lead({{"a", 1, 100, 1}, {"b", 2, 90, 80}, {"c", 3, 50, 70}}, std::chrono::seconds(0)),
            "a b");
  EXPECT_EQ(lead({{"d", 4, 9999, 1}, {"b", 2, 90, 80}, {"c", 3, 50, 70}}, std::chrono::seconds(5)),
            "d b");
}

TEST_F(LeadersTest, ALaterProcessWithTheSameNameIsAnother) {
  EXPECT_EQ(lead({{"a", 1, 100, 1}, {"b", 2, 90, 1}, {"c", 3, 0, 0}}, std::chrono::seconds(0), 1),
            "a");
  EXPECT_EQ(lead({{"a", 7, 1, 1}, {"b", 2, 190, 1}, {"c", 3, 0, 0}}, std::chrono::seconds(5), 1),
            "b");
}

TEST_F(LeadersTest, ASampleIsJudgedOnce) {
  const auto sample = processes({{"a", 1, 100, 1}, {"b", 2, 90, 1}, {"c", 3, 80, 1}});
  const LeadersRow& row = *leaders_row("Process");
  const std::vector<bool> first = leaders_.choose(sample, row, 1, SteadyTime{});
  EXPECT_EQ(leaders_.choose(sample, row, 1, SteadyTime(std::chrono::hours(1))), first);
}

TEST_F(LeadersTest, ValuesThatAreMissingDontLead) {
  auto sample = std::make_shared<CountersetSample>(
      *processes({{"a", 1, 900, 900}, {"b", 2, 90, 1}, {"c", 3, 80, 1}}));
  sample->reason[sample->cell(0, 0)] = NoValue::kOutOfBlock;
  sample->reason[sample->cell(0, 1)] = NoValue::kOutOfBlock;
  EXPECT_EQ(leaders_.choose(sample, *leaders_row("Process"), 1, SteadyTime{}),
            (std::vector<bool>{false, true, false}));
}

std::vector<std::string> names(const CountersetSchema& schema, const MappingOptions& options) {
  std::vector<std::string> list;
  for (const FamilyMapping& family : map_object(schema, options).families)
    list.push_back(family.stem + family.suffix);
  return list;
}

TEST(UsualPageTest, HasTotalsAndOfCookedNumbersThoseOfTheTable) {
  const CountersetSchema schema =
      object("Processor Information",
             {counter("% Processor Utility", testing::kAverageBulk, 6),
              counter("Interrupts/sec", testing::kCounterCounter, 8),
              counter("Idle Break Events/sec", testing::kCounterCounter, 10),
              counter("% Priority Time", testing::k100nsTimerInverse, 12)},
             true);
  const std::vector<std::string> usual{
      "winperf_cpu_processor_utility_total", "winperf_cpu_processor_utility_base_total",
      "winperf_cpu_processor_utility_percent", "winperf_cpu_interrupts_total",
      "winperf_cpu_priority_time_percent"};
  EXPECT_EQ(names(schema, {.detail = PageDetail::kUsual}), usual);
  EXPECT_EQ(names(schema, {.detail = PageDetail::kFull}).size(), 8U);
  // Someone who asks for perfmon's numbers gets them.
  EXPECT_EQ(names(schema, {.values = MetricValues::kCooked, .detail = PageDetail::kUsual}),
            (std::vector<std::string>{"winperf_cpu_processor_utility_percent",
                                      "winperf_cpu_interrupts_per_second",
                                      "winperf_cpu_priority_time_percent"}));
}

std::string numbers_text(UsualNumbers numbers) {
  if (numbers == UsualNumbers::kNone) return "neither";
  return numbers == UsualNumbers::kBoth ? "both" : "the running total";
}

std::string cell(std::string_view names) {
  std::string text;
  for (const std::string_view name : alternatives(names))
    text += (text.empty() ? "`" : ", `") + std::string(name) + '`';
  return text;
}

TEST(UsualPageTest, DocumentsShowTheTables) {
  std::ifstream file(WINPERF_SOURCE_DIR "/docs/metrics.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  std::string table;
  for (const UsualRow& row : usual_rows())
    table += "| " + cell(row.object) + " | " + cell(row.counters) + " | " +
             numbers_text(row.numbers) + " |\n";
  EXPECT_NE(page.find(table), std::string::npos) << table;
  for (const LeadersRow& row : leaders_rows())
    for (const std::string_view names : row.by)
      EXPECT_NE(page.find(cell(names)), std::string::npos) << names;
}

}  // namespace
}  // namespace winperf
