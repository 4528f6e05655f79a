#include "service/selftest/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace winperf::selftest {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

TEST(DataTable, IsEmptyWithoutData) {
  EXPECT_EQ(data_table(nullptr), "");
  EXPECT_EQ(data_table(Json::object()), "");
  EXPECT_EQ(data_table(Json::array()), "");
}

TEST(DataTable, HasARowForEachMember) {
  const Json data{{"build", 20348}, {"core", true}, {"revision", nullptr}, {"list", {1, "two"}}};
  EXPECT_EQ(data_table(data),
            "<table class=\"d\">\n<tr><th>build<td>20348</tr>\n<tr><th>core<td>yes</tr>\n"
            "<tr><th>revision<td><span class=\"absent\">not known</span></tr>\n"
            "<tr><th>list<td>1, two</tr>\n</table>\n");
}

TEST(DataTable, HasAColumnForEachKeyOfEntries) {
  const Json data = Json::array({{{"name", "a"}, {"size", 1}}, {{"name", "b"}, {"more", 2.5}}});
  EXPECT_EQ(data_table(data),
            "<table class=\"d\"><thead><tr><th>name<th>size<th>more</tr></thead>\n"
            "<tr><td>a<td>1<td></tr>\n<tr><td>b<td><td>2.5</tr>\n</table>\n");
}

TEST(DataTable, ShowsNumbersAsAPersonReadsThem) {
  const Json data =
      Json::array({0.0006933215378366962, 2.2667516860243877, 1234567.891, 0.0, -0.5});
  EXPECT_EQ(data_table(data), "0.0006933, 2.267, 1234568, 0, -0.5");
  EXPECT_EQ(data_table(Json::array({18446744073709551615U})), "18446744073709551615") << "whole";
}

TEST(DataTable, ShowsForeignTextAsText) {
  const Json data{{"<b>", "</table><script>"}};
  EXPECT_THAT(data_table(data), HasSubstr("<th>&lt;b&gt;<td>&lt;/table&gt;&lt;script&gt;"));
  EXPECT_EQ(html_text("a\x01\"&"), "a&#xFFFD;&quot;&amp;");
}

TEST(DataTable, CountsWhatIsTooMuch) {
  Json many = Json::object();
  Json entries = Json::array();
  for (std::size_t i = 0; i < kMostRows + 3; ++i) {
    many[std::to_string(i)] = i;
    entries.push_back({{"row", i}});
  }
  for (const Json& data : {many, entries}) {
    EXPECT_THAT(data_table(data), HasSubstr("and 3 more: see report.json"));
    EXPECT_THAT(data_table(data), HasSubstr(">199<"));
    EXPECT_THAT(data_table(data), Not(HasSubstr(">200<")));
  }
}

TEST(DataTable, IsNoDeeperThanAPage) {
  Json deep = "bottom";
  for (int i = 0; i < 500; ++i) deep = Json{{"in", deep}};
  EXPECT_THAT(data_table(deep), HasSubstr("1 values: see report.json"));
  EXPECT_THAT(data_table(deep), Not(HasSubstr("bottom")));
}

}  // namespace
}  // namespace winperf::selftest
