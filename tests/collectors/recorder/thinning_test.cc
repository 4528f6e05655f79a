#include "collectors/recorder/thinning.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "collectors/recorder/lives.h"
#include "tests/collectors/recorder/recorded.h"

namespace winperf::recorder {
namespace {

constexpr std::int64_t kEach = 5;
constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kHour = 3600;
const testing::Column kSigned{
    .index = 2, .type = CounterType{0x00010100}, .size = 8, .name = "Level"};
constexpr std::int64_t kStart = 100 * kHour;

Lives lives_of(const Recorder& recorder, std::shared_ptr<const History>& history) {
  history = recorder.history();
  auto lives = Lives::open(*history->track(testing::kCounterset), "Level", {0},
                           testing::wall_at(10'000'000));
  EXPECT_TRUE(lives.has_value());
  return *std::move(lives);
}

std::int64_t second_of(const Lives& lives, std::size_t moment) {
  return lives.at(moment).wall.ticks / kTicks100nsPerSecond;
}

// Up and down, below 0 and far from it.
std::int64_t level_at(std::int64_t second) {
  return (second * 7919 % 1'009 - 500) * (second % 3 == 0 ? 1'000'000'007 : 1);
}

TEST(Thinning, KeepsTheLastSampleOfEachPeriod) {
  Recorder recorder(testing::kLargeBudget);
  const std::int64_t end = kStart + 5 * kHour;
  for (std::int64_t now = kStart; now <= end; now += kEach)
    testing::record(
        recorder, testing::sample_of_column(kSigned, {"a"}, {static_cast<std::uint64_t>(now)}, now),
        now);
  std::shared_ptr<const History> history;
  const Lives lives = lives_of(recorder, history);
  std::set<std::int64_t> kept;
  for (std::size_t i = 0; i < lives.moments(); ++i) kept.insert(second_of(lives, i));
  for (std::int64_t then = kStart; then <= end; then += kEach) {
    const std::int64_t age = end - then;
    const bool ends_minute = then % kMinute == kMinute - kEach;
    const bool ends_five = then % (5 * kMinute) == 5 * kMinute - kEach;
    // A chunk is thinned out as a whole when its last sample is old enough.
    if (age <= 15 * kMinute) {
      EXPECT_TRUE(kept.contains(then)) << age;
    } else if (age > 18 * kMinute && age <= 2 * kHour) {
      EXPECT_EQ(kept.contains(then), ends_minute) << age;
    } else if (age > 3 * kHour) {
      EXPECT_EQ(kept.contains(then), ends_five) << age;
    }
  }
  ASSERT_EQ(lives.lives().size(), 1u);
}

TEST(Thinning, AGaugeKeepsWhatWasLeftOut) {
  Recorder recorder(testing::kLargeBudget);
  const std::int64_t end = kStart + 5 * kHour;
  const auto is_missing = [](std::int64_t second) { return second % 7 == 0; };
  for (std::int64_t now = kStart; now <= end; now += kEach) {
    auto sample =
        testing::sample_of_column(kSigned, {"a"}, {static_cast<std::uint64_t>(level_at(now))}, now);
    if (is_missing(now)) {
      sample->raw[0] = 0;
      sample->reason[0] = NoValue::kOutOfBlock;
    }
    testing::record(recorder, std::move(sample), now);
  }
  std::shared_ptr<const History> history;
  const Lives lives = lives_of(recorder, history);
  ASSERT_EQ(lives.lives().size(), 1u);
  std::int64_t then = kStart;
  std::size_t several = 0;
  for (const Point& point : lives.lives()[0].points) {
    GaugeRange expected;
    for (; then <= second_of(lives, point.moment); then += kEach) {
      if (is_missing(then)) continue;
      const auto level = static_cast<double>(level_at(then));
      expected.lowest = expected.count == 0 ? level : std::min(expected.lowest, level);
      expected.highest = expected.count == 0 ? level : std::max(expected.highest, level);
      expected.sum += level;
      ++expected.count;
    }
    const auto range = lives.range(point);
    ASSERT_EQ(range.has_value(), expected.count != 0);
    if (!range) continue;
    several += expected.count > 20;
    ASSERT_EQ(range->count, expected.count);
    ASSERT_EQ(range->lowest, expected.lowest);
    ASSERT_EQ(range->highest, expected.highest);
    ASSERT_NEAR(range->sum, expected.sum, 1e-3);
  }
  EXPECT_GT(several, 20u);
}

// Half a minute after its end it is there again, under the same name.
TEST(Thinning, AnInstanceThatWasGoneIsAnotherOne) {
  Recorder recorder(testing::kLargeBudget);
  const auto is_gone = [](std::int64_t second) { return second % 120 >= 20 && second % 120 < 30; };
  for (std::int64_t now = kStart; now <= kStart + kHour; now += kEach) {
    std::vector<std::string> names{"a"};
    if (!is_gone(now)) names.emplace_back("b");
    const std::vector<std::uint64_t> values(names.size(), 1);
    testing::record(recorder, testing::sample_of_column(kSigned, names, values, now), now);
  }
  std::shared_ptr<const History> history;
  const Lives lives = lives_of(recorder, history);
  std::size_t of_b = 0;
  for (const Life& life : lives.lives()) {
    if (life.instance.name != "b") continue;
    ++of_b;
    EXPECT_LE(
        second_of(lives, life.points.back().moment) - second_of(lives, life.points.front().moment),
        110);
  }
  // The very first one lived for less than a minute, and is forgotten.
  EXPECT_EQ(of_b, 30u);
  EXPECT_EQ(lives.lives().size(), of_b + 1);
}

TEST(Thinning, ALaterResetIsNotHiddenByGrowth) {
  const testing::Column rate{.index = 2, .type = testing::kLargeRate, .size = 8, .name = "Level"};
  Recorder recorder(testing::kLargeBudget);
  testing::Chained chain;
  std::uint64_t value = 0;
  const std::int64_t reset = kStart + 20 * kMinute + 20;
  for (std::int64_t now = kStart; now <= kStart + kHour; now += kEach) {
    value = now == reset ? 5 : value + 1'000'000;
    testing::record(recorder, chain.append(testing::sample_of_column(rate, {"a"}, {value}, now)),
                    now);
    if (now < reset) value /= 2;
  }
  std::shared_ptr<const History> history;
  const Lives lives = lives_of(recorder, history);
  const Life& life = lives.lives().at(0);
  std::size_t resets = 0;
  for (std::size_t i = 1; i < life.points.size(); ++i) {
    const bool is_over = second_of(lives, life.points[i - 1].moment) < reset &&
                         second_of(lives, life.points[i].moment) >= reset;
    const auto value_between = lives.cooked(life, i - 1, i);
    if (second_of(lives, life.points[i].moment) > reset && !is_over) {
      EXPECT_TRUE(value_between.has_value());
    }
    if (!is_over) continue;
    ++resets;
    EXPECT_EQ(second_of(lives, life.points[i].moment) - second_of(lives, life.points[i - 1].moment),
              kMinute);
    ASSERT_FALSE(value_between.has_value());
    EXPECT_EQ(name_of(value_between.error()), "counter_reset");
  }
  EXPECT_EQ(resets, 1u);
}

TEST(Thinning, ACounterThatWrapsSeveralTimesInAWindowIsRight) {
  const testing::Column rate{.index = 2, .type = testing::kRate, .size = 4, .name = "Level"};
  constexpr std::uint64_t kPerSecond = 100'000'000;
  Recorder recorder(testing::kLargeBudget);
  testing::Chained chain;
  for (std::int64_t now = kStart; now <= kStart + 5 * kHour; now += kEach) {
    const std::uint64_t value = (kPerSecond * static_cast<std::uint64_t>(now)) & 0xFFFF'FFFFU;
    testing::record(recorder, chain.append(testing::sample_of_column(rate, {"a"}, {value}, now)),
                    now);
  }
  std::shared_ptr<const History> history;
  const Lives lives = lives_of(recorder, history);
  const Life& life = lives.lives().at(0);
  ASSERT_EQ(second_of(lives, 2) - second_of(lives, 1), 5 * kMinute);
  for (std::size_t i = 1; i < life.points.size(); ++i)
    EXPECT_DOUBLE_EQ(lives.cooked(life, i - 1, i).value_or(-1), kPerSecond);
  EXPECT_DOUBLE_EQ(lives.cooked(life, 0, life.points.size() - 1).value_or(-1), kPerSecond);
}

}  // namespace
}  // namespace winperf::recorder
