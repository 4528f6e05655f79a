#include "collectors/model/sample.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

CountersetState state_at(SteadyTime taken, bool has_sample = true) {
  CountersetState state;
  if (has_sample) state.sample = std::make_shared<const CountersetSample>();
  state.sampled_at.steady = taken;
  state.stale_after = seconds(10);
  return state;
}

TEST(Freshness, ByDefaultLastsTwoAndAHalfIntervalsAndAtLeastTenSeconds) {
  EXPECT_EQ(default_stale_after(seconds(1)), seconds(10));
  EXPECT_EQ(default_stale_after(seconds(4)), seconds(10));
  EXPECT_EQ(default_stale_after(seconds(5)), milliseconds(12'500));
  EXPECT_EQ(default_stale_after(std::chrono::hours(1)), std::chrono::minutes(150));
}

TEST(Freshness, EndsOnceTheSampleIsOlderThanTheLimit) {
  const SteadyTime taken{std::chrono::hours(5)};
  const CountersetState state = state_at(taken);
  EXPECT_TRUE(is_fresh(state, taken));
  EXPECT_FALSE(is_stale(state, taken));
  EXPECT_TRUE(is_fresh(state, taken + seconds(10)));
  EXPECT_FALSE(is_fresh(state, taken + milliseconds(10'001)));
  EXPECT_TRUE(is_stale(state, taken + milliseconds(10'001)));
}

TEST(Freshness, OfNoSampleIsNeither) {
  const SteadyTime taken{std::chrono::hours(5)};
  const CountersetState state = state_at(taken, false);
  EXPECT_FALSE(is_fresh(state, taken));
  EXPECT_FALSE(is_stale(state, taken + std::chrono::hours(1)));
}

TEST(Age, IsNeverNegative) {
  const SteadyTime taken{std::chrono::hours(5)};
  EXPECT_EQ(age(state_at(taken), taken + milliseconds(1500)).count(), 1.5);
  EXPECT_EQ(age(state_at(taken), taken - milliseconds(1)).count(), 0);
}

}  // namespace
}  // namespace winperf
