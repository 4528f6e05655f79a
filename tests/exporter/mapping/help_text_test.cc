#include "exporter/mapping/object_mapping.h"

#include <gtest/gtest.h>

#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using std::chrono::milliseconds;

TEST(HelpText_First, SaysWhatTheMetricIs) {
  const auto raw = [](std::string_view suffix, ValueSource source = ValueSource::kRaw) {
    return meaning_of({.source = source, .suffix = suffix});
  };
  EXPECT_EQ(raw(""), "Current value.");
  EXPECT_EQ(raw("_bytes"), "Current value in bytes.");
  EXPECT_EQ(raw("_bytes_per_second"), "Current value in bytes per second.");
  EXPECT_EQ(raw("_per_second"), "Current value per second.");
  EXPECT_EQ(raw("_ratio"), "Ratio, 0 to 1.");
  EXPECT_EQ(raw("_ratio", ValueSource::kRatio), "Ratio, 0 to 1.");
  EXPECT_EQ(raw("", ValueSource::kTotal), "Running total.");
  EXPECT_EQ(raw("_bytes", ValueSource::kTotal), "Running total in bytes.");
  EXPECT_EQ(raw("_seconds", ValueSource::kTotal), "Running total of time in seconds.");
  EXPECT_EQ(raw("_idle_seconds", ValueSource::kTotal),
            "Running total of idle time in seconds, which perfmon subtracts from 100 %.");
  EXPECT_EQ(raw("_start_time_seconds", ValueSource::kStartTime),
            "Start time in seconds since 1970.");
  EXPECT_EQ(raw("_bytes", ValueSource::kBase), "Size in bytes.");
  EXPECT_EQ(raw("_seconds_base", ValueSource::kBase),
            "Number of components in the total of the same name.");
  EXPECT_EQ(raw("_base", ValueSource::kBaseTotal),
            "Running total that divides the one without _base.");
  EXPECT_EQ(raw("_info", ValueSource::kId), "Always 1; the labels hold the ids.");
}

TEST(HelpText_OfPerfmonsNumbers, NamesTheInterval) {
  const auto cooked = [](std::string_view suffix, milliseconds interval = {}) {
    return meaning_of({.source = ValueSource::kCooked, .suffix = suffix, .interval = interval});
  };
  EXPECT_EQ(cooked("_percent"), "Percentage between the last two samples.");
  EXPECT_EQ(cooked("_percent", milliseconds(15'000)),
            "Percentage between the last two samples, 15 s apart.");
  EXPECT_EQ(cooked("_per_second", milliseconds(1'500)),
            "Rate per second between the last two samples, 1500 ms apart.");
  EXPECT_EQ(cooked("_bytes_per_second"), "Rate in bytes per second between the last two samples.");
  EXPECT_EQ(cooked("_average_seconds"), "Average in seconds between the last two samples.");
  EXPECT_EQ(cooked("_average"), "Average between the last two samples.");
  EXPECT_EQ(cooked("_delta"), "Change between the last two samples.");
}

TEST(HelpText_OfASharedFamily, SaysByWhat) {
  EXPECT_EQ(meaning_of({.source = ValueSource::kTotal, .suffix = "_seconds", .label = "mode"}),
            "Running total of time in seconds, by mode.");
}

TEST(HelpText_Origin, IsPerfmonsTextTheCounterItsTypeAndItsPlace) {
  const CountersetSchema processor = object("Processor", {});
  CounterSchema time = counter("% User\nTime", k100nsTimer, 142);
  time.help = "  Time in\r\n\tuser  mode. ";
  EXPECT_EQ(origin_of(processor, time),
            "Time in user mode. [Processor\\% User Time, PERF_100NSEC_TIMER, 238/142]");
  time.help.clear();
  EXPECT_EQ(origin_of(processor, time), "[Processor\\% User Time, PERF_100NSEC_TIMER, 238/142]");
  EXPECT_EQ(base_origin_of(processor, counter("Hits", kSampleFraction, 8)),
            "What it is. [base of Processor\\Hits, PERF_AVERAGE_BASE, 238/8]");
}

TEST(HelpText_OfALongText, IsCutBetweenCharacters) {
  CounterSchema time = counter("Thing", kRawCount);
  time.help = "x";
  for (int i = 0; i < 10000; ++i) time.help += "\xE2\x82\xAC";
  const std::string help = origin_of(object("Object", {}), time);
  EXPECT_LT(help.size(), 600U);
  EXPECT_NE(help.find("\xE2\x82\xAC... ["), help.npos) << help;
}

// 400 bytes are shown, and what completes the character in which they end.
TEST(HelpText_OfTheGreatestLength, IsWhole) {
  struct Row {
    std::string text;
    std::string shown;
  };
  const Row rows[] = {{std::string(399, 'x'), std::string(399, 'x')},
                      {std::string(400, 'x'), std::string(400, 'x')},
                      {std::string(401, 'x'), std::string(400, 'x') + "..."},
                      {std::string(399, 'x') + "\xC3\xA9", std::string(399, 'x') + "\xC3\xA9"},
                      {std::string(399, 'x') + "\xC3\xA9y", std::string(399, 'x') + "\xC3\xA9..."}};
  for (const Row& row : rows) {
    CounterSchema thing = counter("Thing", kRawCount);
    thing.help = row.text;
    EXPECT_EQ(origin_of(object("Object", {}), thing),
              row.shown + " [Object\\Thing, PERF_COUNTER_RAWCOUNT, 238/6]");
  }
}

}  // namespace
}  // namespace winperf
