// Lies that PDH could tell about values, written without knowledge of the comparison. Each row
// is one lie about one instance of a counter, told in each round, and what `verify --with pdh` must
// find: the counter, its instance, its type, and what is wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/collectors/pdh/changed_pdh.h"

namespace winperf::testing {
namespace {

// PDH_STATUS values (pdhmsg.h).
constexpr std::uint32_t kPdhNewData = 1;
constexpr std::uint32_t kInvalidData = 0xC0000BBA;
constexpr std::uint32_t kNegativeDenominator = 0x800007D6;

// One value as PDH says it.
struct SpokenByPdh {
  PdhRaw raw;
  PdhNumber number;
};

struct CellPlace {
  std::string object = "Every Type";
  std::string counter{};  // empty: the type's name without "PERF_"
  std::string instance = "two";
};

struct CellLie {
  std::string type;
  const char* wrong;
  std::string finds;  // or the reason for which it's allowed
  // `before`: the truth of the collection before it; of the first one, its own.
  void (*lie)(SpokenByPdh& now, const SpokenByPdh& before);
  CellPlace at{};

  std::string counter() const { return at.counter.empty() ? type.substr(5) : at.counter; }
};

double change_of(const SpokenByPdh& now, const SpokenByPdh& before) {
  return static_cast<double>(now.raw.first - before.raw.first);
}

const CellLie kFalseRaw[] = {
    {"PERF_COUNTER_RAWCOUNT_HEX", "one too high", "raw value",
     [](auto& now, auto&) { now.raw.first += 1; }},
    {"PERF_COUNTER_LARGE_RAWCOUNT_HEX", "halves swapped", "raw value",
     [](auto& now, auto&) {
       now.raw.first =
           std::bit_cast<std::int64_t>(std::rotl(std::bit_cast<std::uint64_t>(now.raw.first), 32));
     }},
    {"PERF_COUNTER_RAWCOUNT", "the sign changed", "raw value",
     [](auto& now, auto&) { now.raw.first = -now.raw.first; }},
    {"PERF_COUNTER_LARGE_RAWCOUNT", "in another unit", "raw value",
     [](auto& now, auto&) { now.raw.first /= 1'024; }},
    {"PERF_DOUBLE_RAW", "a number instead of its bits", "raw value",
     [](auto& now, auto&) {
       now.raw.first = static_cast<std::int64_t>(std::bit_cast<double>(now.raw.first));
     }},
    {"PERF_COUNTER_DELTA", "what was added instead of the value", "raw value",
     [](auto& now, auto& before) { now.raw.first -= before.raw.first; }},
    {"PERF_COUNTER_LARGE_DELTA", "stale", "raw value",
     [](auto& now, auto& before) { now.raw.first = before.raw.first; }},
    {"PERF_COUNTER_LARGE_QUEUELEN_TYPE", "the time is on the 100 ns clock", "clock",
     [](auto& now, auto&) { now.raw.second = now.raw.local_time - 72'000'000'000; }},
    {"PERF_COUNTER_100NS_QUEUELEN_TYPE", "the time is local", "clock",
     [](auto& now, auto&) { now.raw.second = now.raw.local_time; }},
    {"PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE", "the time is on the processor's clock", "clock",
     [](auto& now, auto&) { now.raw.second *= 10; }},
    {"PERF_COUNTER_COUNTER", "no time", "clock", [](auto& now, auto&) { now.raw.second = 0; }},
    {"PERF_COUNTER_BULK_COUNT", "value and time exchanged", "raw value",
     [](auto& now, auto&) { std::swap(now.raw.first, now.raw.second); }},
    {"PERF_RAW_FRACTION", "no base", "base", [](auto& now, auto&) { now.raw.second = 0; }},
    {"PERF_LARGE_RAW_FRACTION", "the counter is its own base", "base",
     [](auto& now, auto&) { now.raw.second = now.raw.first; }},
    {"PERF_PRECISION_SYSTEM_TIMER", "a time instead of the base", "base",
     [](auto& now, auto&) { now.raw.second = now.raw.local_time; }},
    {"PERF_PRECISION_100NS_TIMER", "one too low", "base",
     [](auto& now, auto&) { now.raw.second -= 1; }},
    {"PERF_OBJ_TIME_TIMER", "the time is in seconds", "clock",
     [](auto& now, auto&) { now.raw.second /= 1'000'000; }},
    {"PERF_SAMPLE_FRACTION", "the base is stale", "base",
     [](auto& now, auto& before) { now.raw.second = before.raw.second; }},
    {"PERF_COUNTER_MULTI_TIMER", "one component", "multi count",
     [](auto& now, auto&) { now.raw.multi_count = 1; }},
    {"PERF_100NSEC_MULTI_TIMER_INV", "no component", "multi count",
     [](auto& now, auto&) { now.raw.multi_count = 0; }},
    {"PERF_AVERAGE_TIMER", "the base is negative", "base",
     [](auto& now, auto&) { now.raw.second = -now.raw.second; }},
    {"PERF_AVERAGE_BULK", "value and base are those of another instance", "raw value",
     [](auto& now, auto&) { now.raw.first /= 2, now.raw.second /= 2; }},
    {"PERF_ELAPSED_TIME", "started in another epoch", "raw value",
     [](auto& now, auto&) { now.raw.first += 11'644'473'600'000'000; }},
    {"PERF_COUNTER_COUNTER",
     "only the lower half of 32 bits",
     "raw value",
     [](auto& now, auto&) { now.raw.first &= 0xFFFF; },
     {"Every Type Single", "", ""}},
    {"PERF_100NSEC_TIMER_INV",
     "only 32 bits",
     "raw value",
     [](auto& now, auto&) { now.raw.first &= 0xFFFF'FFFF; },
     {"Processor Information", "% Processor Time", "0,1"}},
    {"PERF_COUNTER_RAWCOUNT",
     "as a signed 32-bit number",
     "raw value",
     [](auto& now, auto&) { now.raw.first = static_cast<std::int32_t>(now.raw.first); },
     {"Edge", "Wide Size", "other"}},
    {"PERF_COUNTER_LARGE_RAWCOUNT",
     "as an unsigned 63-bit number",
     "raw value",
     [](auto& now, auto&) { now.raw.first &= std::numeric_limits<std::int64_t>::max(); },
     {"Edge", "Huge Size", "other"}},
    {"PERF_COUNTER_COUNTER",
     "33 bits",
     "raw value",
     [](auto& now, auto&) { now.raw.first += 0x1'0000'0000; },
     {"Edge", "Wraps/sec", "other"}},
    {"PERF_COUNTER_BULK_COUNT",
     "only 32 bits",
     "raw value",
     [](auto& now, auto&) { now.raw.first &= 0xFFFF'FFFF; },
     {"Edge", "Many/sec", "other"}},
    {"PERF_COUNTER_COUNTER",
     "a rate instead of a count",
     "raw value",
     [](auto& now, auto&) { now.raw.first = 25; },
     {"System", "System Calls/sec", ""}},
    {"PERF_COUNTER_RAWCOUNT",
     "zero",
     "raw value",
     [](auto& now, auto&) { now.raw.first = 0; },
     {"System", "Processor Queue Length", ""}},
    {"PERF_COUNTER_LARGE_RAWCOUNT",
     "one too low",
     "raw value",
     [](auto& now, auto&) { now.raw.first -= 1; },
     {"Thing", "Thing Size", "second"}},
};

void say(SpokenByPdh& said, double value) { said.number.value = value; }
void multiply(SpokenByPdh& said, double factor) { said.number.value *= factor; }

const CellLie kFalseNumbers[] = {
    {"PERF_DOUBLE_RAW", "whole", kNumberOfPdhRaw,
     [](auto& now, auto&) { say(now, std::trunc(now.number.value)); }},
    {"PERF_100NSEC_MULTI_TIMER_INV", "of one component", kNumberOfPdhRaw,
     [](auto& now, auto&) { say(now, now.number.value - 300); }},
    {"PERF_PRECISION_100NS_TIMER",
     "at most 40",
     kNumberOfPdhRaw,
     [](auto& now, auto&) { say(now, 40); },
     {"Processor Information", "Average Idle Time", "_Total"}},
    {"PERF_COUNTER_RAWCOUNT_HEX", "1 % too high", kNumberOfPdhRaw,
     [](auto& now, auto&) { multiply(now, 1.01); }},
    {"PERF_COUNTER_LARGE_RAWCOUNT_HEX", "by the default scale", kNumberOfPdhRaw,
     [](auto& now, auto&) { multiply(now, 0.1); }},
    {"PERF_COUNTER_RAWCOUNT", "the sign changed", kNumberOfPdhRaw,
     [](auto& now, auto&) { multiply(now, -1); }},
    {"PERF_COUNTER_LARGE_RAWCOUNT", "infinite", "number is not finite",
     [](auto& now, auto&) { say(now, HUGE_VAL); }},
    {"PERF_COUNTER_DELTA", "divided by the time", kNumberOfPdhRaw,
     [](auto& now, auto& before) {
       multiply(now, 1e7 / static_cast<double>(now.raw.local_time - before.raw.local_time));
     }},
    {"PERF_COUNTER_LARGE_DELTA", "the value itself", kNumberOfPdhRaw,
     [](auto& now, auto&) { say(now, static_cast<double>(now.raw.first)); }},
    {"PERF_SAMPLE_COUNTER", "not divided by the time", kNumberOfPdhRaw,
     [](auto& now, auto& before) { say(now, change_of(now, before)); }},
    {"PERF_COUNTER_QUEUELEN_TYPE", "in seconds", kNumberOfPdhRaw,
     [](auto& now, auto&) { multiply(now, 1e7); }},
    {"PERF_COUNTER_LARGE_QUEUELEN_TYPE", "a percentage", kNumberOfPdhRaw,
     [](auto& now, auto&) { multiply(now, 100); }},
    {"PERF_COUNTER_100NS_QUEUELEN_TYPE", "0", kNumberOfPdhRaw,
     [](auto& now, auto&) { say(now, 0); }},
    {"PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE", "on the processor's clock", kNumberOfPdhRaw,
     [](auto& now, auto&) { multiply(now, 0.1); }},
    {"PERF_COUNTER_COUNTER", "per 100 ns", kNumberOfPdhRaw,
     [](auto& now, auto&) { multiply(now, 1e-7); }},
    {"PERF_COUNTER_BULK_COUNT", "not a number", "number is not finite",
     [](auto& now, auto&) { say(now, std::nan("")); }},
    {"PERF_RAW_FRACTION", "of 1", kNumberOfPdhRaw, [](auto& now, auto&) { multiply(now, 0.01); }},
    {"PERF_LARGE_RAW_FRACTION", "of the differences", kNumberOfPdhRaw,
     [](auto& now, auto& before) {
       if (now.raw.second == before.raw.second) return;
       say(now,
           100 * change_of(now, before) / static_cast<double>(now.raw.second - before.raw.second));
     }},
    {"PERF_COUNTER_TIMER", "a percentage twice", kNumberOfPdhRaw,
     [](auto& now, auto&) { multiply(now, 100); }},
    {"PERF_PRECISION_SYSTEM_TIMER", "by the time instead of the base", kNumberOfPdhRaw,
     [](auto& now, auto& before) {
       say(now, 100 * change_of(now, before) /
                    static_cast<double>(now.raw.local_time - before.raw.local_time));
     }},
    {"PERF_100NSEC_TIMER", "1 % too low", kNumberOfPdhRaw,
     [](auto& now, auto&) { multiply(now, 0.99); }},
    {"PERF_PRECISION_100NS_TIMER", "of the values, not the differences", kNumberOfPdhRaw,
     [](auto& now, auto&) {
       say(now, 100 * static_cast<double>(now.raw.first) / static_cast<double>(now.raw.second));
     }},
    {"PERF_OBJ_TIME_TIMER", "on the processor's clock", kNumberOfPdhRaw,
     [](auto& now, auto&) { multiply(now, 0.1); }},
    {"PERF_PRECISION_OBJECT_TIMER", "inverse", kNumberOfPdhRaw,
     [](auto& now, auto&) { say(now, 100 - now.number.value); }},
    {"PERF_SAMPLE_FRACTION", "of the values, not the differences", kNumberOfPdhRaw,
     [](auto& now, auto&) {
       say(now, 100 * static_cast<double>(now.raw.first) / static_cast<double>(now.raw.second));
     }},
    {"PERF_COUNTER_TIMER_INV", "not inverse", kNumberOfPdhRaw,
     [](auto& now, auto&) { say(now, 100 - now.number.value); }},
    {"PERF_100NSEC_TIMER_INV", "negative", kNumberOfPdhRaw,
     [](auto& now, auto&) { multiply(now, -1); }},
    {"PERF_COUNTER_MULTI_TIMER", "not divided by the components", kNumberOfPdhRaw,
     [](auto& now, auto&) { multiply(now, 4); }},
    {"PERF_100NSEC_MULTI_TIMER", "divided by the components twice", kNumberOfPdhRaw,
     [](auto& now, auto&) { multiply(now, 0.25); }},
    {"PERF_COUNTER_MULTI_TIMER_INV", "at most 100", kNumberOfPdhRaw,
     [](auto& now, auto&) { say(now, std::min(now.number.value, 100.0)); }},
    {"PERF_AVERAGE_TIMER", "in ticks", kNumberOfPdhRaw,
     [](auto& now, auto&) { multiply(now, 1e7); }},
    {"PERF_AVERAGE_BULK", "by the time instead of the base", kNumberOfPdhRaw,
     [](auto& now, auto& before) { say(now, change_of(now, before)); }},
    {"PERF_ELAPSED_TIME",
     "in another epoch",
     kNumberOfPdhRaw,
     [](auto& now, auto&) { say(now, now.number.value + 11'644'473'600.0); },
     {"Edge", "Age", "other"}},
    {"PERF_COUNTER_COUNTER",
     "of the interval before it",
     kNumberOfPdhRaw,
     [](auto& now, auto& before) { now.number.value = before.number.value; },
     {"Every Type Single", "", ""}},
    {"PERF_COUNTER_BULK_COUNT",
     "half, as for two intervals",
     kNumberOfPdhRaw,
     [](auto& now, auto&) { multiply(now, 0.5); },
     {"Edge", "Many/sec", "other"}},
    {"PERF_COUNTER_LARGE_RAWCOUNT",
     "unsigned",
     kNumberOfPdhRaw,
     [](auto& now, auto&) { say(now, 18446744073709551603.0); },
     {"Edge", "Huge Size", "other"}},
    {"PERF_100NSEC_TIMER",
     "of all processors",
     kNumberOfPdhRaw,
     [](auto& now, auto&) { multiply(now, 4); },
     {"Processor Information", "% User Time", "_Total"}},
};

const CellLie kFalseStatus[] = {
    {"PERF_COUNTER_COUNTER", "no raw value", "status",
     [](auto& now, auto&) { now = {{.status = kInvalidData}, {.status = kInvalidData}}; }},
    {"PERF_COUNTER_BULK_COUNT", "the first collection is invalid", "status",
     [](auto& now, auto& before) {
       if (now.raw == before.raw) now.raw.status = kInvalidData;
     }},
    {"PERF_COUNTER_TIMER", "a negative denominator", "number's status",
     [](auto& now, auto&) { now.number = {.status = kNegativeDenominator}; }},
    {"PERF_100NSEC_TIMER", "no number", "number's status",
     [](auto& now, auto&) { now.number = {.status = kInvalidData}; }},
    {"PERF_DOUBLE_RAW", "an unknown status", "number's status",
     [](auto& now, auto&) { now.number.status = 0xDEAD'BEEF; }},
    {"PERF_RAW_FRACTION", "a raw value that exists has none", "status",
     [](auto& now, auto&) { now.raw.status = kInvalidData; }},
    {"PERF_AVERAGE_TIMER", "a number without two collections", "number",
     [](auto& now, auto&) { now.number.status = 0; }},
    {"PERF_ELAPSED_TIME", "a start in the future has a number", kNumberOfPdhRaw,
     [](auto& now, auto&) { now.number = {.value = 12'345}; }},
    {"PERF_ELAPSED_TIME",
     "its number's denominator is negative",
     "number's status",
     [](auto& now, auto&) { now.number = {.status = kNegativeDenominator}; },
     {"Edge", "Age", "other"}},
};

// What PDH may say: each with the reason that must be shown, or without one because it's the truth.
const CellLie kAllowed[] = {
    {"PERF_COUNTER_TEXT", "a text has a value", "texts, labels and histograms are not numbers",
     [](auto& now, auto&) { now = {{.first = 7, .multi_count = 1}, {.value = 7}}; }},
    {"PERF_COUNTER_NODATA", "a heading has a value", "texts, labels and histograms are not numbers",
     [](auto& now, auto&) { now.raw.status = now.number.status = 0; }},
    {"PERF_COUNTER_HISTOGRAM_TYPE", "any value", "texts, labels and histograms are not numbers",
     [](auto& now, auto&) { now.raw.first *= 100; }},
    {"PERF_DOUBLE_RAW", "its bits as a number", "PDH may take its bits for an integer",
     [](auto& now, auto&) { say(now, static_cast<double>(now.raw.first)); }},
    {"PERF_100NSEC_MULTI_TIMER_INV", "divided by the components", "an older description",
     [](auto& now, auto&) { multiply(now, 0.25); }},
    {"PERF_COUNTER_COUNTER",
     "negative after a wrap",
     "a value fell",
     [](auto& now, auto& before) { say(now, change_of(now, before)); },
     {"Edge", "Wraps/sec", "other"}},
    {"PERF_COUNTER_COUNTER", "new data", "",
     [](auto& now, auto&) { now.raw.status = kPdhNewData; }},
    {"PERF_COUNTER_DELTA", "a time that its type doesn't use", "",
     [](auto& now, auto&) { now.raw.second = 12'345; }},
    {"PERF_COUNTER_BULK_COUNT", "components that its type doesn't have", "",
     [](auto& now, auto&) { now.raw.multi_count = 7; }},
    {"PERF_COUNTER_TIMER", "a number that its status calls invalid", "",
     [](auto& now, auto& before) {
       if (now.raw == before.raw) say(now, 1e300);
     }},
};

ChangedPdh::Hooks hooks_of(std::vector<CellLie> lies) {
  return {.values = [lies = std::move(lies)](PdhCollection& said, const PdhCollection& before) {
    for (std::size_t i = 0; i < said.counters.size(); ++i) {
      PdhValues& values = said.counters[i];
      const PdhValues& past = before.counters[i];
      for (std::size_t j = 0; j < values.raw.size(); ++j)
        for (const CellLie& row : lies) {
          if (values.name != row.counter() || values.raw[j].instance != row.at.instance) continue;
          SpokenByPdh now{values.raw[j].raw, values.numbers[j].number};
          row.lie(now, {past.raw[j].raw, past.numbers[j].number});
          values.raw[j].raw = now.raw;
          values.numbers[j].number = now.number;
        }
    }
  }};
}

bool names(const PdhDifference& found, const CellLie& row) {
  return found.counter == row.counter() && found.type == row.type &&
         found.instance == row.at.instance;
}

class PdhOutsiderCells : public PdhOutsider {
 protected:
  static std::vector<CellLie> all_lies() {
    std::vector<CellLie> lies(std::begin(kFalseRaw), std::end(kFalseRaw));
    lies.insert(lies.end(), std::begin(kFalseNumbers), std::end(kFalseNumbers));
    lies.insert(lies.end(), std::begin(kFalseStatus), std::end(kFalseStatus));
    return lies;
  }

  // `finds`: anything of the value, if it's empty.
  void expect_found(const CellLie& row, const std::string& finds, const Pace& pace,
                    std::size_t rounds) {
    SCOPED_TRACE(row.type + " of " + row.at.object + ": " + row.wrong);
    const VerifiedByPdh result = verify(row.at.object, hooks_of({row}), pace, rounds);
    const auto& all = result.comparison.differences;
    EXPECT_TRUE(std::ranges::any_of(all, [&](const PdhDifference& found) {
      return names(found, row) && (finds.empty() || found.what == finds);
    })) << text_of(result);
    EXPECT_TRUE(std::ranges::all_of(all, [&](const PdhDifference& found) {
      return names(found, row);
    })) << text_of(result);
  }
};

TEST_F(PdhOutsiderCells, EachLieIsFound_AndNothingElse) {
  for (const CellLie& row : all_lies())
    expect_found(row, row.finds, {.look_100ns = 0, .late_percent = 1}, 2);
}

// Then a value may lie anywhere between two readings, so that one more or less is no difference,
// and of a gauge only the number may show it.
TEST_F(PdhOutsiderCells, EachLieIsFoundWhileTimePasses) {
  for (const CellLie& row : all_lies())
    if (!std::string_view(row.wrong).starts_with("one too"))
      expect_found(row, "", {.look_100ns = 1'000, .late_percent = 1}, 1);
}

TEST_F(PdhOutsiderCells, ManyLiesAtOnceAreEachFound) {
  const std::vector<std::vector<CellLie>> tables{
      {std::begin(kFalseRaw), std::end(kFalseRaw)},
      {std::begin(kFalseNumbers), std::end(kFalseNumbers)}};
  for (const std::vector<CellLie>& table : tables) {
    const VerifiedByPdh result = verify("Every Type", hooks_of(table));
    for (const CellLie& row : table) {
      const auto is_found = [&row](const PdhDifference& found) {
        return names(found, row) && found.what == row.finds;
      };
      EXPECT_TRUE(row.at.object != "Every Type" ||
                  std::ranges::any_of(result.comparison.differences, is_found))
          << row.type << ": " << row.wrong;
    }
  }
}

TEST_F(PdhOutsiderCells, WhatIsAllowedIsNoDifference_AndHasItsReason) {
  for (const CellLie& row : kAllowed) {
    SCOPED_TRACE(row.type + ": " + row.wrong);
    const VerifiedByPdh result = verify(row.at.object, hooks_of({row}));
    EXPECT_TRUE(result.agrees()) << text_of(result);
    EXPECT_TRUE(row.finds.empty() || std::ranges::any_of(result.comparison.known,
                                                         [&](const PdhKnown& known) {
                                                           return known.type == row.type &&
                                                                  known.reason.contains(row.finds);
                                                         }))
        << text_of(result);
  }
}

TEST_F(PdhOutsiderCells, TheLiesAreAboutFortyCounters_OfEveryType) {
  std::set<std::pair<std::string, std::string>> counters;
  std::set<std::string> types;
  std::vector<CellLie> rows = all_lies();
  EXPECT_GE(rows.size(), 45U);
  rows.insert(rows.end(), std::begin(kAllowed), std::end(kAllowed));
  for (const CellLie& row : rows) {
    counters.emplace(row.at.object, row.counter());
    types.insert(row.type);
  }
  EXPECT_GE(counters.size(), 40U);
  const VerifiedByPdh truth = verify("Every Type", {});
  ASSERT_TRUE(truth.record);
  for (const PdhDefinition& one : truth.record->definitions)
    EXPECT_TRUE(types.contains(to_string(one.type))) << to_string(one.type);
}

TEST_F(PdhOutsider, TheTruthIsNoLie) {
  for (const Pace& pace : {Pace{0, 0}, Pace{0, 1}, Pace{7, 3}, Pace{1'000, 50}, Pace{30'011, 230}})
    for (const std::size_t rounds : {1U, 4U})
      for (const char* object : {"System", "Thing", "Costly Thing", "Processor Information",
                                 "Every Type", "Every Type Single", "Every Type Sum",
                                 "Every Type And Sum", "Every Type History", "Edge"}) {
        const VerifiedByPdh result = verify(object, {}, pace, rounds);
        EXPECT_TRUE(result.delivered() && result.agrees()) << object << '\n' << text_of(result);
        EXPECT_GT(result.comparison.compared, 0U) << object;
      }
}

}  // namespace
}  // namespace winperf::testing
