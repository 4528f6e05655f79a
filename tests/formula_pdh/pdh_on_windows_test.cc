// Windows' own pdh.dll cooks the worked examples, and has to get what we get.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>

#include "tests/collectors/formula/worked_examples.h"
#include "tests/formula_pdh/pdh_library.h"
#include "tests/support/win/wine.h"

namespace winperf::testing {
namespace {

class PdhOnWindows : public ::testing::Test {
 protected:
  void SetUp() override {
    if (under_wine()) GTEST_SKIP() << "WINE'S pdh.dll COOKS NOTHING: see pdh_under_wine_test.cc";
  }
  PdhLibrary pdh_;
};

// Described in two ways, or not at all: what PDH says is printed, not held against us.
bool is_disputed(const CounterTypeInfo& type) {
  constexpr std::array kFormulas{Formula::kMultiTimer, Formula::kMultiTimerInverse,
                                 Formula::kDouble};
  return std::ranges::find(kFormulas, type.formula) != kFormulas.end() ||
         type.name == "PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE";
}

// Whether PDH accepts a wrapped counter depends on more than its raw values.
bool goes_backwards(const WorkedExample& example) {
  return example.before && (example.now.observation.value < example.before->observation.value ||
                            example.now.observation.base < example.before->observation.base);
}

LONGLONG second_value(const CounterTypeInfo& type, const Measurement& reading) {
  if (type.base != BaseKind::kNone && type.base != BaseKind::kMulti)
    return static_cast<LONGLONG>(reading.observation.base);
  if (type.time_base == TimeBase::k100ns) return reading.clocks.time_100ns.ticks;
  if (type.time_base == TimeBase::kObject) return reading.clocks.object_time.ticks;
  return reading.clocks.perf_time.ticks;
}

PDH_RAW_COUNTER raw_counter(const CounterTypeInfo& type, const Measurement& reading) {
  PDH_RAW_COUNTER raw{};
  raw.FirstValue = static_cast<LONGLONG>(reading.observation.value);
  raw.SecondValue = second_value(type, reading);
  raw.MultiCount = type.base == BaseKind::kMulti ? static_cast<DWORD>(reading.observation.base) : 1;
  return raw;
}

LONGLONG time_base(const CounterTypeInfo& type, const Clocks& clocks) {
  if (type.time_base == TimeBase::kPerf) return clocks.perf_frequency.ticks_per_second;
  if (type.time_base == TimeBase::kObject) return clocks.object_frequency.ticks_per_second;
  return k100nsFrequency.ticks_per_second;
}

std::optional<double> pdh_value(const PdhLibrary& pdh, const WorkedExample& example, DWORD flags) {
  const CounterTypeInfo type = describe(example.type);
  PDH_RAW_COUNTER newer = raw_counter(type, example.now);
  PDH_RAW_COUNTER older = raw_counter(type, example.before.value_or(example.now));
  LONGLONG frequency = time_base(type, example.now.clocks);
  PDH_FMT_COUNTERVALUE value{};
  if (pdh.format(value_of(example.type), PDH_FMT_DOUBLE | flags, &frequency, &newer, &older,
                 &value) != ERROR_SUCCESS)
    return std::nullopt;
  return value.doubleValue;
}

void compare(const PdhLibrary& pdh, const WorkedExample& example, DWORD flags,
             const CellOptions& options) {
  const std::string what = to_string(example.type) + ", " + example.name;
  const double ours = cook(example, options).value();
  const auto theirs = pdh_value(pdh, example, flags);
  if (is_disputed(describe(example.type))) {
    std::cout << what << ": " << ours
              << ", PDH: " << (theirs ? std::to_string(*theirs) : std::string("no value")) << '\n';
    return;
  }
  ASSERT_TRUE(theirs) << what;
  EXPECT_NEAR(ours, *theirs, 1e-9 * std::max(1.0, std::abs(*theirs))) << what;
}

TEST_F(PdhOnWindows, CooksTheWorkedExamplesAsWeDo) {
  for (const WorkedExample& example : worked_examples()) {
    if (example.result && !goes_backwards(example))
      compare(pdh_, example, PDH_FMT_NOSCALE | PDH_FMT_NOCAP100, {});
  }
}

TEST_F(PdhOnWindows, CapsTheWorkedExamplesAsWeDoOnRequest) {
  for (const WorkedExample& example : worked_examples()) {
    if (example.result && !goes_backwards(example))
      compare(pdh_, example, PDH_FMT_NOSCALE, {.cap_percent = true});
  }
}

}  // namespace
}  // namespace winperf::testing
