#include "exporter/mapping/unit_words.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace winperf {
namespace {

Word word(std::string_view text, bool at_unit_position, bool capitals = false) {
  return {.text = std::string(text), .at_unit_position = at_unit_position, .capitals = capitals};
}

struct UnitRow {
  const char* word;
  const char* base;
  double factor;
  bool anywhere;
  const char* neutral;  // what stands in a name where the word is not its unit
};

const UnitRow kUnits[] = {
    {"bytes", "bytes", 1, true, "bytes"},
    {"kbytes", "bytes", 1024, true, "kbytes"},
    {"mbytes", "bytes", 1048576, true, "mbytes"},
    {"gbytes", "bytes", 1073741824, true, "gbytes"},
    {"kb", "bytes", 1024, false, "kilobyte"},
    {"mb", "bytes", 1048576, false, "megabyte"},
    {"gb", "bytes", 1073741824, false, "gigabyte"},
    {"tb", "bytes", 1099511627776, false, "terabyte"},
    {"bits", "bytes", 0.125, true, "bit"},
    {"seconds", "seconds", 1, true, "seconds"},
    {"second", "seconds", 1, false, "second"},
    {"secs", "seconds", 1, true, "second"},
    {"sec", "seconds", 1, true, "second"},
    {"s", "seconds", 1, false, "letters"},
    {"msecs", "seconds", 0.001, true, "msecs"},
    {"msec", "seconds", 0.001, true, "msec"},
    {"ms", "seconds", 0.001, false, "millisecond"},
    {"usec", "seconds", 0.000001, true, "usec"},
    {"us", "seconds", 0.000001, false, "microsecond"},
    {"ns", "seconds", 0.000000001, false, "nanosecond"},
    {"minutes", "seconds", 60, false, "minute"},
    {"hours", "seconds", 3600, false, "hour"},
    {"days", "seconds", 86400, false, "day"},
    {"weeks", "seconds", 604800, false, "week"},
    {"celsius", "celsius", 1, false, "celsius"},
    {"kelvin", "kelvin", 1, false, "kelvin"},
    {"kelvins", "kelvin", 1, false, "kelvin"},
    {"meters", "meters", 1, false, "meters"},
    {"metres", "metres", 1, false, "metres"},
    {"inches", "meters", 0.0254, false, "inch"},
    {"yards", "meters", 0.9144, false, "yard"},
    {"miles", "meters", 1609.344, false, "mile"},
    {"grams", "grams", 1, false, "grams"},
    {"pounds", "grams", 453.59237, false, "pound"},
    {"ounces", "grams", 28.349523125, false, "ounce"},
    {"joules", "joules", 1, false, "joules"},
    {"calories", "joules", 4.184, false, "calorie"},
    {"volts", "volts", 1, false, "volts"},
    {"amperes", "amperes", 1, false, "amperes"},
};

TEST(UnitWords, AreTheUnitsTheyNameAtTheirPlaces) {
  for (const UnitRow& row : kUnits) {
    const auto unit = unit_of(word(row.word, true));
    ASSERT_TRUE(unit) << row.word;
    EXPECT_EQ(unit->base, row.base) << row.word;
    EXPECT_DOUBLE_EQ(unit->factor, row.factor) << row.word;
    EXPECT_EQ(unit_of(word(row.word, false)).has_value(), row.anywhere) << row.word;
    EXPECT_EQ(neutral_word(row.word), row.neutral);
  }
  EXPECT_FALSE(unit_of(word("pages", true)));
}

// "BITS" is a service; "MB" and "KB" are units in any case.
TEST(UnitWords, InCapitalsAreUnitsAtTheirPositionOnly) {
  EXPECT_FALSE(unit_of(word("bits", false, true)));
  EXPECT_TRUE(unit_of(word("bits", true, true)));
  EXPECT_FALSE(unit_of(word("sec", false, true)));
  EXPECT_TRUE(unit_of(word("mb", true, true)));
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
    const auto bytes = unit_of(word(prefix + "bytes", false));
    const auto joules = unit_of(word(prefix + "joules", false));
    ASSERT_TRUE(bytes && joules) << prefix;
    EXPECT_EQ(bytes->base, "bytes");
    EXPECT_DOUBLE_EQ(bytes->factor, row.of_bytes) << prefix;
    EXPECT_EQ(joules->base, "joules");
    EXPECT_DOUBLE_EQ(joules->factor, row.factor) << prefix;
    EXPECT_EQ(neutral_word(prefix + "bytes"), prefix + "_bytes");
    EXPECT_FALSE(unit_of(word(prefix + "pages", true)));
  }
  EXPECT_FALSE(unit_of(word("micros", true))) << "a letter is no unit after a prefix";
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
