#include "exporter/json/value_objects.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/exporter/support/sample_builder.h"
#include "tests/support/sample_arrays.h"

namespace winperf::json {
namespace {

using namespace winperf::testing;  // NOLINT: builders of this room's tests
using nlohmann::ordered_json;

ordered_json objects_of(const CountersetSample& sample) {
  std::string out = "[";
  bool first = true;
  append_values(out, sample, first);
  EXPECT_EQ(first, sample.rows() * sample.columns() == 0);
  return ordered_json::parse(out + ']');
}

TEST(ValueObjects, HaveABaseAndAParentOnlyWhereThereIsOne) {
  InstanceSchema thread = instance("0", 4, 1);
  thread.parent = "Idle";
  CountersetSample sample = values(object("Thread", {counter("A", kAverageTimer)}, true), {thread});
  set_rows(sample, bases(sample), {456});
  const auto value = objects_of(sample)[0];
  EXPECT_EQ(value["base"], 456);
  EXPECT_EQ(value["parent"], "Idle");
  EXPECT_EQ(value["instance"], "0");
  EXPECT_EQ(value["instance_ordinal"], 4);
}

TEST(ValueObjects, WithoutInstancesHaveAnEmptyName) {
  const auto value = objects_of(values(object("Memory", {counter("A", kRawCount)})))[0];
  EXPECT_EQ(value["instance"], "");
  EXPECT_TRUE(value["instance_ordinal"].is_null());
  EXPECT_FALSE(value.contains("base"));
  EXPECT_FALSE(value.contains("parent"));
}

TEST(ValueObjects, ThatAreMissingAreNull) {
  CountersetSample sample = values(object("M", {counter("A", kRawFraction)}));
  sample.reason = {NoValue::kOutOfBlock};
  const auto value = objects_of(sample)[0];
  EXPECT_TRUE(value["raw"].is_null());
  EXPECT_TRUE(value["base"].is_null());
  EXPECT_TRUE(value["cooked"].is_null());
  EXPECT_EQ(value["reason"], "out_of_block");
}

TEST(ValueObjects, OfDoublesAreNumbers) {
  CountersetSample sample =
      values(object("M", {counter("A", kDoubleRaw), counter("B", kDoubleRaw)}));
  sample.raw = {std::bit_cast<std::uint64_t>(1.5),
                std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity())};
  sample.cooked = {1.5, std::numeric_limits<double>::infinity()};
  const auto parsed = objects_of(sample);
  EXPECT_EQ(parsed[0]["raw"], 1.5);
  EXPECT_TRUE(parsed[1]["raw"].is_null());
  EXPECT_EQ(parsed[1]["reason"], "not_finite");
}

TEST(ValueObjects, OfRawCountsOf8BytesHaveTheirSign) {
  constexpr std::uint32_t kLargeHex = 0x0000'0100;
  CounterSchema amount = counter("A", kLargeRawCount);
  CounterSchema flags = counter("B", kLargeHex);
  amount.size = flags.size = 8;
  CountersetSample sample = values(object("M", {amount, flags, counter("C", kRawCount)}));
  sample.raw = {0xFFFF'FFFF'FFFF'FFFE, 0xFFFF'FFFF'FFFF'FFFE, 0xFFFF'FFFE};
  const auto parsed = objects_of(sample);
  EXPECT_EQ(parsed[0]["raw"].dump(), "-2");
  EXPECT_EQ(parsed[1]["raw"].dump(), "18446744073709551614");
  EXPECT_EQ(parsed[2]["raw"].dump(), "4294967294");
}

// Of every reason: which members are numbers, which are null.
TEST(ValueObjects, ShowWhatTheReasonLeavesOfRawBaseAndCooked) {
  for (std::size_t number = 0; number < kNoValueCount; ++number) {
    const auto reason = static_cast<NoValue>(number);
    CountersetSample sample = values(object("M", {counter("A", kRawFraction)}));
    sample.raw = {1};
    set_rows(sample, bases(sample), {2});
    sample.cooked = {50};
    sample.reason = {reason};
    const auto value = objects_of(sample)[0];
    SCOPED_TRACE(name_of(reason));
    EXPECT_EQ(value["raw"], has_raw(reason) ? ordered_json(1) : ordered_json());
    const bool has_base = has_raw(reason) && reason != NoValue::kNoBase;
    EXPECT_EQ(value["base"], has_base ? ordered_json(2) : ordered_json());
    const bool is_cooked = reason == NoValue::kNone;
    EXPECT_EQ(value["cooked"], is_cooked ? ordered_json(50.0) : ordered_json());
    EXPECT_EQ(value["reason"], is_cooked ? ordered_json() : ordered_json(name_of(reason)));
  }
}

TEST(ValueObjects, AreOneForEachInstanceAndCounterInOrder) {
  for (const std::uint32_t rows : {0U, 1U, 2U, 20U}) {
    for (const std::uint32_t columns : {0U, 1U, 2U, 20U}) {
      std::vector<CounterSchema> counters;
      for (std::uint32_t column = 0; column < columns; ++column)
        counters.push_back(counter("c" + std::to_string(column), kRawCount, 10 + column));
      std::vector<InstanceSchema> instances;
      for (std::uint32_t row = 0; row < rows; ++row)
        instances.push_back(instance("i" + std::to_string(row), row));
      CountersetSample sample = values(object("M", counters, true), instances);
      for (std::size_t cell = 0; cell < sample.raw.size(); ++cell) sample.raw[cell] = 1000 + cell;
      sample.raw = by_rows(sample, sample.raw);
      const auto objects = objects_of(sample);
      ASSERT_EQ(objects.size(), rows * columns);
      for (std::size_t cell = 0; cell < objects.size(); ++cell) {
        EXPECT_EQ(objects[cell]["raw"], 1000 + cell);
        EXPECT_EQ(objects[cell]["instance"], "i" + std::to_string(cell / columns));
        EXPECT_EQ(objects[cell]["counter"], "c" + std::to_string(cell % columns));
        EXPECT_EQ(objects[cell]["counter_index"], 10 + cell % columns);
      }
    }
  }
}

}  // namespace
}  // namespace winperf::json
