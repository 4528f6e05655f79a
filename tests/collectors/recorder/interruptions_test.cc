// Where recorded samples don't continue, as charts mark it.
#include "collectors/recorder/interruptions.h"

#include <gmock/gmock.h>

#include "tests/collectors/recorder/recorded.h"

namespace winperf {
namespace {

using recorder::Interruption;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class InterruptionsTest : public ::testing::Test {
 protected:
  // `ahead`: how far the wall clock is.
  void sample(std::initializer_list<const char*> countersets, std::int64_t second,
              std::int64_t ahead = 0) {
    std::vector<CountersetState> states;
    for (const char* const name : countersets) {
      auto raw = testing::sample_of_column({.index = 2, .type = testing::kGauge, .size = 4}, {"a"},
                                           {1}, second);
      states.push_back(testing::state_of(
          std::move(raw),
          {.steady = testing::instant_at(second).steady, .wall = testing::wall_at(second + ahead)},
          name));
      states.back().stale_after = std::chrono::seconds(12);
    }
    testing::record(recorder_, std::move(states));
  }

  std::vector<Interruption> found(std::int64_t since = 0, std::size_t most = 100) const {
    return recorder::interruptions(*recorder_.history(), testing::wall_at(since), most).value();
  }

  recorder::Recorder recorder_{testing::kLargeBudget};
};

TEST_F(InterruptionsTest, RegularSamplesHaveNone) {
  for (std::int64_t second = 100; second < 400; second += 5) sample({"Memory"}, second);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(InterruptionsTest, MissingSamplesOfAllCountersetsAreOne) {
  sample({"Memory", "Rare"}, 100);
  sample({"Memory"}, 105);
  sample({"Memory"}, 205);
  sample({"Rare"}, 207);
  const auto all = found();
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_EQ(all[0].reason, NoValue::kGap);
  EXPECT_THAT(all[0].countersets, ElementsAre("Rare", "Memory"));
  EXPECT_EQ(all[0].before, testing::instant_at(105)) << "one of them was sampled then";
  EXPECT_EQ(all[0].after, testing::instant_at(205));
}

TEST_F(InterruptionsTest, TheOldestAreLeftOut) {
  for (const std::int64_t second : {100, 200, 300, 400}) sample({"Memory"}, second);
  EXPECT_THAT(found(), SizeIs(3));
  ASSERT_THAT(found(300), SizeIs(1)) << "what ended by then isn't of that time";
  EXPECT_EQ(found(300)[0].before, testing::instant_at(300));
  ASSERT_THAT(found(0, 2), SizeIs(2));
  EXPECT_EQ(found(0, 2)[0].before, testing::instant_at(200));
}

TEST_F(InterruptionsTest, AClockThatIsSetHasItsReason) {
  sample({"Memory", "System"}, 100);
  sample({"Memory", "System"}, 105, -60);
  sample({"Memory", "System"}, 110, 0);
  const auto all = found();
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0].reason, NoValue::kClockBackwards);
  EXPECT_THAT(all[0].countersets, SizeIs(2));
  EXPECT_EQ(all[1].reason, NoValue::kGap);
}

TEST_F(InterruptionsTest, TheyStayWhereSamplesAreThinnedOut) {
  for (std::int64_t second = 100; second < 200; second += 5) sample({"Memory"}, second);
  for (std::int64_t second = 400; second < 20'000; second += 5) sample({"Memory"}, second);
  const auto all = found();
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_EQ(all[0].reason, NoValue::kGap);
  EXPECT_LE(all[0].before.wall, testing::wall_at(195));
  EXPECT_GE(all[0].after.wall, testing::wall_at(400));
}

}  // namespace
}  // namespace winperf
