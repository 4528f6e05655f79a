#include "collectors/formula/cook.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/collectors/formula/worked_example.h"

namespace winperf::testing {
namespace {

constexpr CounterType kRate{0x10410400}, kBulk{0x10410500}, kObjectTimer{0x20610500};
constexpr CounterType kAverageTimer{0x30020400}, kElapsed{0x30240500};

struct ReasonRow {
  const char* name;
  std::uint32_t type;
  const char* before;
  const char* now;
  const char* result;
};

TEST(Cook, SaysWhyThereIsNoValue) {
  const ReasonRow rows[]{
      {"first sample", 0x10410400, "-", "N=5 T=1", "first_sample"},
      {"no time passed", 0x10410400, "N=1 T=5", "N=2 T=5", "zero_interval"},
      {"clock stepped back", 0x10410400, "N=1 T=5", "N=2 T=4", "clock_backwards"},
      {"100 ns clock stepped back", 0x20510500, "N=1 T=5", "N=2 T=4", "clock_backwards"},
      {"no frequency", 0x10410400, "N=1 T=5 F=0", "N=2 T=6 F=0", "zero_frequency"},
      {"object without a clock", 0x20610500, "N=1 T=0 F=0", "N=2 T=0 F=0", "zero_frequency"},
      {"4 bytes, too far for a wrap", 0x10410400, "N=2000000000 T=0", "N=10 T=1", "counter_reset"},
      {"8 bytes in a 4 byte type", 0x10410400, "N=4294967290:8 T=0", "N=4:8 T=1", "counter_reset"},
      {"no base", 0x20020400, "-", "N=7", "no_base"},
      {"no components", 0x22410500, "N=1 T=0", "N=2 T=1", "no_base"},
      {"no operation", 0x20C20400, "N=1 B=5", "N=1 B=5", "zero_base"},
      {"base was reset", 0x20C20400, "N=1 B=2000000000", "N=2 B=5", "base_reset"},
      {"time stamp went back", 0x20570500, "N=1 B=5", "N=2 B=4", "base_reset"},
      {"average without a frequency", 0x30020400, "N=1 B=1 F=0", "N=2 B=2 F=0", "zero_frequency"},
      {"started in the future", 0x30240500, "-", "N=11 T=10", "clock_backwards"},
      {"not started", 0x30240500, "-", "N=0 T=10", "not_started"},
      {"not started at the clock's beginning", 0x30240500, "-", "N=0 T=0", "not_started"},
      {"elapsed without a clock", 0x30240500, "-", "N=11 T=0 F=0", "zero_frequency"},
      {"counter grew wider", 0x10410400, "N=1 T=0", "N=2:8 T=1", "type_changed"},
      {"base grew wider", 0x40020500, "N=1 B=1", "N=2 B=2:8", "type_changed"},
      {"text", 0x00000B00, "-", "N=1:4", "not_numeric"},
      {"label", 0x40000200, "-", "N=1:4", "not_numeric"},
      {"base on its own", 0x40030402, "-", "N=1", "not_numeric"},
      {"double that is infinite", 0x00012000, "-", "N=0x7FF0000000000000", "not_numeric"},
      {"double of 4 bytes", 0x00012000, "-", "N=1:4", "not_numeric"},
      {"reserved bits", 0x10412500, "N=1 T=1", "N=2 T=2", "unknown_type"},
  };
  for (const ReasonRow& row : rows) {
    const auto example =
        parse_example(row.name, CounterType{row.type}, row.before, row.now, row.result);
    ASSERT_TRUE(example) << row.name;
    expect_result(*example);
  }
}

TEST(Cook, RawCountsOf8BytesHaveASign) {
  const ReasonRow rows[]{
      {"all bits", 0x00010100, "-", "N=0xFFFFFFFFFFFFFFFF:8", "-1"},
      {"the lowest", 0x00010100, "-", "N=0x8000000000000000:8", "-9223372036854775808"},
      {"the highest", 0x00010100, "-", "N=0x7FFFFFFFFFFFFFFF:8", "9223372036854775807"},
      {"8 bytes in a 4 byte type", 0x00010000, "-", "N=0xFFFFFFFFFFFFFFFE:8", "-2"},
      {"not shown", 0x40010100, "-", "N=0xFFFFFFFFFFFFFFFD:8", "-3"},
      {"32 bits of 64", 0x00010100, "-", "N=0xFFFFFFFF:8", "4294967295"},
      {"4 bytes", 0x00010000, "-", "N=0xFFFFFFFF:4", "4294967295"},
      {"4 bytes, the highest with a sign", 0x00010000, "-", "N=0x7FFFFFFF:4", "2147483647"},
      {"hexadecimal", 0x00000000, "-", "N=0xFFFFFFFF:4", "4294967295"},
      {"hexadecimal of 8 bytes", 0x00000100, "-", "N=0x8000000000000000:8", "9223372036854775808"},
  };
  for (const ReasonRow& row : rows) {
    const auto example =
        parse_example(row.name, CounterType{row.type}, row.before, row.now, row.result);
    ASSERT_TRUE(example) << row.name;
    expect_result(*example);
  }
}

TEST(Cook, TheReadingOfACounterDecidesOnSignsOf4BytesAndWhatIsUnknown) {
  const RawReading reading{.is_signed = true, .unknown = {0x7FFF'FFFF, 5}};
  const auto cooked = [&](std::uint64_t raw) {
    return cook(describe(CounterType{0x00010000}), {}, {{raw, 0, 4, 0}, {}}, {.reading = &reading});
  };
  EXPECT_EQ(cooked(0xFFFF'FFFF), -1.0);
  EXPECT_EQ(cooked(0x8000'0000), -2147483648.0);
  EXPECT_EQ(cooked(0x7FFF'FFFE), 2147483646.0);
  EXPECT_EQ(cooked(0x7FFF'FFFF).error(), NoValue::kMarkedUnknown);
  EXPECT_EQ(cooked(5).error(), NoValue::kMarkedUnknown);
  EXPECT_EQ(cooked(6), 6.0);
}

// Of several reasons the first in the order of cook.h.
TEST(Cook, ReportsTheFirstOfSeveralReasons) {
  const ReasonRow rows[]{
      {"type before first sample", 0x10412500, "-", "N=2", "unknown_type"},
      {"base before first sample", 0x40020500, "-", "N=2", "no_base"},
      {"first sample before clock", 0x10410400, "-", "N=2 T=0 F=0", "first_sample"},
      {"width before clock", 0x10410400, "N=1:8 T=0 F=0", "N=2 T=0 F=0", "type_changed"},
      {"frequency before clock", 0x10410400, "N=1 T=5 F=0", "N=2 T=4 F=0", "zero_frequency"},
      {"clock before counter", 0x10410500, "N=2 T=5", "N=1 T=5", "zero_interval"},
      {"counter before base", 0x40020500, "N=2 B=7", "N=1 B=7", "counter_reset"},
      {"counter before components", 0x22410500, "N=2 B=0 T=0", "N=1 B=0 T=1", "counter_reset"},
  };
  for (const ReasonRow& row : rows) {
    const auto example =
        parse_example(row.name, CounterType{row.type}, row.before, row.now, row.result);
    ASSERT_TRUE(example) << row.name;
    expect_result(*example);
  }
}

TEST(Cook, CooksUnknownTypesWhoseBitsSayHow) {
  const ReasonRow rows[]{
      {"rate on the 100 ns clock", 0x10510500, "N=0 T=0", "N=500 T=50000000", "100"},
      {"rate on the object's clock", 0x10610400, "N=4294967295 T=0 F=10", "N=4 T=5 F=10", "10"},
      {"timer of 4 bytes", 0x20410400, "N=4294967290 T=0", "N=4 T=100", "10"},
      {"average timer of 8 bytes", 0x30020500, "N=0 B=0", "N=20000000 B=4", "0.5"},
      {"elapsed on PerfTime", 0x30040500, "-", "N=2000 T=5000 F=1000", "3"},
      {"elapsed on the 100 ns clock", 0x30140500, "-", "N=1 T=10000001", "1"},
      {"number that is not to be shown", 0x40000000, "-", "N=7", "7"},
      {"fraction without a suffix", 0x00020500, "-", "N=1 B=4", "25"},
      {"number in seconds", 0x30010000, "-", "N=7", "7"},
      {"large double", 0x00012100, "-", "N=0x3FF8000000000000", "1.5"},
      {"inverse timer on the object's clock", 0x21610500, "N=0 T=0", "N=3 T=4", "25"},
  };
  for (const ReasonRow& row : rows) {
    const auto example =
        parse_example(row.name, CounterType{row.type}, row.before, row.now, row.result);
    ASSERT_TRUE(example) << row.name;
    EXPECT_TRUE(describe(example->type).name.empty()) << row.name;
    expect_result(*example);
  }
}

TEST(Cook, OfAThingThatHasJustStartedIsZero) {
  for (const std::int64_t later : {0, 1, 5}) {
    const Clocks clocks{.object_time = {1'000 + later}, .object_frequency = {1}};
    EXPECT_EQ(cook(describe(kElapsed), {}, {Observation{1'000, 0, 8, 0}, clocks}),
              static_cast<double>(later));
  }
}

// A provider may add a base where the type uses none.
TEST(Cook, ABaseThatTheTypeDoesNotUseMayComeAndGo) {
  const Clocks then{.perf_time = {0}, .perf_frequency = {10}};
  const Clocks later{.perf_time = {10}, .perf_frequency = {10}};
  struct Bases {
    std::uint8_t before, now;
  };
  for (const auto& [before, now] : {Bases{0, 4}, Bases{4, 0}, Bases{4, 8}})
    EXPECT_EQ(cook(describe(kRate), Measurement{{5, 0, 4, before}, then}, {{12, 0, 4, now}, later}),
              7.0);
}

TEST(Cook, SubtractsBeforeItRounds) {
  const Observation before{(1ull << 60) + 1, 0, 8, 0};
  const Observation now{(1ull << 60) + 4, 0, 8, 0};
  const Clocks then{.perf_time = {(1ll << 61) + 1}, .perf_frequency = {1}};
  const Clocks later{.perf_time = {(1ll << 61) + 3}, .perf_frequency = {1}};
  EXPECT_EQ(cook(describe(kBulk), Measurement{before, then}, {now, later}), 1.5);
  EXPECT_EQ(cook(describe(CounterType{0x00400500}), Measurement{before, then}, {now, later}), 3.0);

  const Observation started{133'707'369'666'486'855, 0, 8, 0};
  const Clocks next_tick{.object_time = {133'707'369'666'486'856}, .object_frequency = {1}};
  EXPECT_EQ(cook(describe(kElapsed), {}, {started, next_tick}), 1.0);
}

TEST(Cook, KeepsRawValuesOf64Bits) {
  const Observation most{~0ull - 1, 0, 8, 0};
  EXPECT_EQ(cook(describe(CounterType{0x00000100}), {}, {most, {}}),
            static_cast<double>(~0ull - 1));
  EXPECT_EQ(cook(describe(CounterType{0x00010100}), {}, {most, {}}), -2.0);
}

// A time of the provider's may be anything.
TEST(Cook, MeasuresAnIntervalOfTheWholeClock) {
  const Observation before{0, 0, 8, 0};
  const Observation now{~0ull, 0, 8, 0};
  const Clocks first{.object_time = {std::numeric_limits<std::int64_t>::min()},
                     .object_frequency = {1}};
  const Clocks last{.object_time = {std::numeric_limits<std::int64_t>::max()},
                    .object_frequency = {1}};
  EXPECT_EQ(cook(describe(kObjectTimer), Measurement{before, first}, {now, last}), 100.0);
  EXPECT_EQ(cook(describe(kElapsed), {}, {now, last}).error(), NoValue::kClockBackwards);
  EXPECT_EQ(cook(describe(kElapsed), {}, {before, first}).error(), NoValue::kClockBackwards);
}

TEST(Cook, CountsAverageTimersInPerfTicksWhateverTheObjectsClock) {
  const Observation before{0, 0, 8, 4};
  const Observation now{500, 10, 8, 4};
  const Clocks clocks{.perf_frequency = {1000}, .object_frequency = {7}};
  EXPECT_DOUBLE_EQ(
      cook(describe(kAverageTimer), Measurement{before, clocks}, {now, clocks}).value(), 0.05);
}

TEST(Cook, NeedsAPreviousMeasurementForARate) {
  const Observation seen{1, 0, 4, 0};
  EXPECT_EQ(cook(describe(kRate), {}, {seen, {}}).error(), NoValue::kFirstSample);
}

// The idle times of two processors, and of _Total, which is their average.
TEST(Cook, GivesTotalAsTheAverageOfTheProcessors) {
  const auto percent = [](std::uint64_t idle) {
    const Observation before{1'000, 0, 8, 0};
    const Observation now{1'000 + idle, 0, 8, 0};
    const Clocks then{.time_100ns = {70'000'000}};
    const Clocks later{.time_100ns = {80'000'000}};
    return cook(describe(CounterType{0x21510500}), Measurement{before, then}, {now, later}).value();
  };
  EXPECT_DOUBLE_EQ(percent(2'500'000), 75);
  EXPECT_DOUBLE_EQ(percent(7'500'000), 25);
  EXPECT_DOUBLE_EQ(percent((2'500'000 + 7'500'000) / 2), 50);
}

}  // namespace
}  // namespace winperf::testing
