#include "exporter/api/sample_query.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/exporter/support/sample_builder.h"
#include "tests/support/sample_arrays.h"

namespace winperf::api {
namespace {

using namespace winperf::testing;  // NOLINT: builders of this room's tests
using ::testing::ElementsAre;

std::shared_ptr<Sample> sample_with_processes() {
  auto sample = typical_sample(1);
  CountersetSample process = values(
      object("Process",
             {counter("ID Process", kRawCount, 784), counter("Working Set", kLargeRawCount, 180)},
             true, 230),
      {instance("svchost", 0), instance("svchost", 1, 1), instance("sqlservr", 2)});
  process.raw = by_rows<std::uint64_t>(process, {1, 10, 2, 20, 3, 30});
  process.cooked = by_rows<double>(process, {1, 10, 2, 20, 3, 30});
  sample->countersets.push_back(state("Process", process));
  return sample;
}

class SampleQueryTest : public ::testing::Test {
 protected:
  // "Process: svchost#1 (Working Set=20)" for each counterset of the part.
  std::vector<std::string> selected(const Query& query) {
    const auto part = select_sample(index_, query);
    if (!part) return {"problem: " + part.error().detail};
    next_ = part->next;
    std::vector<std::string> texts;
    for (const CountersetState& one : part->sample->countersets) texts.push_back(text_of(one));
    return texts;
  }
  Problem problem(const Query& query) {
    auto part = select_sample(index_, query);
    return part ? Problem{} : part.error();
  }

  static std::string text_of(const CountersetState& state) {
    std::string text = state.name + ':';
    const CountersetSample& sample = *state.sample;
    for (std::size_t row = 0; row < sample.rows(); ++row) {
      text += ' ' + (sample.schema->multi_instance ? display_name(sample.instances->instances[row])
                                                   : std::string());
      text += '(';
      for (std::size_t column = 0; column < sample.columns(); ++column)
        text += (column == 0 ? "" : ", ") + sample.schema->counters[column].name + '=' +
                raw_text(sample.schema->counters[column], sample.raw[sample.cell(row, column)]);
      text += ')';
    }
    return text;
  }

  std::optional<std::string> next_;
  CountersetIndex index_{sample_with_processes()};
};

TEST_F(SampleQueryTest, NamesAndPatternsSelect) {
  EXPECT_THAT(selected({{"counterset", "proc*"}, {"counter", "working*"}, {"instance", "svc*"}}),
              ElementsAre("Process: svchost(Working Set=10) svchost#1(Working Set=20)"));
  EXPECT_THAT(selected({{"counterset", "Process"}, {"instance", "svchost#1"}}),
              ElementsAre("Process: svchost#1(ID Process=2, Working Set=20)"));
  EXPECT_THAT(
      selected({{"counterset", "Process"}, {"instance", "svchost"}, {"counter", "ID Process"}}),
      ElementsAre("Process: svchost(ID Process=1) svchost#1(ID Process=2)"));
  EXPECT_THAT(selected({{"counterset", "Process"}, {"instance", "ended"}}), ElementsAre());
}

TEST_F(SampleQueryTest, APathSelectsAsPerfmonDoes) {
  EXPECT_THAT(selected({{"path", R"(\Process(svchost)\Working Set)"}}),
              ElementsAre("Process: svchost(Working Set=10)"));
  EXPECT_THAT(
      selected({{"path", R"(\Process(s*)\ID Process)"}, {"path", R"(\Memory\Page Faults/sec)"}}),
      ElementsAre("Memory: (Page Faults/sec=12)",
                  "Process: svchost(ID Process=1) svchost#1(ID Process=2) "
                  "sqlservr(ID Process=3)"));
  EXPECT_EQ(problem({{"path", "Memory"}}).parameter, "path");
  EXPECT_EQ(problem({{"path", R"(\\SRV\Memory\x)"}}).parameter, "path");
  EXPECT_EQ(problem({{"path", R"(\Memory\x)"}, {"counter", "x"}}).detail,
            "path cannot be combined with counterset, counter or instance");
}

TEST_F(SampleQueryTest, WhatDoesNotExistHasTheNearestName) {
  EXPECT_EQ(problem({{"counterset", "Memry"}, {"limit", "1"}}).nearest, "Memory");
  EXPECT_EQ(problem({{"path", R"(\Prcoess\x)"}}).nearest, "Process");
  const Problem counter = problem({{"counter", "Workng Set"}});
  EXPECT_EQ(counter.parameter, "counter");
  EXPECT_EQ(counter.nearest, "Working Set");
  EXPECT_EQ(problem({{"counterset", "x*"}}).parameter, "counterset");
}

TEST_F(SampleQueryTest, APageBeginsAfterTheLastOne) {
  EXPECT_EQ(selected({{"limit", "2"}}).size(), 2U);
  EXPECT_EQ(next_, "Memory");
  EXPECT_THAT(selected({{"limit", "2"}, {"after", "Memory"}, {"counter", "ID Process"}}),
              ElementsAre("Process: svchost(ID Process=1) svchost#1(ID Process=2) "
                          "sqlservr(ID Process=3)"));
  EXPECT_EQ(next_, "");
  EXPECT_EQ(selected({{"limit", "3"}}).size(), 3U);
  EXPECT_EQ(next_, "");
  EXPECT_EQ(selected({{"counterset", "*"}}).size(), 3U);
  EXPECT_EQ(next_, std::nullopt);
  for (const char* const limit : {"0", "1001", "-1", "x", "1x", ""})
    EXPECT_EQ(problem({{"limit", limit}}).parameter, "limit") << limit;
  EXPECT_EQ(problem({{"after", "x"}}).parameter, "after");
}

TEST_F(SampleQueryTest, APatternMayNotTakeTooManySteps) {
  auto sample = sample_with_processes();
  sample->countersets[1].name = std::string(300, 'a') + "ba";
  std::string pattern = "*";
  for (int i = 0; i < 12; ++i) pattern += "a*";
  const auto part = select_sample(CountersetIndex(sample), {{"counterset", pattern + 'b'}});
  ASSERT_FALSE(part);
  EXPECT_EQ(part.error().detail, "a pattern takes too many steps; write one with fewer *");
}

TEST(PartOfASample, HasTheBasesTotalsAndClocks) {
  CounterSchema narrow = counter("count", kCounterCounter);
  narrow.size = 4;  // its total has more bits
  CountersetSample whole = values(object("A", {narrow, counter("part", kRawFraction)}, true),
                                  {instance("a", 0), instance("b", 1)});
  whole.raw = by_rows<std::uint64_t>(whole, {1, 2, 3, 4});
  set_rows(whole, totals(whole), {11, 2, 13, 4});
  whole.more_column(whole.layout->columns[1].base)[1] = 40;
  whole.own_clocks.resize(4);
  whole.own_clocks[whole.cell(1, 1)].perf_time.ticks = 9;
  const auto part = part_of(whole, {1}, {1});
  EXPECT_EQ(part->raw, std::vector<std::uint64_t>{4});
  EXPECT_EQ(part->base_at(0), 40U);
  EXPECT_EQ(part->clocks_at(0).perf_time.ticks, 9);
  const auto other = part_of(whole, {1, 0}, {0});
  EXPECT_EQ(other->total_at(0), 13U);
  EXPECT_EQ(other->total_at(1), 11U);
}

}  // namespace
}  // namespace winperf::api
