#include "exporter/mapping/help_text.h"

#include <gtest/gtest.h>

#include "exporter/mapping/name_table.h"
#include "exporter/profiles/counter_help.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using std::chrono::milliseconds;

TEST(HelpText_Computation, IsThatOfTheNumber) {
  const auto raw = [](std::string_view suffix, ValueSource source = ValueSource::kRaw) {
    return meaning_of({.source = source, .suffix = suffix});
  };
  EXPECT_EQ(raw(""), "current value");
  EXPECT_EQ(raw("_bytes"), "current value in bytes");
  EXPECT_EQ(raw("_bytes_per_second"), "current value in bytes per second");
  EXPECT_EQ(raw("_per_second"), "current value per second");
  EXPECT_EQ(raw("_ratio"), "ratio, 0 to 1");
  EXPECT_EQ(raw("_ratio", ValueSource::kRatio), "ratio, 0 to 1");
  EXPECT_EQ(raw("", ValueSource::kTotal), "running total");
  EXPECT_EQ(raw("_bytes", ValueSource::kTotal), "running total in bytes");
  EXPECT_EQ(raw("_seconds", ValueSource::kTotal), "running total of time in seconds");
  EXPECT_EQ(raw("_idle_seconds", ValueSource::kTotal),
            "running total of idle time in seconds, which perfmon subtracts from 100 %");
  EXPECT_EQ(raw("_start_time_seconds", ValueSource::kStartTime),
            "start time in seconds since 1970");
  EXPECT_EQ(raw("_info", ValueSource::kId), "always 1; the labels hold the ids");
}

TEST(HelpText_OfPerfmonsNumbers, NamesTheInterval) {
  const auto cooked = [](std::string_view suffix, milliseconds interval = {}) {
    return meaning_of({.source = ValueSource::kCooked, .suffix = suffix, .interval = interval});
  };
  EXPECT_EQ(cooked("_percent"), "percentage between the last two samples");
  EXPECT_EQ(cooked("_percent", milliseconds(15'000)),
            "percentage between the last two samples, 15 s apart");
  EXPECT_EQ(cooked("_per_second", milliseconds(1'500)),
            "rate per second between the last two samples, 1500 ms apart");
  EXPECT_EQ(cooked("_bytes_per_second"), "rate in bytes per second between the last two samples");
  EXPECT_EQ(cooked("_average_seconds"), "average in seconds between the last two samples");
  EXPECT_EQ(cooked("_average"), "average between the last two samples");
  EXPECT_EQ(cooked("_delta"), "change between the last two samples");
}

TEST(HelpText_OfASharedFamily, SaysByWhat) {
  EXPECT_EQ(meaning_of({.source = ValueSource::kTotal, .suffix = "_seconds", .label = "mode"}),
            "running total of time in seconds, by mode");
}

TEST(HelpText_OfACounter, IsPerfmonsTextThenTheCounterItsTypeAndItsPlace) {
  const CountersetSchema processor = object("Processor", {});
  CounterSchema time = counter("% User\nTime", k100nsTimer, 142);
  time.help = "  Time in\r\n\tuser  mode.  It is sampled. ";
  const HelpText text = text_of_counter(processor, time);
  EXPECT_EQ(text.lead, "Time in user mode");
  EXPECT_EQ(text.origin, "It is sampled. [Processor\\% User Time, PERF_100NSEC_TIMER, 238/142]");
}

TEST(HelpText_OfACounterWithoutAText, IsOursOrTheName) {
  const auto lead_of = [](const char* object_name, const char* name) {
    CounterSchema bare = counter(name, kRawCount);
    bare.help.clear();
    const HelpText text = text_of_counter(object(object_name, {}), bare);
    EXPECT_EQ(text.origin.front(), '[') << text.origin;
    return text.lead;
  };
  EXPECT_EQ(lead_of("MEMORY", "Page faults/sec"),
            "Page faults of all kinds, including those resolved without the disk");
  EXPECT_EQ(lead_of("MSSQL$PAYROLL:Locks", "Lock Waits/sec"),
            "Requests for locks that had to wait");
  EXPECT_EQ(lead_of("Object", "Things\n/sec"), "Things /sec");
  EXPECT_EQ(lead_of("Object", ""), "Counter without a name");
}

TEST(HelpText_OfAPart, LeadsWithWhatAllPartsAre) {
  const CounterSchema reads = counter("Disk Reads/sec", kBulkCount);
  const HelpText text = text_of_part(object("PhysicalDisk", {}), reads, "transfers");
  EXPECT_EQ(text.lead, "Reads and writes that the disk completed");
  EXPECT_EQ(text.origin,
            "What it is. [PhysicalDisk\\Disk Reads/sec, PERF_COUNTER_BULK_COUNT, 238/6]");
  EXPECT_EQ(text_of_part(object("PhysicalDisk", {}), reads, "unknown").lead, "What it is");
}

TEST(HelpText_OfABase, SaysWhatItDivides) {
  const CountersetSchema processor = object("Processor", {});
  const CounterSchema hits = counter("Hits", kSampleFraction, 8);
  const HelpText text = text_of_base(processor, hits, ValueSource::kBaseTotal, "_base");
  EXPECT_EQ(text.lead, "Divisor of the running total without _base");
  EXPECT_EQ(text.origin, "What it is. [base of Processor\\Hits, PERF_AVERAGE_BASE, 238/8]");
  EXPECT_EQ(text_of_base(processor, hits, ValueSource::kBase, "_bytes").lead, "Size in bytes");
  EXPECT_EQ(text_of_base(processor, hits, ValueSource::kBase, "_seconds_base").lead,
            "Number of components in the total of the same name");
}

TEST(HelpText_OfSeveralSentences, LeadsWithTheFirst) {
  struct Row {
    const char* name;
    const char* text;
    const char* lead;
    const char* rest;
  };
  const Row rows[] = {
      {"Thing", "One. Two. Three.", "One", "Two. Three. "},
      {"Thing", "Without an end", "Without an end", ""},
      {"Thing", "Ends so.", "Ends so", ""},
      {"Thing", "Version 2.0 of it. Two.", "Version 2.0 of it", "Two. "},
      {"Thing", "Many (e.g. ten) of approx. 5 in no. 3. Two.",
       "Many (e.g. ten) of approx. 5 in no. 3", "Two. "},
      {"Avg. Disk sec/Read", "Avg. Disk sec/Read is a time. Two.", "Avg. Disk sec/Read is a time",
       "Two. "},
      {"Failover: Sent/sec.", "Failover: Sent/sec. is a number. Two.",
       "Failover: Sent/sec. is a number", "Two. "},
      {"Thing", "\xE4\xB8\x80\xE3\x80\x82\xE4\xBA\x8C\xE3\x80\x82", "\xE4\xB8\x80",
       "\xE4\xBA\x8C\xE3\x80\x82 "},
      {"Thing", "Trailing...", "Trailing...", ""},
      {"Thing", ".", "Thing", ""},
  };
  for (const Row& row : rows) {
    CounterSchema thing = counter(row.name, kRawCount);
    thing.help = row.text;
    const HelpText text = text_of_counter(object("Object", {}), thing);
    EXPECT_EQ(text.lead, row.lead) << row.text;
    EXPECT_EQ(text.origin.substr(0, text.origin.find('[')), row.rest) << row.text;
  }
}

TEST(HelpText_OfALongText, IsCutBetweenCharacters) {
  CounterSchema time = counter("Thing", kRawCount);
  time.help = "x";
  for (int i = 0; i < 10000; ++i) time.help += "\xE2\x82\xAC";
  const HelpText text = text_of_counter(object("Object", {}), time);
  EXPECT_LT(text.lead.size(), 410U);
  EXPECT_TRUE(text.lead.ends_with("\xE2\x82\xAC...")) << text.lead;
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
    const HelpText text = text_of_counter(object("Object", {}), thing);
    EXPECT_EQ(text.lead, row.shown);
    EXPECT_EQ(text.origin, "[Object\\Thing, PERF_COUNTER_RAWCOUNT, 238/6]");
  }
}

// Each family that counters share has a sentence about all of them.
TEST(HelpText_OfTheNameTable, KnowsAllSharedFamilies) {
  for (const CounterRow& row : counter_rows()) {
    if (row.label.empty()) continue;
    for (const std::string_view name : alternatives(row.object))
      EXPECT_NE(parts_help(name, row.words.value_or("")), "") << name << ' ' << row.counter;
  }
}

}  // namespace
}  // namespace winperf
