// What the table of the exporter's own counters keeps to, so that perfmon and its like can use it.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/counter_type.h"
#include "collectors/wire/text.h"
#include "exporter/counters/own_counters.h"

namespace winperf::own {
namespace {

CounterTypeInfo info_of(OwnType type) {
  return describe(CounterType{static_cast<std::uint32_t>(type)});
}

template <typename Row>
std::vector<OwnText> texts_of(const Row& row) {
  return {row.english, row.german, row.french};
}

// --- types ---

TEST(OwnCounterTypes, HaveTheNamesThatTheyHaveInTheTableOfTypes) {
  const std::map<OwnType, std::string_view> names{
      {OwnType::kRawCount, "PERF_COUNTER_RAWCOUNT"},
      {OwnType::kLargeRawCount, "PERF_COUNTER_LARGE_RAWCOUNT"},
      {OwnType::kLargeDelta, "PERF_COUNTER_LARGE_DELTA"},
      {OwnType::kQueueLength100ns, "PERF_COUNTER_100NS_QUEUELEN_TYPE"},
      {OwnType::kBulkCount, "PERF_COUNTER_BULK_COUNT"},
      {OwnType::kLargeRawFraction, "PERF_LARGE_RAW_FRACTION"},
      {OwnType::kLargeRawBase, "PERF_LARGE_RAW_BASE"},
      {OwnType::kTimer100ns, "PERF_100NSEC_TIMER"},
      {OwnType::kSampleFraction, "PERF_SAMPLE_FRACTION"},
      {OwnType::kSampleBase, "PERF_SAMPLE_BASE"},
      {OwnType::kAverageTimer, "PERF_AVERAGE_TIMER"},
      {OwnType::kAverageBulk, "PERF_AVERAGE_BULK"},
      {OwnType::kAverageBase, "PERF_AVERAGE_BASE"},
      {OwnType::kElapsedTime, "PERF_ELAPSED_TIME"},
  };
  std::set<OwnType> used;
  for (const ObjectRow* const object : kObjects) {
    for (const CounterRow& row : object->counters) {
      used.insert(row.type);
      ASSERT_TRUE(names.contains(row.type)) << row.symbol;
      EXPECT_EQ(info_of(row.type).name, names.at(row.type)) << row.symbol;
    }
  }
  EXPECT_EQ(used.size(), names.size());
}

TEST(OwnCounterTypes, SayWhichRowsAreBases) {
  for (const ObjectRow* const object : kObjects)
    for (const CounterRow& row : object->counters)
      EXPECT_EQ(is_base(row.type), info_of(row.type).is_base) << row.symbol;
}

TEST(OwnCounterTypes, HaveTheSizesOfTheirTypes) {
  for (const ObjectRow* const object : kObjects) {
    for (const CounterRow& row : object->counters) {
      const bool as_disks_have_it = row.type == OwnType::kAverageTimer;
      EXPECT_EQ(row.bytes, as_disks_have_it ? 8U : info_of(row.type).raw_bytes) << row.symbol;
    }
  }
}

TEST(OwnCounterTypes, HaveTheBaseThatTheyNeedAfterThem) {
  for (const ObjectRow* const object : kObjects) {
    const auto& rows = object->counters;
    EXPECT_FALSE(is_base(rows[0].type));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const BaseKind needed = info_of(rows[i].type).base;
      const bool followed = i + 1 < rows.size() && is_base(rows[i + 1].type);
      EXPECT_EQ(followed, needed != BaseKind::kNone) << rows[i].symbol;
      if (followed) {
        const CounterType base{static_cast<std::uint32_t>(rows[i + 1].type)};
        EXPECT_TRUE(is_base_of(needed, base)) << rows[i].symbol;
      }
    }
  }
}

// Raw, change, rate, queue length, share of a total, share of time, average and time since.
TEST(OwnCounterTypes, AreOfEachFamilyOfFormulas) {
  std::set<Formula> formulas;
  for (const ObjectRow* const object : kObjects)
    for (const CounterRow& row : object->counters)
      if (!is_base(row.type)) formulas.insert(info_of(row.type).formula);
  const std::set<Formula> expected{
      Formula::kRaw,         Formula::kDelta,          Formula::kRate,  Formula::kQueueLength,
      Formula::kRawFraction, Formula::kSampleFraction, Formula::kTimer, Formula::kAverageTimer,
      Formula::kAverageBulk, Formula::kElapsed};
  EXPECT_EQ(formulas, expected);
}

// --- order and numbers ---

TEST(OwnCounterTitles, FollowEachOtherInStepsOfTwo) {
  std::uint32_t next = 0;
  for (const ObjectRow* const object : kObjects) {
    EXPECT_EQ(title_offset(*object), next);
    next += 2;
    for (std::size_t i = 0; i < object->counters.size(); ++i, next += 2)
      EXPECT_EQ(title_offset(*object, i), next);
  }
}

TEST(OwnCounterTitles, HaveSymbolsThatAreUnique) {
  std::set<std::string> symbols;
  const std::regex allowed("[A-Z][A-Z0-9_]*");
  for (const ObjectRow* const object : kObjects) {
    EXPECT_TRUE(symbols.insert(object->symbol).second) << object->symbol;
    for (const CounterRow& row : object->counters) {
      EXPECT_TRUE(symbols.insert(row.symbol).second) << row.symbol;
      EXPECT_TRUE(std::regex_match(row.symbol, allowed)) << row.symbol;
    }
  }
}

TEST(OwnCounterRows, HaveScalesThatChartsKnow) {
  for (const ObjectRow* const object : kObjects) {
    ASSERT_LT(object->default_counter, object->counters.size());
    EXPECT_FALSE(is_base(object->counters[object->default_counter].type));
    for (const CounterRow& row : object->counters) {
      EXPECT_GE(row.scale, -7) << row.symbol;  // perfmon has 10^-7 to 10^7
      EXPECT_LE(row.scale, 7) << row.symbol;
      if (is_base(row.type)) {
        EXPECT_EQ(row.metric, nullptr) << row.symbol;
      }
    }
  }
}

TEST(OwnCounterRows, AreFoundByTheirMetrics) {
  std::set<std::string_view> metrics;
  for (const ObjectRow* const object : kObjects) {
    for (const CounterRow& row : object->counters) {
      if (row.metric == nullptr) continue;
      EXPECT_TRUE(metrics.insert(row.metric).second) << row.metric;
      EXPECT_EQ(row_of_metric(row.metric), &row);
    }
  }
  EXPECT_GT(metrics.size(), 10U);
  EXPECT_EQ(row_of_metric("winperf_exporter"), nullptr);
}

// --- texts ---

// Of what a path such as \\MACHINE\Object(Instance)\Counter means something by, or what a line of
// an .ini can't hold.
constexpr std::string_view kNeverInNames = "\\*?\"=;\t\r\n";
constexpr std::string_view kNeverInObjects = "()/#";

bool is_trimmed(std::string_view text) {
  return !text.empty() && text.front() != ' ' && text.back() != ' ' && text.find("  ") == text.npos;
}

void expect_good_name(std::string_view name) {
  EXPECT_TRUE(is_trimmed(name)) << name;
  EXPECT_LT(name.size(), 100U) << name;
  EXPECT_EQ(name.find_first_of(kNeverInNames), name.npos) << name;
  EXPECT_EQ(to_utf8(to_utf16(name)), name);
}

void expect_good_help(std::string_view help) {
  EXPECT_TRUE(is_trimmed(help)) << help;
  EXPECT_TRUE(help.ends_with('.')) << help;
  EXPECT_EQ(help.find_first_of("\t\r\n\"=\\"), help.npos) << help;
  EXPECT_LT(help.size(), 300U) << help;
  EXPECT_EQ(to_utf8(to_utf16(help)), help);
}

TEST(OwnCounterTexts, FitPathsAndInstallFiles) {
  for (const ObjectRow* const object : kObjects) {
    for (const OwnText& text : texts_of(*object)) {
      expect_good_name(text.name);
      expect_good_help(text.help);
      EXPECT_EQ(std::string_view(text.name).find_first_of(kNeverInObjects), std::string_view::npos);
    }
    for (const CounterRow& row : object->counters) {
      for (const OwnText& text : texts_of(row)) {
        expect_good_name(text.name);
        expect_good_help(text.help);
      }
    }
  }
}

TEST(OwnCounterTexts, AreUniqueInEachLanguage) {
  for (std::size_t language = 0; language < 3; ++language) {
    std::set<std::string> objects;
    for (const ObjectRow* const object : kObjects) {
      EXPECT_TRUE(objects.insert(texts_of(*object)[language].name).second);
      std::set<std::string> names, helps;
      for (const CounterRow& row : object->counters) {
        const OwnText text = texts_of(row)[language];
        EXPECT_TRUE(names.insert(text.name).second) << text.name;
        EXPECT_TRUE(helps.insert(text.help).second) << text.help;
      }
    }
  }
}

TEST(OwnCounterTexts, InEnglishAreAscii) {
  const auto is_ascii = [](std::string_view text) {
    for (const char c : text)
      if (c < ' ' || c > '~') return false;
    return true;
  };
  for (const ObjectRow* const object : kObjects) {
    EXPECT_TRUE(is_ascii(object->english.name) && is_ascii(object->english.help));
    for (const CounterRow& row : object->counters)
      EXPECT_TRUE(is_ascii(row.english.name) && is_ascii(row.english.help)) << row.symbol;
  }
}

TEST(OwnCounterTexts, OfBasesNameTheirCounter) {
  const auto joined = [](std::string_view before, std::string_view name, std::string_view after) {
    return std::string(before) + std::string(name) + std::string(after);
  };
  for (const ObjectRow* const object : kObjects) {
    const auto& rows = object->counters;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      if (!is_base(rows[i].type)) continue;
      const CounterRow &of = rows[i - 1], &base = rows[i];
      EXPECT_EQ(base.english.name, joined("", of.english.name, " Base"));
      EXPECT_EQ(base.german.name, joined("", of.german.name, ", Basis"));
      EXPECT_EQ(base.french.name, joined("Base de ", of.french.name, ""));
      EXPECT_TRUE(std::string_view(base.english.help)
                      .starts_with(joined("Base of ", of.english.name, ": ")));
      EXPECT_TRUE(std::string_view(base.german.help)
                      .starts_with(joined("Basis von „", of.german.name, "“: ")));
      EXPECT_TRUE(std::string_view(base.french.help)
                      .starts_with(joined("Base de « ", of.french.name, " » : ")));
    }
  }
}

}  // namespace
}  // namespace winperf::own
