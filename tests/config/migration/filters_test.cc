#include "config/migration/entries.h"

#include <gmock/gmock.h>

#include "collectors/match/filter.h"

namespace winperf::migration {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Filters filters_of_wql(std::string_view condition) {
  const auto patterns = patterns_of_wql(condition);
  EXPECT_TRUE(patterns) << condition << ": " << patterns.error();
  return patterns.value_or(Filters{});
}

TEST(WqlPatterns, AreThoseOfNames) {
  EXPECT_THAT(filters_of_wql("Name='x'").include, ElementsAre("(?i)x"));
  EXPECT_THAT(filters_of_wql("name = \"a b\"").include, ElementsAre("(?i)a b"));
  EXPECT_THAT(filters_of_wql("(Name='x' OR (Name='y' or NAME LIKE 'z%'))").include,
              ElementsAre("(?i)x", "(?i)y", "(?i)z.*"));
  EXPECT_THAT(
      filters_of_wql("Name<>'a' AND NOT Name LIKE '%b_' AND Name != 'c' and name not like 'd'")
          .exclude,
      ElementsAre("(?i)a", "(?i).*b.", "(?i)c", "(?i)d"));
  EXPECT_EQ(filters_of_wql("Name LIKE 'a%' AND Name <> 'ab'"),
            (Filters{.include = {"(?i)a.*"}, .exclude = {"(?i)ab"}}));
}

TEST(WqlPatterns, MatchWhatWqlMatches) {
  const auto matches = [](std::string_view condition, std::string_view name) {
    const auto pattern = Pattern::compile(filters_of_wql(condition).include.front());
    return pattern && pattern->match(name) == Match::kYes;
  };
  EXPECT_TRUE(matches("Name='MSSQL$A.B'", "mssql$a.b"));
  EXPECT_FALSE(matches("Name='MSSQL$A.B'", "mssql$axb"));
  EXPECT_TRUE(matches("Name LIKE 'SQLAgent$%'", "SQLAgent$PROD"));
  EXPECT_TRUE(matches("Name LIKE '[a-c]x'", "bx"));
  EXPECT_FALSE(matches("Name LIKE '[^a-c]x'", "bx"));
  EXPECT_TRUE(matches("Name = 'a\\\\b\\'c'", "a\\b'c"));
}

TEST(WqlPatterns, OfAnythingElse_AreNone) {
  for (const char* condition :
       {"State='Running'", "Name='a' AND State='Running'", "Name='a' OR Name<>'b'",
        "Name='a' AND Name='b'", "Name<>'a' OR Name<>'b'", "Name", "Name=", "Name='a", "Name='a' x",
        "NOT (Name='a')", "(Name='a'", "", "Name > 'a'", "Name='a' OR"})
    EXPECT_FALSE(patterns_of_wql(condition)) << condition;
  EXPECT_EQ(patterns_of_wql("Name='a' AND State='x'").error(), "State='x'");
}

}  // namespace
}  // namespace winperf::migration
