#include "exporter/textfile/textfile_family.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <string>

namespace winperf {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(GoNumber, IsADecimalNumber) {
  const std::pair<const char*, double> numbers[] = {
      {"0", 0},           {"12", 12},    {"+12", 12},
      {"-12.5", -12.5},   {".5", 0.5},   {"1.", 1},
      {"-.5e1", -5},      {"1e3", 1000}, {"1E+3", 1000},
      {"1e-3", 0.001},    {"007", 7},    {"1e308", 1e308},
      {"5e-324", 5e-324}, {"1e-400", 0}, {"0e999999999999", 0},
      {"0.1e309", 1e308}};
  for (const auto& [text, value] : numbers) EXPECT_EQ(parse_go_number(text), value) << text;
  EXPECT_EQ(parse_go_number("0." + std::string(400, '0') + "1"), 0);
  EXPECT_EQ(parse_go_number("0." + std::string(400, '0') + "1e401"), 1);
  EXPECT_EQ(parse_go_number("1" + std::string(400, '0') + "e-400"), 1);
  EXPECT_EQ(parse_go_number("1" + std::string(400, '0') + "e-9999"), 0);
  EXPECT_EQ(parse_go_number("1e-99999999999999999999"), 0);
  EXPECT_TRUE(std::signbit(*parse_go_number("-0")));
  EXPECT_TRUE(std::signbit(*parse_go_number("-1e-400")));
}

TEST(GoNumber, IsNoneOrInfinite) {
  for (const char* text : {"NaN", "nan", "NAN"})
    EXPECT_TRUE(std::isnan(parse_go_number(text).value_or(0))) << text;
  for (const char* text : {"Inf", "+Inf", "inf", "+INF", "Infinity", "+infinity"})
    EXPECT_EQ(parse_go_number(text), kInfinity) << text;
  for (const char* text : {"-Inf", "-infinity"}) EXPECT_EQ(parse_go_number(text), -kInfinity);
}

TEST(GoNumber, IsNothingElse) {
  for (const char* text : {"",       "+",
                           "-",      ".",
                           "e1",     "1e",
                           "1e+",    "+-1",
                           "--1",    "1 ",
                           " 1",     "1,5",
                           "1_000",  "0x10",
                           "0x1p4",  "+NaN",
                           "-nan",   "nan(1)",
                           "infi",   "1e309",
                           "-1e309", "1e99999999999999999999",
                           "true",   "1.2.3",
                           "1e1.5",  "\u0661"})
    EXPECT_FALSE(parse_go_number(text)) << text;
  EXPECT_FALSE(parse_go_number("1" + std::string(400, '0')));
  EXPECT_FALSE(parse_go_number("0." + std::string(400, '0') + "1e900"));
}

TEST(GoNumber, IsWrittenAsGoWritesIt) {
  const auto text = [](double value, bool has_point) {
    std::string out;
    append_go_number(out, value, has_point);
    return out;
  };
  // Of Go 1.19: strconv.FormatFloat(value, 'g', -1, 64).
  const std::pair<double, const char*> numbers[] = {{0, "0"},
                                                    {1, "1"},
                                                    {0.5, "0.5"},
                                                    {100'000, "100000"},
                                                    {1e6, "1e+06"},
                                                    {1.5e6, "1.5e+06"},
                                                    {-2, "-2"},
                                                    {0.0001, "0.0001"},
                                                    {0.00001, "1e-05"},
                                                    {1e300, "1e+300"},
                                                    {0.1, "0.1"},
                                                    {123456.75, "123456.75"},
                                                    {kInfinity, "+Inf"},
                                                    {-kInfinity, "-Inf"}};
  for (const auto& [value, written] : numbers) EXPECT_EQ(text(value, false), written);
  EXPECT_EQ(text(0, true), "0.0");
  EXPECT_EQ(text(100'000, true), "100000.0");
  EXPECT_EQ(text(0.5, true), "0.5");
  EXPECT_EQ(text(1e6, true), "1e+06");
  EXPECT_EQ(text(kInfinity, true), "+Inf");
}

}  // namespace
}  // namespace winperf
