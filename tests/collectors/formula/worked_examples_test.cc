#include "tests/collectors/formula/worked_examples.h"

#include <gtest/gtest.h>

#include <set>

namespace winperf::testing {
namespace {

TEST(WorkedExamples, ComeOutAsWrittenByHand) {
  for (const WorkedExample& example : worked_examples()) expect_result(example);
}

TEST(WorkedExamples, HaveOneForEachTypeThatIsCooked) {
  std::set<CounterType> shown;
  for (const WorkedExample& example : worked_examples())
    if (example.result) shown.insert(example.type);
  for (const CounterTypeInfo& info : known_counter_types())
    EXPECT_EQ(shown.contains(info.type), info.formula != Formula::kNone) << info.name;
}

TEST(WorkedExamples, OfTwoSamplesHaveNoValueWithTheFirstAlone) {
  for (WorkedExample example : worked_examples()) {
    if (!example.before) continue;
    example.before.reset();
    example.result = std::unexpected(NoValue::kFirstSample);
    expect_result(example);
  }
}

// As perfmon draws them, and PDH computes them without PDH_FMT_NOCAP100.
TEST(WorkedExamples, AreCappedAt100PercentOnRequest) {
  int above = 0;
  for (const WorkedExample& example : worked_examples()) {
    if (!example.result) continue;
    const auto capped = cook(example, {.cap_percent = true});
    ASSERT_TRUE(capped) << example.name;
    const bool over = describe(example.type).percent && *example.result > 100;
    above += over ? 1 : 0;
    EXPECT_EQ(*capped, over ? 100.0 : *cook(example)) << example.name;
  }
  EXPECT_GE(above, 5);
}

TEST(ParseExample, RefusesWhatIsNotInTheNotation) {
  const CounterType rate{0x10410400};
  EXPECT_TRUE(parse_example("", rate, "N=1 T=2", "N=3 T=4 F=0x10", "1"));
  EXPECT_FALSE(parse_example("", rate, "", "N=3 T=4", "1"));
  EXPECT_FALSE(parse_example("", rate, "-", "-", "1"));
  EXPECT_FALSE(parse_example("", rate, "-", "N=3 X=4", "1"));
  EXPECT_FALSE(parse_example("", rate, "-", "N=3x", "1"));
  EXPECT_FALSE(parse_example("", rate, "-", "N=3:5", "1"));
  EXPECT_FALSE(parse_example("", rate, "-", "N=3  T=4", "1"));
  EXPECT_FALSE(parse_example("", rate, "-", "N=3", "no such reason"));
}

}  // namespace
}  // namespace winperf::testing
