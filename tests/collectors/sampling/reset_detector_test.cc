#include "collectors/sampling/totals.h"

#include <gtest/gtest.h>

#include "tests/collectors/sampling/raw_sample.h"

namespace winperf {
namespace {

constexpr CounterType kQueue{0x00450400};           // PERF_COUNTER_QUEUELEN_TYPE
constexpr CounterType kHits{0x20C20400};            // PERF_SAMPLE_FRACTION
constexpr std::uint64_t kNearlyFull = 0xFFFF'FF00;  // from which 16 is a short way

struct Told {
  CounterType type;
  std::uint64_t before;
  std::uint64_t now;
  std::uint32_t bytes = 4;
};

bool was_reset(const std::vector<Told>& counters) {
  ResetDetector detector;
  for (const Told& told : counters)
    detector.add(describe(told.type), told.before, told.now, told.bytes);
  return detector.was_reset();
}

TEST(ResetDetector, IsAWideCounterThatFell) {
  EXPECT_TRUE(was_reset({{testing::kLargeRate, 900, 899, 8}}));
  EXPECT_FALSE(was_reset({{testing::kLargeRate, 900, 900, 8}}));
  EXPECT_TRUE(was_reset({{testing::kRate, kNearlyFull, 16}, {testing::kLargeRate, 900, 3, 8}}));
}

TEST(ResetDetector, IsASecondNarrowCounterThatCannotHaveWrapped) {
  EXPECT_FALSE(was_reset({{testing::kRate, kNearlyFull, 16}})) << "a wrap";
  EXPECT_FALSE(was_reset({{testing::kRate, 500, 16}})) << "it decides alone";
  EXPECT_FALSE(was_reset({{testing::kRate, kNearlyFull, 16}, {testing::kRate, kNearlyFull, 20}}))
      << "two wraps";
  EXPECT_FALSE(was_reset({{testing::kRate, 500, 16}, {testing::kRate, 20, 30}})) << "only one fell";
  EXPECT_TRUE(was_reset({{testing::kRate, kNearlyFull, 16}, {testing::kRate, 500, 20}}));
  EXPECT_TRUE(was_reset({{testing::kRate, 0x8000'0000, 0}, {testing::kRate, kNearlyFull, 16}}))
      << "half its range";
  EXPECT_FALSE(was_reset({{testing::kRate, 0x8000'0001, 0}, {testing::kRate, kNearlyFull, 16}}))
      << "just less";
}

TEST(ResetDetector, IsNoGaugeFractionOrQueue) {
  for (const CounterType type :
       {testing::kGauge, testing::kFraction, kQueue, kHits, testing::kElapsed}) {
    EXPECT_TRUE(can_fall(describe(type)));
    EXPECT_FALSE(was_reset({{type, 900, 1, 8}, {testing::kRate, kNearlyFull, 16}}));
    EXPECT_FALSE(was_reset({{type, 500, 1}, {testing::kRate, kNearlyFull, 16}}));
  }
  for (const CounterType type :
       {testing::kRate, testing::kLargeRate, testing::kAverage, CounterType{0x20410500}})
    EXPECT_FALSE(can_fall(describe(type)));
}

}  // namespace
}  // namespace winperf
