#include "exporter/mapping/words.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace winperf {
namespace {

std::optional<Unit> unit_in(std::string_view name) {
  const NameWords words = split_name(name, false);
  const auto position = find_unit(words.words);
  return position ? unit_called(words.words[*position].text) : std::nullopt;
}

struct PlacedUnit {
  const char* name;
  const char* base;
  double factor;
};

const PlacedUnit kPlacedUnits[] = {
    // In parentheses.
    {"Elapsed (sec)", "seconds", 1},
    {"Replication Lag (sec)", "seconds", 1},
    {"Queue Time (s)", "seconds", 1},
    {"Elapsed Time(s)", "seconds", 1},
    {"Flushes (ms)", "seconds", 1e-3},
    {"Wait (MS)", "seconds", 1e-3},
    {"Time to First Byte (microsec) Max", "seconds", 1e-6},
    {"Latency (in milliseconds)", "seconds", 1e-3},
    {"Busy (100ns)", "seconds", 1e-7},
    {"Used Bytes (KB)", "bytes", 1024},
    {"Files(s) Size (MB)", "bytes", 1048576},
    {"Latency (sec/bytes)", "seconds", 1},
    {"Bandwidth (kbit/sec)", "bytes", 125},
    // At the end.
    {"Session Length Seconds", "seconds", 1},
    {"Time in ms", "seconds", 1e-3},
    {"Round Trip Latency MS", "seconds", 1e-3},
    {"Idle time sec", "seconds", 1},
    {"Age in Hours", "seconds", 3600},
    {"Cache Size MB", "bytes", 1048576},
    // What is counted.
    {"Seconds Since Last Backup", "seconds", 1},
    {"Number of milliseconds since start", "seconds", 1e-3},
    {"Average Milliseconds/Call", "seconds", 1e-3},
    {"Disk sec/Read", "seconds", 1},
    {"Total mSec - Processor", "seconds", 1e-3},
    {"Latency ms Average", "seconds", 1e-3},
    {"Time in milliseconds spent waiting", "seconds", 1e-3},
    {"Bytes in all Heaps", "bytes", 1},
    {"Wait Time (ms) Last Minute", "seconds", 1e-3},
};

const char* const kNone[] = {
    // Plurals and events.
    "Item(s) Pending", "Process(es) Started", "Batch Requests (sec)", "Logins sec",
    "Throughput (sec)",
    // Windows and conditions.
    "Requests over 10 seconds", "Messages > 10 sec", "Queries exceeding N seconds",
    "Requests In Last 60 Seconds", "Sessions (last 5 minutes)", "Calls longer than 5 seconds",
    "Failures within the last hours", "Allocs <1 KB", "Packets under 64 Bytes", "Calls per ms",
    "Answers in 5 ms",
    // Rates.
    "Calls per second due to timers", "Events processed per second.", "Attempts/second",
    "New Jobs / Minute", "Average Wait Time / Minute", "Searches per minute",
    // Other meanings.
    "Second Level Cache Hits", "Documents in Second queue", "MS Mailboxes", "Mailbox MS",
    "Response Time Min", "Contact us", "Name Server NS", "BITS Jobs", "Drive S",
    // No unit said.
    "Time in last hour", "Log Flush Wait Time", ""};

TEST(UnitPlace, IsWhereANamesUnitIsWritten) {
  for (const PlacedUnit& example : kPlacedUnits) {
    const auto unit = unit_in(example.name);
    ASSERT_TRUE(unit) << example.name;
    EXPECT_EQ(unit->base, example.base) << example.name;
    EXPECT_DOUBLE_EQ(unit->factor, example.factor) << example.name;
  }
}

TEST(UnitPlace, IsNotWhereAWordOnlyLooksLikeAUnit) {
  for (const char* name : kNone) EXPECT_FALSE(unit_in(name)) << name;
}

// A type that says so decides: "Avg. Disk sec/Read" only repeats it.
TEST(UnitPlace, OfATimeByItsTypeIsAnyWordForSeconds) {
  const auto word = [](std::string_view name) -> std::string {
    const NameWords words = split_name(name, true);
    const auto position = find_time_unit(words.words);
    return position ? words.words[*position].text : "";
  };
  EXPECT_EQ(word("Avg. Disk sec/Read"), "sec");
  EXPECT_EQ(word("Requests over 10 seconds"), "seconds");
  EXPECT_EQ(word("Hold Time (ms)"), "ms");
  EXPECT_EQ(word("SEC Checks"), "");
  EXPECT_EQ(word("Bytes (KB)"), "");
}

// Public counters with what they are.
TEST(UnitPlace, IsThatOfPublicCounters) {
  const char* captures = std::getenv("WINPERF_CAPTURES");
  std::ifstream file(captures == nullptr ? ""
                                         : std::string(captures) + "/../trials/counter-units.tsv");
  if (!file) GTEST_SKIP() << "no table of public counters beside the captures";
  std::string line;
  std::getline(file, line);
  std::size_t rows = 0;
  while (std::getline(file, line)) {
    std::string object, counter, base, factor, why;
    std::istringstream cells(line);
    for (std::string* cell : {&object, &counter, &base, &factor, &why})
      std::getline(cells, *cell, '\t');
    // What only its type or its help tells isn't in the name.
    if (why.find("type") != std::string::npos || why.find("help") != std::string::npos) continue;
    const auto unit = unit_in(counter);
    const bool is_unit = base == "bytes" || base == "seconds";
    EXPECT_EQ(unit.has_value(), is_unit) << counter;
    if (unit && is_unit) {
      EXPECT_EQ(unit->base, base) << counter;
      EXPECT_DOUBLE_EQ(unit->factor, std::stod(factor)) << counter;
    }
    ++rows;
  }
  EXPECT_GT(rows, 20U);
}

}  // namespace
}  // namespace winperf
