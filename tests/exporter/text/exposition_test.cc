#include "exporter/text/page_format.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "exporter/text/own_families.h"

namespace winperf {
namespace {

template <class Number>
std::string number(Number value) {
  std::string out;
  append_number(out, value);
  return out;
}

std::string label(std::string_view value) {
  std::string out;
  append_label(out, "x", value);
  return out;
}

TEST(Exposition_OfNumbers, RoundTrips) {
  for (const double value : {0.1, 1.0 / 3, 1e300, 5e-324, -2.5, 1726263366.6486855}) {
    EXPECT_EQ(std::strtod(number(value).c_str(), nullptr), value);
  }
  EXPECT_EQ(number(0.1), "0.1");
  EXPECT_EQ(number(std::uint64_t{18446744073709551615U}), "18446744073709551615");
}

TEST(Exposition_OfNumbers, SpellsSpecialValuesAsTheFormatDoes) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(number(std::numeric_limits<double>::quiet_NaN()), "NaN");
  EXPECT_EQ(number(kInfinity), "+Inf");
  EXPECT_EQ(number(-kInfinity), "-Inf");
}

TEST(Exposition_OfLabels, IsEscaped) {
  EXPECT_EQ(label("a\"b\\c\nd"), "x=\"a\\\"b\\\\c\\nd\"");
  EXPECT_EQ(label("\xC3\xBC"), "x=\"\xC3\xBC\"");
}

TEST(Exposition_OfBrokenUtf8, ReplacesWhatIsBroken) {
  constexpr char kMark[] = "\xEF\xBF\xBD";
  EXPECT_EQ(label("a\xFFz"), std::string("x=\"a") + kMark + "z\"");
  EXPECT_EQ(label("\xC3"), std::string("x=\"") + kMark + "\"");
  EXPECT_EQ(label("\xE2\x82z"), std::string("x=\"") + kMark + "z\"");
  EXPECT_EQ(label("\xC0\xAF"), std::string("x=\"") + kMark + kMark + "\"");  // overlong
  EXPECT_EQ(label("\xED\xA0\x80"),
            std::string("x=\"") + kMark + kMark + kMark + "\"");  // surrogate
  EXPECT_EQ(label("\xF4\x90\x80\x80"), std::string("x=\"") + kMark + kMark + kMark + kMark + "\"");
}

TEST(Exposition_OfHelp, EscapesBackslashAndNewlineButNoQuotes) {
  std::string out;
  append_header(out, PageFormat::kText, "m", "a\\b\nc \"d\"", "gauge");
  EXPECT_EQ(out, "# HELP m a\\\\b\\nc \"d\"\n# TYPE m gauge\n");
}

TEST(Exposition_OfHelpInOpenMetrics, EscapesQuotesToo) {
  std::string out;
  append_header(out, PageFormat::kOpenMetrics, "m", "a\\b\nc \"d\"", "gauge");
  EXPECT_EQ(out, "# HELP m a\\\\b\\nc \\\"d\\\"\n# TYPE m gauge\n");
}

TEST(Exposition_OfHeadersInOpenMetrics, HasFamiliesAndUnits) {
  struct Row {
    const char* name;
    const char* type;
    const char* family;
    const char* unit;
  };
  for (const Row& row :
       {Row{"a_seconds_total", "counter", "a_seconds", "seconds"},
        Row{"a_total", "counter", "a", ""},
        Row{"a_bytes_base_total", "counter", "a_bytes_base", ""}, Row{"a", "counter", "a", ""},
        Row{"a_bytes", "gauge", "a_bytes", "bytes"}, Row{"a_ratio", "gauge", "a_ratio", "ratio"},
        Row{"a_hertz", "gauge", "a_hertz", "hertz"},
        Row{"a_bytes_per_second", "gauge", "a_bytes_per_second", ""},
        Row{"a_total", "gauge", "a_total", ""}, Row{"abytes", "gauge", "abytes", ""},
        Row{"bytes", "gauge", "bytes", ""}}) {
    const std::string family = row.family;
    std::string expected = "# HELP " + family + " h\n# TYPE " + family + ' ' + row.type + '\n';
    if (*row.unit != '\0') expected += "# UNIT " + family + ' ' + row.unit + '\n';
    std::string out;
    append_header(out, PageFormat::kOpenMetrics, row.name, "h", row.type);
    EXPECT_EQ(out, expected);
  }
}

TEST(Exposition_OfOwnMetrics, SaysInOpenMetricsSinceWhenTheyCount) {
  const auto page = [](PageFormat format, std::optional<double> since) {
    static constexpr OwnFamily kCounter = own_counter("c_total", "", {"code"});
    static constexpr OwnFamily kGauge = own_gauge("g", "");
    std::string out;
    append_own(out, format,
               OwnMetrics(
                   [](SeriesSink& sink) {
                     sink.add(kCounter, {"200"}, 0);
                     sink.add(kGauge, {}, 0);
                   },
                   since));
    return out;
  };
  EXPECT_EQ(page(PageFormat::kOpenMetrics, 1.5),
            "# HELP c \n# TYPE c counter\nc_total{code=\"200\"} 0\nc_created{code=\"200\"} 1.5\n"
            "# HELP g \n# TYPE g gauge\ng 0\n");
  EXPECT_EQ(page(PageFormat::kText, 1.5),
            "# HELP c_total \n# TYPE c_total counter\nc_total{code=\"200\"} 0\n"
            "# HELP g \n# TYPE g gauge\ng 0\n");
  EXPECT_EQ(page(PageFormat::kText, 1.5), page(PageFormat::kText, {}));
}

TEST(Exposition_OfOwnMetrics, LeavesOutLabelsThatASeriesLacks) {
  static constexpr OwnFamily kRequests = own_counter("requests_total", "Help.", {"code", "route"});
  std::string out;
  append_own(out, PageFormat::kText, OwnMetrics([](SeriesSink& sink) {
               sink.add(kRequests, {"200", "/"}, 3);
               sink.add(kRequests, {{}, {}}, 0);
             }));
  EXPECT_EQ(out,
            "# HELP requests_total Help.\n# TYPE requests_total counter\n"
            "requests_total{code=\"200\",route=\"/\"} 3\nrequests_total 0\n");
}

}  // namespace
}  // namespace winperf
