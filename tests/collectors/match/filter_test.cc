#include "collectors/match/filter.h"

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
  EXPECT_TRUE(pattern("C:").matches("C:"));
  EXPECT_FALSE(pattern("C:").matches("C:\\mount"));
  EXPECT_FALSE(pattern("C:").matches("xC:"));
  EXPECT_TRUE(pattern("a|ab").matches("ab"));
  EXPECT_FALSE(pattern("a|b").matches("ab"));
  EXPECT_TRUE(pattern("").matches(""));
  EXPECT_FALSE(pattern("").matches("a"));
  EXPECT_FALSE(pattern("a$").matches("a\n"));
  EXPECT_TRUE(pattern("^a$").matches("a"));
}

TEST(Pattern, TakesRe2Syntax) {
  EXPECT_FALSE(pattern("svchost").matches("SVCHOST"));
  EXPECT_TRUE(pattern("(?i)svchost").matches("SvcHost"));
  EXPECT_TRUE(pattern("(?P<disk>HarddiskVolume)\\d+").matches("HarddiskVolume12"));
  EXPECT_TRUE(pattern("\\pL+").matches("\xC3\xA9t\xC3\xA9"));
  EXPECT_TRUE(pattern("\\p{Greek}+").matches("\xCE\xB1\xCE\xB2"));
  EXPECT_TRUE(pattern("[[:alpha:]]+\\z").matches("abc"));
  EXPECT_TRUE(pattern("\\Q*.exe\\E").matches("*.exe"));
  EXPECT_TRUE(pattern("(?i)\xC3\x84").matches("\xC3\xA4"));
  EXPECT_TRUE(pattern("x{2,3}?").matches("xxx"));
  EXPECT_TRUE(pattern("^(?:chrome|firefox)(?:#\\d+)?$").matches("chrome#2"));
  EXPECT_TRUE(pattern(".").matches("\xF0\x9F\x98\x80"));
}

TEST(Pattern, CannotBreakOutOfItsAnchors) {
  EXPECT_FALSE(Pattern::compile("a)|(?:b").has_value());
  EXPECT_FALSE(pattern("(?x)a # comment").matches("ab"));
  EXPECT_TRUE(pattern("(?x)a # comment").matches("a"));
}

TEST(Pattern, SaysWhereItIsWrong) {
  struct Row {
    const char* text;
    std::size_t offset;
  };
  for (const Row& row : {Row{"ab(", 3}, Row{"*", 0}, Row{"a[b", 3}, Row{"\\C", 2}, Row{"x)", 1}}) {
    const auto compiled = Pattern::compile(row.text);
    ASSERT_FALSE(compiled.has_value()) << row.text;
    EXPECT_EQ(compiled.error().offset, row.offset) << row.text;
    EXPECT_FALSE(compiled.error().message.empty());
  }
}

TEST(Pattern, IsBoundedInSize) {
  EXPECT_TRUE(Pattern::compile(std::string(1000, 'a')).has_value());
  EXPECT_FALSE(Pattern::compile(std::string(1001, 'a')).has_value());
  EXPECT_FALSE(Pattern::compile("((a{1000}){1000}){1000}").has_value());
  EXPECT_FALSE(Pattern::compile(std::string(400, '(') + std::string(400, ')')).has_value());
}

TEST(Pattern, GivesUpOnCatastrophicBacktracking) {
  const std::string name = std::string(200, 'a') + "!";
  for (const char* text :
       {"(a+)+$", "(a|aa)+[bc]", "(.*)*[xy]", "(?:a?){100}(?:a+)+[bc]", "(a*)*\\1[bc]"}) {
    const Pattern compiled = pattern(text);
    EXPECT_FALSE(compiled.matches(name)) << text;
  }
  const Pattern catastrophic = pattern("(?:a|a|aa)+[bc]");
  EXPECT_FALSE(catastrophic.matches(name));
  EXPECT_EQ(catastrophic.abandoned_matches(), 1U);
  EXPECT_TRUE(catastrophic.matches("aab"));
  EXPECT_EQ(catastrophic.abandoned_matches(), 1U);
}

TEST(Pattern, CountsNamesThatAreNotUtf8) {
  const Pattern any = pattern(".*");
  EXPECT_FALSE(any.matches("\xFF"));
  EXPECT_EQ(any.abandoned_matches(), 1U);
}

TEST(Filter, TakesAllByDefault) {
  const Filter filter;
  EXPECT_TRUE(filter.accepts_all());
  EXPECT_TRUE(filter.accepts(""));
  EXPECT_TRUE(filter.accepts("_Total"));
}

TEST(Filter, LetsExcludeWin) {
  const Filter filter{{pattern("C:"), pattern("D.*")}, {pattern("DVD")}};
  EXPECT_FALSE(filter.accepts_all());
  EXPECT_TRUE(filter.accepts("C:"));
  EXPECT_TRUE(filter.accepts("D:"));
  EXPECT_FALSE(filter.accepts("DVD"));
  EXPECT_FALSE(filter.accepts("E:"));
  EXPECT_TRUE((Filter{{}, {pattern("x")}}).accepts("y"));
}

TEST(Filter, SharesItsCountWithCopies) {
  const Filter filter{{}, {pattern("(?:a|a|aa)+[bc]")}};
  const Filter copy = filter;
  EXPECT_EQ(copy, filter);
  // A match that was given up is no match, so nothing is excluded.
  EXPECT_TRUE(copy.accepts(std::string(200, 'a')));
  EXPECT_EQ(filter.abandoned_matches(), 1U);
}

TEST(Filter, MayBeUsedByManyThreads) {
  const Filter filter{{pattern("(?i)[a-z]+\\d")}, {}};
  std::vector<int> accepted(4, 0);
  {
    std::vector<std::jthread> threads;
    for (int& count : accepted) {
      threads.emplace_back([&filter, &count] {
        for (int i = 0; i < 1000; ++i) count += filter.accepts(i % 2 == 0 ? "Abc1" : "1") ? 1 : 0;
      });
    }
  }
  EXPECT_EQ(accepted, (std::vector<int>{500, 500, 500, 500}));
}

}  // namespace
}  // namespace winperf
