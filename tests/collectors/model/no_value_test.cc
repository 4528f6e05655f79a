#include "collectors/model/raw_reading.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

TEST(NoValueTable, IsInTheOrderOfTheEnumeration) {
  struct Row {
    NoValue reason;
    std::string_view name;
    bool has_raw;
  };
  const Row rows[] = {
      {NoValue::kNone, "", true},
      {NoValue::kFirstSample, "first_sample", true},
      {NoValue::kCounterReset, "counter_reset", true},
      {NoValue::kBaseReset, "base_reset", true},
      {NoValue::kZeroInterval, "zero_interval", true},
      {NoValue::kClockBackwards, "clock_backwards", true},
      {NoValue::kZeroFrequency, "zero_frequency", true},
      {NoValue::kZeroBase, "zero_base", true},
      {NoValue::kNoBase, "no_base", true},
      {NoValue::kNotStarted, "not_started", true},
      {NoValue::kTypeChanged, "type_changed", true},
      {NoValue::kUnknownType, "unknown_type", true},
      {NoValue::kMarkedUnknown, "marked_unknown", true},
      {NoValue::kGap, "gap", true},
      {NoValue::kNotNumeric, "not_numeric", false},
      {NoValue::kBadSize, "bad_size", false},
      {NoValue::kOutOfBlock, "out_of_block", false},
      {NoValue::kNotDelivered, "not_delivered", false},
      {NoValue::kNotAggregated, "not_aggregated", false},
  };
  EXPECT_EQ(std::size(rows), kNoValueCount);
  for (const Row& row : rows) {
    EXPECT_EQ(name_of(row.reason), row.name);
    EXPECT_EQ(has_raw(row.reason), row.has_raw) << row.name;
  }
}

}  // namespace
}  // namespace winperf
