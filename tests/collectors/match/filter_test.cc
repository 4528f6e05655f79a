#include "collectors/match/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace winperf {
namespace {

Pattern pattern(std::string_view text) {
  auto compiled = Pattern::compile(text);
  EXPECT_TRUE(compiled.has_value()) << text << ": " << compiled.error().message;
  return *compiled;
}

TEST(Pattern, MatchesTheWholeName) {
  EXPECT_EQ(pattern("C:").match("C:"), Match::kYes);
  EXPECT_EQ(pattern("C:").match("C:\\mount"), Match::kNo);
  EXPECT_EQ(pattern("C:").match("xC:"), Match::kNo);
  EXPECT_EQ(pattern("a|ab").match("ab"), Match::kYes);
  EXPECT_EQ(pattern("a|b").match("ab"), Match::kNo);
  EXPECT_EQ(pattern("").match(""), Match::kYes);
  EXPECT_EQ(pattern("").match("a"), Match::kNo);
  EXPECT_EQ(pattern("a$").match("a\n"), Match::kNo);
  EXPECT_EQ(pattern("^a$").match("a"), Match::kYes);
}

TEST(Pattern, TakesRe2Syntax) {
  EXPECT_EQ(pattern("svchost").match("SVCHOST"), Match::kNo);
  EXPECT_EQ(pattern("(?i)svchost").match("SvcHost"), Match::kYes);
  EXPECT_EQ(pattern("(?P<disk>HarddiskVolume)\\d+").match("HarddiskVolume12"), Match::kYes);
  EXPECT_EQ(pattern("\\pL+").match("\xC3\xA9t\xC3\xA9"), Match::kYes);
  EXPECT_EQ(pattern("\\p{Greek}+").match("\xCE\xB1\xCE\xB2"), Match::kYes);
  EXPECT_EQ(pattern("[[:alpha:]]+\\z").match("abc"), Match::kYes);
  EXPECT_EQ(pattern("\\Q*.exe\\E").match("*.exe"), Match::kYes);
  EXPECT_EQ(pattern("(?i)\xC3\x84").match("\xC3\xA4"), Match::kYes);
  EXPECT_EQ(pattern("x{2,3}?").match("xxx"), Match::kYes);
  EXPECT_EQ(pattern("^(?:chrome|firefox)(?:#\\d+)?$").match("chrome#2"), Match::kYes);
  EXPECT_EQ(pattern(".").match("\xF0\x9F\x98\x80"), Match::kYes);
}

TEST(Pattern, CannotBreakOutOfItsAnchors) {
  EXPECT_FALSE(Pattern::compile("a)|(?:b").has_value());
  EXPECT_EQ(pattern("(?x)a # comment").match("ab"), Match::kNo);
  EXPECT_EQ(pattern("(?x)a # comment").match("a"), Match::kYes);
}

TEST(Pattern, SaysWhereItIsWrong) {
  struct Row {
    const char* text;
    std::size_t offset;
  };
  // PCRE2 says the place before or after what is wrong, by its version.
  for (const Row& row : {Row{"ab(", 3}, Row{"*", 0}, Row{"a[b", 3}, Row{"\\C", 2}, Row{"x)", 1}}) {
    const auto compiled = Pattern::compile(row.text);
    ASSERT_FALSE(compiled.has_value()) << row.text;
    EXPECT_THAT(compiled.error().offset, ::testing::AnyOf(row.offset, row.offset + 1)) << row.text;
    EXPECT_FALSE(compiled.error().message.empty());
  }
}

TEST(Pattern, IsBoundedInSize) {
  EXPECT_TRUE(Pattern::compile(std::string(1000, 'a')).has_value());
  EXPECT_FALSE(Pattern::compile(std::string(1001, 'a')).has_value());
  EXPECT_FALSE(Pattern::compile("((a{1000}){1000}){1000}").has_value());
  EXPECT_FALSE(Pattern::compile(std::string(400, '(') + std::string(400, ')')).has_value());
}

TEST(Pattern, ReachesItsLimitInCatastrophicBacktracking) {
  const std::string name = std::string(200, 'a') + "!";
  for (const char* text :
       {"(a+)+$", "(a|aa)+[bc]", "(.*)*[xy]", "(?:a?){100}(?:a+)+[bc]", "(a*)*\\1[bc]"}) {
    const Pattern compiled = pattern(text);
    EXPECT_NE(compiled.match(name), Match::kYes) << text;
  }
  const Pattern catastrophic = pattern("(?:a|a|aa)+[bc]");
  EXPECT_EQ(catastrophic.match(name), Match::kLimitReached);
  EXPECT_EQ(catastrophic.match("aab"), Match::kYes);
}

// Each limit of PCRE2 by a pattern that only this one stops, and by what is well below it.
TEST(Pattern, IsBoundedInStepsDepthAndMemory) {
  const Pattern steps = pattern("(?:a|a)+[bc]");  // twice as many for each character
  EXPECT_EQ(steps.match(std::string(10, 'a')), Match::kNo);
  EXPECT_EQ(steps.match(std::string(18, 'a')), Match::kLimitReached);

  const Pattern depth = pattern("(?:a|b)*");  // one level for each character
  EXPECT_EQ(depth.match(std::string(4'000, 'a')), Match::kYes);
  EXPECT_EQ(depth.match(std::string(8'000, 'a')), Match::kLimitReached);

  std::string groups = "(?:a";
  for (int i = 0; i < 100; ++i) groups += "|(b)";
  const Pattern memory = pattern(groups + ")*");  // each level holds the places of 100 groups
  EXPECT_EQ(memory.match(std::string(1'000, 'a')), Match::kYes);
  EXPECT_EQ(memory.match(std::string(3'000, 'a')), Match::kLimitReached);
}

TEST(Pattern, DoesNotDecideNamesThatAreNotUtf8) {
  EXPECT_EQ(pattern(".*").match("\xFF"), Match::kLimitReached);
}

TEST(Filter, TakesAllByDefault) {
  const Filter filter;
  EXPECT_TRUE(filter.accepts_all());
  EXPECT_TRUE(filter.check("").accepted);
  EXPECT_TRUE(filter.check("_Total").accepted);
}

TEST(Filter, LetsExcludeWin) {
  const Filter filter{{pattern("C:"), pattern("D.*")}, {pattern("DVD")}};
  EXPECT_FALSE(filter.accepts_all());
  EXPECT_TRUE(filter.check("C:").accepted);
  EXPECT_TRUE(filter.check("D:").accepted);
  EXPECT_FALSE(filter.check("DVD").accepted);
  EXPECT_FALSE(filter.check("E:").accepted);
  EXPECT_TRUE((Filter{{}, {pattern("x")}}).check("y").accepted);
}

TEST(Filter, LimitReached_CountsAsNotMatchedAndIsTold) {
  const Pattern catastrophic = pattern("(?:a|a|aa)+[bc]");
  const std::string name(200, 'a');
  struct Row {
    const char* what;
    Filter filter;
    FilterResult result;
  };
  const Row rows[] = {
      {"included by nothing", {{catastrophic}, {}}, {false, true}},
      {"included by another pattern", {{catastrophic, pattern("a+")}, {}}, {true, true}},
      {"not needed", {{pattern("a+"), catastrophic}, {}}, {true, false}},
      {"not excluded", {{}, {catastrophic}}, {true, true}},
      {"excluded by another pattern", {{}, {catastrophic, pattern("a+")}}, {false, true}},
      {"excluded before", {{catastrophic}, {pattern("a+")}}, {false, false}},
  };
  for (const Row& row : rows) EXPECT_EQ(row.filter.check(name), row.result) << row.what;
}

TEST(Filter, OfTwoNamesTakesAnyAndRefusesAny) {
  const Filter include{{pattern("a|b")}, {}};
  EXPECT_TRUE(include.check("x", "a").accepted);
  EXPECT_TRUE(include.check("b", "x").accepted);
  EXPECT_FALSE(include.check("x", "y").accepted);
  const Filter exclude{{}, {pattern("a|b|")}};
  EXPECT_FALSE(exclude.check("x", "a").accepted);
  EXPECT_FALSE(exclude.check("b", "x").accepted);
  EXPECT_TRUE(exclude.check("x", "y").accepted);
  EXPECT_TRUE(exclude.check("x", "").accepted) << "there is no other name";
}

TEST(Capture, HasTheTextsOfNamedGroups) {
  const Pattern gpu = pattern("pid_(?<pid>\\d+)_(?P<rest>.*?)(_engtype_(?<engine>.*))?");
  EXPECT_EQ(gpu.groups(), (std::vector<std::string>{"pid", "rest", "engine"}));
  const Capture whole = gpu.capture("pid_12_luid_0_engtype_3D");
  EXPECT_EQ(whole.match, Match::kYes);
  EXPECT_EQ(whole.groups,
            (std::vector<GroupText>{{"pid", "12"}, {"rest", "luid_0"}, {"engine", "3D"}}));
  EXPECT_EQ(gpu.capture("pid_12_").groups, (std::vector<GroupText>{{"pid", "12"}}))
      << "an empty text and a group without any are left out";
  EXPECT_EQ(gpu.capture("_Total").match, Match::kNo);
  EXPECT_EQ(gpu.capture("_Total").groups, std::vector<GroupText>{});
}

TEST(Capture, OfAnyPatternStaysWithinTheName) {
  EXPECT_EQ(pattern("(a)(b)").groups(), std::vector<std::string>{});
  EXPECT_EQ(pattern("(a)(b)").capture("ab").groups, std::vector<GroupText>{});
  EXPECT_EQ(pattern("(?J)(?:a(?<x>.)|b(?<x>.))").groups(), std::vector<std::string>{"x"});
  EXPECT_EQ(pattern("(?J)(?:a(?<x>.)|b(?<x>.))").capture("b2").groups,
            (std::vector<GroupText>{{"x", "2"}}));
  EXPECT_EQ(pattern("a(?<kept>\\Kb)").capture("ab").groups,
            (std::vector<GroupText>{{"kept", "b"}}));
  EXPECT_EQ(pattern("(?<x>(?:a|a|aa)+)[bc]").capture(std::string(100, 'a')).match,
            Match::kLimitReached);
  EXPECT_EQ(pattern("(?<x>.*)").capture("\xff").match, Match::kLimitReached);
}

TEST(Filter, IsAValue) {
  const Filter filter{{pattern("a")}, {pattern("b")}};
  Filter copy = filter;
  EXPECT_EQ(copy, filter);
  copy.exclude.clear();
  EXPECT_NE(copy, filter);
}

TEST(Filter, MayBeUsedByManyThreads) {
  const Filter filter{{pattern("(?i)[a-z]+\\d")}, {}};
  std::vector<int> accepted(4, 0);
  {
    std::vector<std::jthread> threads;
    for (int& count : accepted) {
      threads.emplace_back([&filter, &count] {
        for (int i = 0; i < 1000; ++i)
          count += filter.check(i % 2 == 0 ? "Abc1" : "1").accepted ? 1 : 0;
      });
    }
  }
  EXPECT_EQ(accepted, (std::vector<int>{500, 500, 500, 500}));
}

TEST(Filter, AcceptsAllOnlyWithoutAnyPattern) {
  const std::vector<Pattern> some{pattern("a")};
  EXPECT_TRUE((Filter{}.accepts_all()));
  EXPECT_FALSE((Filter{.include = some, .exclude = {}}.accepts_all()));
  EXPECT_FALSE((Filter{.include = {}, .exclude = some}.accepts_all()));
  EXPECT_FALSE((Filter{.include = some, .exclude = some}.accepts_all()));
}

}  // namespace
}  // namespace winperf
