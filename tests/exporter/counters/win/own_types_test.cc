// Holds the types of the exporter's own counters against winperf.h.
#include <windows.h>
// After windows.h.
#include <gtest/gtest.h>
#include <winperf.h>

#include <cstdint>
#include <utility>

#include "exporter/counters/counter_row.h"

namespace winperf::own {
namespace {

TEST(OwnCounterTypes, HaveTheValuesOfTheHeader) {
  const std::pair<OwnType, DWORD> types[]{
      {OwnType::kRawCount, PERF_COUNTER_RAWCOUNT},
      {OwnType::kLargeRawCount, PERF_COUNTER_LARGE_RAWCOUNT},
      {OwnType::kLargeDelta, PERF_COUNTER_LARGE_DELTA},
      {OwnType::kQueueLength100ns, PERF_COUNTER_100NS_QUEUELEN_TYPE},
      {OwnType::kBulkCount, PERF_COUNTER_BULK_COUNT},
      {OwnType::kLargeRawFraction, PERF_LARGE_RAW_FRACTION},
      {OwnType::kLargeRawBase, PERF_LARGE_RAW_BASE},
      {OwnType::kTimer100ns, PERF_100NSEC_TIMER},
      {OwnType::kSampleFraction, PERF_SAMPLE_FRACTION},
      {OwnType::kSampleBase, PERF_SAMPLE_BASE},
      {OwnType::kAverageTimer, PERF_AVERAGE_TIMER},
      {OwnType::kAverageBulk, PERF_AVERAGE_BULK},
      {OwnType::kAverageBase, PERF_AVERAGE_BASE},
      {OwnType::kElapsedTime, PERF_ELAPSED_TIME},
  };
  for (const auto& [ours, theirs] : types)
    EXPECT_EQ(static_cast<std::uint32_t>(ours), static_cast<std::uint32_t>(theirs));
}

TEST(OwnCounterTypes, HaveTheHeadersLevelsOfDetail) {
  EXPECT_EQ(static_cast<std::uint32_t>(Detail::kNovice),
            static_cast<std::uint32_t>(PERF_DETAIL_NOVICE));
  EXPECT_EQ(static_cast<std::uint32_t>(Detail::kAdvanced),
            static_cast<std::uint32_t>(PERF_DETAIL_ADVANCED));
}

}  // namespace
}  // namespace winperf::own
