// Holds the table of counter types against winperf.h.
#include <windows.h>
// After windows.h.
#include <gtest/gtest.h>
#include <winperf.h>

#include <algorithm>

#include "collectors/model/counter_type.h"

namespace winperf {
namespace {

struct HeaderType {
  const char* name;
  std::uint32_t value;
};

#define WINPERF_TYPE(name) \
  HeaderType { #name, static_cast<std::uint32_t>(name) }
constexpr HeaderType kHeaderTypes[]{
    WINPERF_TYPE(PERF_COUNTER_RAWCOUNT_HEX),
    WINPERF_TYPE(PERF_COUNTER_LARGE_RAWCOUNT_HEX),
    WINPERF_TYPE(PERF_COUNTER_TEXT),
    WINPERF_TYPE(PERF_COUNTER_RAWCOUNT),
    WINPERF_TYPE(PERF_COUNTER_LARGE_RAWCOUNT),
    WINPERF_TYPE(PERF_COUNTER_DELTA),
    WINPERF_TYPE(PERF_COUNTER_LARGE_DELTA),
    WINPERF_TYPE(PERF_SAMPLE_COUNTER),
    WINPERF_TYPE(PERF_COUNTER_QUEUELEN_TYPE),
    WINPERF_TYPE(PERF_COUNTER_LARGE_QUEUELEN_TYPE),
    WINPERF_TYPE(PERF_COUNTER_100NS_QUEUELEN_TYPE),
    WINPERF_TYPE(PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE),
    WINPERF_TYPE(PERF_COUNTER_COUNTER),
    WINPERF_TYPE(PERF_COUNTER_BULK_COUNT),
    WINPERF_TYPE(PERF_RAW_FRACTION),
    WINPERF_TYPE(PERF_LARGE_RAW_FRACTION),
    WINPERF_TYPE(PERF_COUNTER_TIMER),
    WINPERF_TYPE(PERF_PRECISION_SYSTEM_TIMER),
    WINPERF_TYPE(PERF_100NSEC_TIMER),
    WINPERF_TYPE(PERF_PRECISION_100NS_TIMER),
    WINPERF_TYPE(PERF_OBJ_TIME_TIMER),
    WINPERF_TYPE(PERF_PRECISION_OBJECT_TIMER),
    WINPERF_TYPE(PERF_SAMPLE_FRACTION),
    WINPERF_TYPE(PERF_COUNTER_TIMER_INV),
    WINPERF_TYPE(PERF_100NSEC_TIMER_INV),
    WINPERF_TYPE(PERF_COUNTER_MULTI_TIMER),
    WINPERF_TYPE(PERF_100NSEC_MULTI_TIMER),
    WINPERF_TYPE(PERF_COUNTER_MULTI_TIMER_INV),
    WINPERF_TYPE(PERF_100NSEC_MULTI_TIMER_INV),
    WINPERF_TYPE(PERF_AVERAGE_TIMER),
    WINPERF_TYPE(PERF_ELAPSED_TIME),
    WINPERF_TYPE(PERF_COUNTER_NODATA),
    WINPERF_TYPE(PERF_AVERAGE_BULK),
    WINPERF_TYPE(PERF_SAMPLE_BASE),
    WINPERF_TYPE(PERF_AVERAGE_BASE),
    WINPERF_TYPE(PERF_RAW_BASE),
    WINPERF_TYPE(PERF_LARGE_RAW_BASE),
    WINPERF_TYPE(PERF_COUNTER_MULTI_BASE),
    WINPERF_TYPE(PERF_COUNTER_HISTOGRAM_TYPE),
    WINPERF_TYPE(PERF_PRECISION_TIMESTAMP),
};
#undef WINPERF_TYPE

TEST(CounterTypes, HaveTheValuesOfTheHeader) {
  for (const HeaderType& type : kHeaderTypes) {
    const bool alias = type.value == PERF_LARGE_RAW_BASE;
    EXPECT_EQ(describe(CounterType{type.value}).name, alias ? "PERF_LARGE_RAW_BASE" : type.name);
  }
}

// Newer than some headers, and the second value of PERF_LARGE_RAW_BASE.
TEST(CounterTypes, AreThoseOfTheHeaderAndTwoMore) {
  const auto in_header = [](const CounterTypeInfo& info) {
    return std::ranges::find(kHeaderTypes, value_of(info.type), &HeaderType::value) !=
           std::ranges::end(kHeaderTypes);
  };
  for (const CounterTypeInfo& info : known_counter_types()) {
    const std::uint32_t value = value_of(info.type);
    EXPECT_EQ(in_header(info), value != 0x00012000 && value != 0x40030503) << info.name;
  }
}

}  // namespace
}  // namespace winperf
