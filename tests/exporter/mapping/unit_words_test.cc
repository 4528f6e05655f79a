#include "exporter/mapping/words.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace winperf {
namespace {

struct UnitRow {
  const char* word;
  const char* base;
  double factor;
  UnitSort sort;
  const char* neutral;  // what stands in a name where the word is not its unit
};

const UnitRow kUnits[] = {
    {"bytes", "bytes", 1, UnitSort::kSize, "bytes"},
    {"kbytes", "bytes", 1024, UnitSort::kSize, "kbytes"},
    {"mbytes", "bytes", 1048576, UnitSort::kSize, "mbytes"},
    {"gbytes", "bytes", 1073741824, UnitSort::kSize, "gbytes"},
    {"kb", "bytes", 1024, UnitSort::kLabel, "kilobyte"},
    {"mb", "bytes", 1048576, UnitSort::kLabel, "megabyte"},
    {"gb", "bytes", 1073741824, UnitSort::kLabel, "gigabyte"},
    {"tb", "bytes", 1099511627776, UnitSort::kLabel, "terabyte"},
    {"bits", "bytes", 0.125, UnitSort::kSize, "bit"},
    {"kbit", "bytes", 125, UnitSort::kLabel, "kbit"},
    {"kbits", "bytes", 125, UnitSort::kLabel, "kbits"},
    {"mbit", "bytes", 125000, UnitSort::kLabel, "mbit"},
    {"mbits", "bytes", 125000, UnitSort::kLabel, "mbits"},
    {"gbit", "bytes", 125000000, UnitSort::kLabel, "gbit"},
    {"gbits", "bytes", 125000000, UnitSort::kLabel, "gbits"},
    {"millisec", "seconds", 0.001, UnitSort::kTime, "millisec"},
    {"millisecs", "seconds", 0.001, UnitSort::kTime, "millisecs"},
    {"microsec", "seconds", 0.000001, UnitSort::kTime, "microsec"},
    {"microsecs", "seconds", 0.000001, UnitSort::kTime, "microsecs"},
    {"usecs", "seconds", 0.000001, UnitSort::kTime, "usecs"},
    {"100ns", "seconds", 0.0000001, UnitSort::kTime, "100ns"},
    {"mins", "seconds", 60, UnitSort::kTime, "mins"},
    {"hrs", "seconds", 3600, UnitSort::kTime, "hrs"},
    {"seconds", "seconds", 1, UnitSort::kTime, "seconds"},
    {"second", "seconds", 1, UnitSort::kVague, "second"},
    {"secs", "seconds", 1, UnitSort::kVague, "second"},
    {"sec", "seconds", 1, UnitSort::kVague, "second"},
    {"s", "seconds", 1, UnitSort::kVague, "letters"},
    {"msecs", "seconds", 0.001, UnitSort::kTime, "msecs"},
    {"msec", "seconds", 0.001, UnitSort::kTime, "msec"},
    {"ms", "seconds", 0.001, UnitSort::kTime, "millisecond"},
    {"usec", "seconds", 0.000001, UnitSort::kTime, "usec"},
    {"us", "seconds", 0.000001, UnitSort::kVague, "microsecond"},
    {"ns", "seconds", 0.000000001, UnitSort::kVague, "nanosecond"},
    {"minutes", "seconds", 60, UnitSort::kTime, "minute"},
    {"hours", "seconds", 3600, UnitSort::kTime, "hour"},
    {"days", "seconds", 86400, UnitSort::kTime, "day"},
    {"weeks", "seconds", 604800, UnitSort::kTime, "week"},
    {"celsius", "celsius", 1, UnitSort::kLabel, "celsius"},
    {"kelvin", "kelvin", 1, UnitSort::kLabel, "kelvin"},
    {"kelvins", "kelvin", 1, UnitSort::kLabel, "kelvin"},
    {"meters", "meters", 1, UnitSort::kLabel, "meters"},
    {"metres", "metres", 1, UnitSort::kLabel, "metres"},
    {"inches", "meters", 0.0254, UnitSort::kLabel, "inch"},
    {"yards", "meters", 0.9144, UnitSort::kLabel, "yard"},
    {"miles", "meters", 1609.344, UnitSort::kLabel, "mile"},
    {"grams", "grams", 1, UnitSort::kLabel, "grams"},
    {"pounds", "grams", 453.59237, UnitSort::kLabel, "pound"},
    {"ounces", "grams", 28.349523125, UnitSort::kLabel, "ounce"},
    {"joules", "joules", 1, UnitSort::kLabel, "joules"},
    {"calories", "joules", 4.184, UnitSort::kLabel, "calorie"},
    {"volts", "volts", 1, UnitSort::kLabel, "volts"},
    {"amperes", "amperes", 1, UnitSort::kLabel, "amperes"},
};

TEST(UnitWords, AreTheUnitsTheyName) {
  for (const UnitRow& row : kUnits) {
    const auto unit = unit_called(row.word);
    ASSERT_TRUE(unit) << row.word;
    EXPECT_EQ(unit->base, row.base) << row.word;
    EXPECT_DOUBLE_EQ(unit->factor, row.factor) << row.word;
    EXPECT_EQ(unit->sort, row.sort) << row.word;
    EXPECT_EQ(neutral_word(row.word), row.neutral);
  }
  EXPECT_FALSE(unit_called("pages"));
}

TEST(UnitWords, WithAPrefixAreMultiples) {
  struct Row {
    const char* prefix;
    double factor;
    double of_bytes;
  };
  for (const Row& row :
       {Row{"pico", 1e-12, 1e-12}, Row{"nano", 1e-9, 1e-9}, Row{"micro", 1e-6, 1e-6},
        Row{"milli", 1e-3, 1e-3}, Row{"centi", 1e-2, 1e-2}, Row{"deci", 0.1, 0.1},
        Row{"deca", 10, 10}, Row{"hecto", 100, 100}, Row{"kilo", 1e3, std::exp2(10)},
        Row{"kibi", std::exp2(10), std::exp2(10)}, Row{"mega", 1e6, std::exp2(20)},
        Row{"mibi", std::exp2(20), std::exp2(20)}, Row{"mebi", std::exp2(20), std::exp2(20)},
        Row{"giga", 1e9, std::exp2(30)}, Row{"gibi", std::exp2(30), std::exp2(30)},
        Row{"tera", 1e12, std::exp2(40)}, Row{"tebi", std::exp2(40), std::exp2(40)},
        Row{"peta", 1e15, std::exp2(50)}, Row{"pebi", std::exp2(50), std::exp2(50)}}) {
    const std::string prefix = row.prefix;
    const auto bytes = unit_called(prefix + "bytes");
    const auto joules = unit_called(prefix + "joules");
    ASSERT_TRUE(bytes && joules) << prefix;
    EXPECT_EQ(bytes->base, "bytes");
    EXPECT_DOUBLE_EQ(bytes->factor, row.of_bytes) << prefix;
    EXPECT_EQ(joules->base, "joules");
    EXPECT_DOUBLE_EQ(joules->factor, row.factor) << prefix;
    EXPECT_EQ(unit_called(prefix + "seconds")->sort, UnitSort::kTime);
    EXPECT_EQ(neutral_word(prefix + "bytes"), prefix + "_bytes");
    EXPECT_FALSE(unit_called(prefix + "pages"));
  }
  EXPECT_FALSE(unit_called("micros")) << "a letter is no unit after a prefix";
}

TEST(UnitWords, PluralsAreThoseOfEnglish) {
  const std::pair<const char*, const char*> rows[] = {
      {"thread", "threads"},    {"retry", "retries"},
      {"body", "bodies"},       {"delay", "delays"},
      {"key", "keys"},          {"threads", "threads"},
      {"class", "classes"},     {"box", "boxes"},
      {"match", "matches"},     {"flush", "flushes"},
      {"process", "processes"}, {"y", "ys"},
      {"fly", "flies"},         {"", ""}};
  for (const auto& [one, several] : rows) EXPECT_EQ(plural(one), several);
}

}  // namespace
}  // namespace winperf
