// What Wine's pdh.dll does instead of cooking, number by number: docs/counter-types.md says who is
// right. A failure here means that Wine has changed, and that the page has to.
#include <gtest/gtest.h>
#include <pdhmsg.h>

#include <bit>
#include <cmath>

#include "tests/collectors/formula/worked_example.h"
#include "tests/formula_pdh/pdh_library.h"
#include "tests/support/win/wine.h"

namespace winperf::testing {
namespace {

class PdhUnderWine : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!under_wine()) GTEST_SKIP() << "NOT UNDER WINE: nothing to say about Wine's pdh.dll";
  }
  PdhLibrary pdh_;
};

struct WineCounter {
  const wchar_t* path;
  std::uint32_t type;
  LONG default_scale;
  // An example of the type, and what Wine makes of the same numbers.
  const char* older;
  const char* newer;
  double ours;
};

const WineCounter kWineCounters[]{
    {L"\\Processor(_Total)\\% Processor Time", 0x21510500, -5, "N=1000 T=40000000",
     "N=2501000 T=50000000", 75},
    {L"\\System\\System Up Time", 0x30240500, -3, "N=10000000 T=40000000", "N=10000000 T=50000000",
     4},
};

PDH_RAW_COUNTER raw_counter(const Measurement& reading, TimeBase clock) {
  PDH_RAW_COUNTER raw{};
  raw.FirstValue = static_cast<LONGLONG>(reading.observation.value);
  raw.SecondValue = clock == TimeBase::kObject ? reading.clocks.object_time.ticks
                                               : reading.clocks.time_100ns.ticks;
  raw.MultiCount = 1;
  return raw;
}

struct Pair {
  PDH_RAW_COUNTER older;
  PDH_RAW_COUNTER newer;
};

// Checks our own answer on the way.
Pair raw_counters(const WineCounter& row) {
  const CounterType type{row.type};
  const auto example =
      parse_example("wine", type, row.older, row.newer, std::to_string(row.ours)).value();
  expect_result(example);
  const TimeBase clock = describe(type).time_base;
  return {raw_counter(*example.before, clock), raw_counter(example.now, clock)};
}

TEST_F(PdhUnderWine, KnowsTwoCounters) {
  for (const WineCounter& row : kWineCounters) {
    const PdhCounter counter(pdh_, row.path);
    EXPECT_EQ(counter.type(), row.type);
    EXPECT_EQ(counter.default_scale(), row.default_scale);
  }
  PDH_HQUERY query = nullptr;
  PDH_HCOUNTER counter = nullptr;
  ASSERT_EQ(pdh_.open_query(nullptr, 0, &query), ERROR_SUCCESS);
  EXPECT_EQ(static_cast<DWORD>(pdh_.add_counter(query, L"\\System\\Processes", 0, &counter)),
            static_cast<DWORD>(PDH_CSTATUS_NO_COUNTER));
  pdh_.close_query(query);
}

TEST_F(PdhUnderWine, TakesTheOlderSecondValueForTheBitsOfADouble) {
  for (const WineCounter& row : kWineCounters) {
    const PdhCounter counter(pdh_, row.path);
    Pair raw = raw_counters(row);
    for (const DWORD flags : {0ul, PDH_FMT_NOSCALE, PDH_FMT_NOCAP100}) {
      const auto value = counter.calculate(PDH_FMT_DOUBLE | flags, raw.older, raw.newer);
      ASSERT_TRUE(value);
      EXPECT_GT(std::abs(value->doubleValue - row.ours), 1) << "Wine came out right";
    }
    raw.older.SecondValue = std::bit_cast<LONGLONG>(2.5);
    for (const DWORD flags : {0ul, PDH_FMT_NOSCALE, PDH_FMT_NOCAP100}) {
      const auto value = counter.calculate(PDH_FMT_DOUBLE | flags, raw.older, raw.newer);
      ASSERT_TRUE(value);
      EXPECT_DOUBLE_EQ(value->doubleValue, 2.5 * std::pow(10, row.default_scale));
    }
  }
}

TEST_F(PdhUnderWine, TakesTheOlderSecondValueForTheResult) {
  for (const WineCounter& row : kWineCounters) {
    const PdhCounter counter(pdh_, row.path);
    const Pair raw = raw_counters(row);
    const double scaled =
        static_cast<double>(raw.older.SecondValue) * std::pow(10, row.default_scale);
    const auto value = counter.calculate(PDH_FMT_LARGE | PDH_FMT_NOSCALE, raw.older, raw.newer);
    ASSERT_TRUE(value);
    EXPECT_EQ(value->largeValue, std::llround(scaled)) << std::hex << row.type;
  }
}

TEST_F(PdhUnderWine, IgnoresThatASampleIsInvalid) {
  const PdhCounter counter(pdh_, kWineCounters[0].path);
  Pair raw = raw_counters(kWineCounters[0]);
  raw.older.CStatus = static_cast<DWORD>(PDH_CSTATUS_NO_INSTANCE);
  raw.newer.CStatus = static_cast<DWORD>(PDH_CSTATUS_NO_INSTANCE);
  EXPECT_TRUE(counter.calculate(PDH_FMT_DOUBLE, raw.older, raw.newer));
}

TEST_F(PdhUnderWine, DoesNotImplementFormatFromRawValue) {
  const auto call = [](const PdhLibrary& pdh) {
    PDH_RAW_COUNTER older{};
    PDH_RAW_COUNTER newer{};
    PDH_FMT_COUNTERVALUE value{};
    LONGLONG time_base = 10'000'000;
    newer.SecondValue = time_base;
    pdh.format(0x10410500, PDH_FMT_DOUBLE, &time_base, &newer, &older, &value);
  };
  EXPECT_TRUE(ends_in_wine_stub(call, pdh_)) << "Wine implements it now: compare with it";
}

}  // namespace
}  // namespace winperf::testing
