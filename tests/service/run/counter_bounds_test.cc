// When a bound of a counter counts as crossed.
#include "service/run/counter_bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "tests/collectors/recorder/recorded.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kSqlPath[] = "\\Process(sql*)\\Working Set";
using SetValues = std::vector<std::optional<double>>;

// Of the working sets of sqlservr, agent and sqlbrowser.
std::shared_ptr<const Sample> sets_of(const SetValues& values) {
  auto schema = std::make_shared<CountersetSchema>(
      *testing::schema_of({{.index = 2, .name = "Working Set"}}, true));
  schema->name = "Process";
  auto raw = testing::make_raw_sample(
      schema, testing::instances_named({"sqlservr", "agent", "sqlbrowser"}), testing::at_second(1));
  for (std::size_t i = 0; i < values.size(); ++i) {
    raw->cooked[i] = values[i].value_or(0);
    raw->reason[i] = values[i] ? NoValue::kNone : NoValue::kFirstSample;
  }
  Sample sample;
  sample.countersets = {testing::state_of(raw, testing::instant_at(1), "Process")};
  return std::make_shared<const Sample>(std::move(sample));
}

class CounterBoundsTest : public ::testing::Test {
 protected:
  // "BOUND: VALUE" of each crossing.
  std::vector<std::string> look(const SetValues& values) {
    std::vector<std::string> texts;
    for (const Crossing& crossing : bounds_.crossed_by(sets_of(values), now_))
      texts.push_back(crossing.bound + ": " + crossing.value);
    return texts;
  }

  SteadyTime now_{};
  CounterBounds bounds_;
};

TEST_F(CounterBoundsTest, IsCrossedOnceUntilAllValuesAreWithin) {
  bounds_.change({{.path = kSqlPath, .above = 100}}, now_);
  EXPECT_THAT(look({100, 500, 1}), IsEmpty()) << "agent isn't meant, and the bound is within";
  EXPECT_THAT(look({1, 1, 100.0625}),
              ElementsAre("\\Process(sql*)\\Working Set above 100: 100.063 of sqlbrowser"));
  EXPECT_THAT(look({101, 1, 1}), IsEmpty()) << "another instance, but the bound is still crossed";
  EXPECT_THAT(look({100, 1, 100}), IsEmpty());
  EXPECT_THAT(look({101, 1, 102}),
              ElementsAre("\\Process(sql*)\\Working Set above 100: 101 of sqlservr"));
}

TEST_F(CounterBoundsTest, NoValueIsNeitherBeyondNorWithin) {
  bounds_.change({{.path = kSqlPath, .below = 0.5}}, now_);
  EXPECT_THAT(look({std::nullopt, std::nullopt, std::nullopt}), IsEmpty());
  EXPECT_THAT(look({std::nullopt, 0, 0.25}),
              ElementsAre("\\Process(sql*)\\Working Set below 0.5: 0.25 of sqlbrowser"));
  EXPECT_THAT(look({std::nullopt, 1, std::nullopt}), IsEmpty());
  EXPECT_THAT(look({std::nullopt, 1, 0.25}), IsEmpty()) << "nothing said that it was within";
  EXPECT_THAT(look({std::nullopt, 1, 0.5}), IsEmpty());
  EXPECT_THAT(look({std::nan(""), 1, 0}),
              ElementsAre("\\Process(sql*)\\Working Set below 0.5: 0 of sqlbrowser"));
}

TEST_F(CounterBoundsTest, ThatStayInTheConfigurationKeepTheirState) {
  const CounterBound high{.path = kSqlPath, .above = 100};
  const CounterBound higher{.path = kSqlPath, .above = 200};
  bounds_.change({high}, now_);
  EXPECT_EQ(look({150, 1, 1}).size(), 1U);
  bounds_.change({higher, high}, now_);
  EXPECT_THAT(look({250, 1, 1}),
              ElementsAre("\\Process(sql*)\\Working Set above 200: 250 of sqlservr"));
  bounds_.change({}, now_);
  EXPECT_THAT(look({250, 1, 1}), IsEmpty());
  bounds_.change({high}, now_);
  EXPECT_EQ(look({250, 1, 1}).size(), 1U) << "a new one";
}

TEST_F(CounterBoundsTest, OfWhatIsNotSampledAreReportedOnce) {
  bounds_.change({{.path = "\\Process(*)\\Working Sett", .above = 1},
                  {.path = "\\Proces(*)\\Working Set", .above = 1},
                  {.path = "\\Process(svchost)\\Working Set", .above = 1}},
                 now_);
  EXPECT_THAT(look({5, 5, 5}), IsEmpty());
  EXPECT_THAT(bounds_.take_problems(), IsEmpty()) << "they may be found yet";
  now_ += CounterBounds::kPatience;
  EXPECT_THAT(look({5, 5, 5}), IsEmpty());
  EXPECT_THAT(look({5, 5, 5}), IsEmpty());
  EXPECT_THAT(bounds_.take_problems(),
              ElementsAre("recorder.captures.counters: \\Process(*)\\Working Sett: counter "
                          "'Working Sett' does not exist in this counterset; did you mean "
                          "'Working Set'?",
                          "recorder.captures.counters: \\Proces(*)\\Working Set: counterset "
                          "'Proces' is not sampled; did you mean 'Process'?"))
      << "an instance may come";
  EXPECT_THAT(look({5, 5, 5}), IsEmpty());
  EXPECT_THAT(bounds_.take_problems(), IsEmpty());
}

TEST_F(CounterBoundsTest, AreNotCrossedByWhatFails) {
  bounds_.change({{.path = kSqlPath, .above = 100}}, now_);
  Sample failed(*sets_of({250, 1, 1}));
  failed.countersets.front().success = false;
  EXPECT_THAT(bounds_.crossed_by(std::make_shared<const Sample>(failed), now_), IsEmpty());
  EXPECT_EQ(look({250, 1, 1}).size(), 1U);
}

TEST_F(CounterBoundsTest, ThatArePutBack_ComeAgainWhileTheValueIsBeyond) {
  bounds_.change({{.path = kSqlPath, .above = 100}}, now_);
  const auto crossings = [&](double value) {
    return bounds_.crossed_by(sets_of({value, 1, 1}), now_);
  };
  const auto first = crossings(250);
  ASSERT_EQ(first.size(), 1U);
  EXPECT_FALSE(first[0].is_again);
  bounds_.put_back(first[0]);
  const auto again = crossings(260);
  ASSERT_EQ(again.size(), 1U);
  EXPECT_TRUE(again[0].is_again);
  bounds_.put_back(again[0]);
  EXPECT_THAT(crossings(1), IsEmpty());
  const auto anew = crossings(270);
  ASSERT_EQ(anew.size(), 1U);
  EXPECT_FALSE(anew[0].is_again);
}

TEST_F(CounterBoundsTest, WithAPatternForTheInstance_LeaveOutTotalsAndTheIdleProcess) {
  const auto crossed = [&](const char* instance) {
    CounterBounds bounds;
    bounds.change({{.path = "\\Process(" + std::string(instance) + ")\\Working Set", .above = 100}},
                  now_);
    Sample sample(*sets_of({50, 250, 250}));
    auto values = std::make_shared<CountersetSample>(*sample.countersets.front().sample);
    auto instances = std::make_shared<InstanceSet>();
    for (const char* const name : {"a", "_Total", "Idle"})
      instances->instances.emplace_back().name = name;
    instances->instances.back().process_id = 0;
    values->instances = std::move(instances);
    sample.countersets.front().sample = std::move(values);
    return bounds.crossed_by(std::make_shared<const Sample>(sample), now_).size();
  };
  EXPECT_EQ(crossed("*"), 0U);
  EXPECT_EQ(crossed("_Total"), 1U);
  EXPECT_EQ(crossed("Idle"), 1U);
}

TEST_F(CounterBoundsTest, NeedASample) {
  bounds_.change({{.path = kSqlPath, .above = 1}}, now_);
  EXPECT_THAT(bounds_.crossed_by(nullptr, now_), IsEmpty());
}

}  // namespace
}  // namespace winperf
