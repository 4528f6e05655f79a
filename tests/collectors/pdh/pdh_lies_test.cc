// A PDH that is wrong about one counter in one way, in every way that we could think of: each is
// found, at that counter, with its type by its documented name, and nothing else is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/collectors/pdh/pdh_on_machine.h"

namespace winperf::testing {
namespace {

// The counter is of that type, and what differs has that name, among others.
struct Lie {
  const char* way;
  const char* type;
  const char* what;
};

constexpr Lie kLies[]{
    {"value_more", "PERF_COUNTER_BULK_COUNT", "raw value"},
    {"value_more", "PERF_COUNTER_COUNTER", "raw value"},
    {"value_less", "PERF_100NSEC_TIMER_INV", "raw value"},
    {"value_less", "PERF_COUNTER_DELTA", "raw value"},
    {"value_twice", "PERF_COUNTER_LARGE_DELTA", "raw value"},
    {"value_twice", "PERF_COUNTER_LARGE_RAWCOUNT", "raw value"},
    {"value_zero", "PERF_SAMPLE_COUNTER", "raw value"},
    {"value_zero", "PERF_PRECISION_100NS_TIMER", "raw value"},
    {"value_negative", "PERF_COUNTER_LARGE_RAWCOUNT", "raw value"},
    {"value_negative", "PERF_COUNTER_TIMER", "raw value"},
    {"value_half_width", "PERF_AVERAGE_BULK", "raw value"},
    {"value_half_width", "PERF_COUNTER_TIMER", "raw value"},
    {"value_extended", "PERF_COUNTER_QUEUELEN_TYPE", "raw value"},
    {"value_extended", "PERF_COUNTER_RAWCOUNT", "raw value"},
    {"value_bytes_swapped", "PERF_COUNTER_LARGE_RAWCOUNT_HEX", "raw value"},
    {"value_stale", "PERF_COUNTER_LARGE_QUEUELEN_TYPE", "raw value"},
    {"value_stale", "PERF_AVERAGE_BULK", "raw value"},
    {"value_wrong_first", "PERF_COUNTER_100NS_QUEUELEN_TYPE", "raw value"},
    {"value_wrong_second", "PERF_PRECISION_SYSTEM_TIMER", "raw value"},
    {"instances_swapped", "PERF_COUNTER_TIMER_INV", "raw value"},
    {"counters_swapped", "PERF_AVERAGE_TIMER", "raw value"},
    {"raw_stale", "PERF_COUNTER_COUNTER", "raw value"},
    {"base_more", "PERF_AVERAGE_TIMER", "base"},
    {"base_less", "PERF_PRECISION_SYSTEM_TIMER", "base"},
    {"base_less", "PERF_COUNTER_BULK_COUNT", "clock"},
    {"base_more", "PERF_100NSEC_TIMER", "clock"},
    {"base_zero", "PERF_SAMPLE_FRACTION", "base"},
    {"base_zero", "PERF_COUNTER_QUEUELEN_TYPE", "clock"},
    {"base_zero", "PERF_ELAPSED_TIME", "clock"},
    {"base_negative", "PERF_AVERAGE_BULK", "base"},
    {"base_negative", "PERF_SAMPLE_COUNTER", "clock"},
    {"base_is_value", "PERF_RAW_FRACTION", "base"},
    {"base_stale", "PERF_PRECISION_100NS_TIMER", "base"},
    {"base_stale", "PERF_COUNTER_TIMER", "clock"},
    {"values_exchanged", "PERF_LARGE_RAW_FRACTION", "raw value"},
    {"multi_more", "PERF_COUNTER_MULTI_TIMER", "multi count"},
    {"multi_one", "PERF_100NSEC_MULTI_TIMER_INV", "multi count"},
    {"multi_zero", "PERF_100NSEC_MULTI_TIMER", "multi count"},
    {"stamp_zero", "PERF_COUNTER_RAWCOUNT", "time stamp"},
    {"stamp_late", "PERF_DOUBLE_RAW", "time stamp"},
    {"stamp_stale", "PERF_COUNTER_RAWCOUNT_HEX", "time stamp"},
    {"status_invalid", "PERF_COUNTER_BULK_COUNT", "status"},
    {"status_no_instance", "PERF_COUNTER_RAWCOUNT", "status"},
    {"status_invalid_second", "PERF_100NSEC_TIMER", "status"},
    {"instance_missing", "PERF_COUNTER_DELTA", "instance only here"},
    {"instance_doubled", "PERF_COUNTER_COUNTER", "instance only in PDH"},
    {"instance_renamed", "PERF_AVERAGE_TIMER", "instance only in PDH"},
    {"instance_renamed", "PERF_AVERAGE_TIMER", "instance only here"},
    {"instance_in_other_case", "PERF_AVERAGE_BULK", "instance only here"},
    {"instance_more", "PERF_RAW_FRACTION", "instance only in PDH"},
    {"instances_none", "PERF_SAMPLE_FRACTION", "instance only here"},
    {"number_capped", "PERF_COUNTER_BULK_COUNT", kNumberOfPdhRaw},
    {"number_capped", "PERF_COUNTER_MULTI_TIMER_INV", kNumberOfPdhRaw},
    {"number_nan", "PERF_COUNTER_TIMER", "number is not finite"},
    {"number_nan", "PERF_COUNTER_MULTI_TIMER", "number is not finite"},
    {"number_infinite", "PERF_DOUBLE_RAW", "number is not finite"},
    {"number_infinite", "PERF_COUNTER_NODATA", "number is not finite"},
    {"number_scaled", "PERF_100NSEC_TIMER", kNumberOfPdhRaw},
    {"number_in_thousands", "PERF_COUNTER_DELTA", kNumberOfPdhRaw},
    {"number_in_thousands", "PERF_100NSEC_MULTI_TIMER", kNumberOfPdhRaw},
    {"number_negative", "PERF_SAMPLE_COUNTER", kNumberOfPdhRaw},
    {"number_whole", "PERF_COUNTER_LARGE_QUEUELEN_TYPE", kNumberOfPdhRaw},
    {"number_a_bit_off", "PERF_AVERAGE_TIMER", kNumberOfPdhRaw},
    {"number_a_bit_off", "PERF_COUNTER_TIMER_INV", kNumberOfPdhRaw},
    {"number_a_bit_off", "PERF_SAMPLE_COUNTER", kNumberOfPdhRaw},
    {"number_zero", "PERF_LARGE_RAW_FRACTION", kNumberOfPdhRaw},
    {"number_zero", "PERF_DOUBLE_RAW", kNumberOfPdhRaw},
    {"number_not_inverted", "PERF_100NSEC_TIMER_INV", kNumberOfPdhRaw},
    {"number_is_raw", "PERF_COUNTER_COUNTER", kNumberOfPdhRaw},
    {"number_is_raw", "PERF_COUNTER_MULTI_TIMER_INV", kNumberOfPdhRaw},
    {"number_as_float", "PERF_RAW_FRACTION", kNumberOfPdhRaw},
    {"number_of_other_instance", "PERF_COUNTER_100NS_QUEUELEN_TYPE", kNumberOfPdhRaw},
    {"number_too_early", "PERF_COUNTER_BULK_COUNT", "number"},
    {"number_too_early", "PERF_COUNTER_RAWCOUNT", kNumberOfPdhRaw},
    {"number_missing_first", "PERF_COUNTER_LARGE_RAWCOUNT", "number missing"},
    {"number_invalid", "PERF_COUNTER_LARGE_QUEUELEN_TYPE", "number's status"},
    {"number_invalid", "PERF_COUNTER_RAWCOUNT", "number's status"},
    {"number_missing", "PERF_PRECISION_100NS_TIMER", "number missing"},
    {"raw_refused", "PERF_AVERAGE_BULK", "status"},
    {"number_refused", "PERF_AVERAGE_BULK", "number's status"},
    {"counter_not_collected", "PERF_COUNTER_LARGE_RAWCOUNT", "counter only here"},
    {"type_other", "PERF_COUNTER_COUNTER", "type"},
    {"type_other", "PERF_ELAPSED_TIME", "type"},
    {"type_wider", "PERF_COUNTER_RAWCOUNT", "type"},
    {"type_unknown", "PERF_RAW_FRACTION", "type"},
    {"scale_more", "PERF_COUNTER_DELTA", "default scale"},
    {"scale_opposite", "PERF_COUNTER_TIMER", "default scale"},
    {"time_base_tenfold", "PERF_COUNTER_BULK_COUNT", "time base"},
    {"time_base_tenfold", "PERF_100NSEC_TIMER", "time base"},
    {"time_base_zero", "PERF_AVERAGE_TIMER", "time base"},
    {"time_base_negative", "PERF_COUNTER_TIMER_INV", "time base"},
    {"time_base_refused", "PERF_ELAPSED_TIME", "time base's status"},
    {"definition_refused", "PERF_SAMPLE_COUNTER", "definition's status"},
    {"counter_not_added", "PERF_COUNTER_COUNTER", "counter only here"},
    {"counter_not_listed", "PERF_COUNTER_COUNTER", "counter not listed by PDH"},
    {"counter_more", "PERF_COUNTER_COUNTER", "counter only in PDH"},
    {"counter_twice", "PERF_SAMPLE_FRACTION", "counter twice"},
    {"counter_collected_twice", "PERF_SAMPLE_FRACTION", "counter twice"},
};

class PdhLies : public PdhOnMachine {
 protected:
  // Told about a counter of the type.
  VerifiedByPdh tell(const Lie& lie) {
    return verify("Every Type", {{"Every Type", counter_of(lie), lie.way}}, 1);
  }
  static std::string counter_of(const Lie& lie) { return std::string(lie.type).substr(5); }
};

TEST_F(PdhLies, AreFoundAtTheirCounterAndNamedByItsType) {
  for (const Lie& lie : kLies) {
    SCOPED_TRACE(std::string(lie.way) + " of " + lie.type);
    const VerifiedByPdh result = tell(lie);
    EXPECT_FALSE(result.agrees());
    const std::string stranger = counter_of(lie) + " Stranger";
    bool is_named = false;
    for (const PdhDifference& found : result.comparison.differences) {
      is_named |= found.what == lie.what && found.type == lie.type;
      is_named |= found.what == lie.what && found.counter == stranger;
      EXPECT_THAT(found.counter, ::testing::AnyOf(counter_of(lie), stranger, "Stranger"));
    }
    EXPECT_TRUE(is_named) << text_of(result);
  }
}

TEST_F(PdhLies, EachWayHasARow) {
  std::set<std::string_view> told;
  for (const Lie& lie : kLies) told.insert(lie.way);
  for (const std::string_view way : simulator::pdh_ways()) EXPECT_TRUE(told.contains(way)) << way;
  EXPECT_GT(told.size(), 40U);
}

TEST_F(PdhLies, AboutRawValuesAreShownWithThoseOfBothSides) {
  const VerifiedByPdh result =
      verify("Every Type", {{"Every Type", "COUNTER_BULK_COUNT", "value_more", "two"}});
  ASSERT_FALSE(result.comparison.differences.empty());
  for (const PdhDifference& found : result.comparison.differences) {
    EXPECT_EQ(found.instance, "two") << text_of(found);
    ASSERT_EQ(found.evidence.size(), 2U);
    for (const CellMoment& moment : found.evidence) {
      ASSERT_TRUE(moment.before && moment.after && moment.raw && moment.number);
      EXPECT_LT(moment.before->value, moment.after->value);
      EXPECT_GT(moment.raw->first, 100'000'000'000);
    }
  }
}

// A lie that is told once, about one of several rounds, may be a change between two readings.
TEST_F(PdhLies, AboutTheOneInstanceOfACountersetWithoutAny) {
  for (const Lie& lie : {Lie{"value_less", "PERF_COUNTER_BULK_COUNT", "raw value"},
                         Lie{"instances_none", "PERF_COUNTER_BULK_COUNT", "instances"},
                         Lie{"instance_doubled", "PERF_COUNTER_BULK_COUNT", "instances"},
                         Lie{"number_missing", "PERF_COUNTER_BULK_COUNT", "number missing"},
                         Lie{"number_invalid", "PERF_COUNTER_TIMER", "number's status"}}) {
    const VerifiedByPdh result =
        verify("Every Type Single", {{"Every Type Single", counter_of(lie), lie.way}});
    EXPECT_TRUE(has(result, counter_of(lie), lie.what)) << lie.way << '\n' << text_of(result);
  }
}

}  // namespace
}  // namespace winperf::testing
