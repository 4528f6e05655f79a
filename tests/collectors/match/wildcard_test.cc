#include "collectors/match/filter.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace winperf {
namespace {

Filter including(std::initializer_list<const char*> patterns) {
  Filter filter;
  for (const char* const text : patterns) filter.include.push_back(*Pattern::compile(text));
  return filter;
}

TEST(Wildcard, SaysWhatAnExpressionSays) {
  struct Row {
    const char* expression;
    const char* wildcard;
  };
  constexpr Row kRows[] = {
      {"_Total", "_Total"},
      {"0,.*", "0,*"},
      {"(?i)svchost.*", "svchost*"},
      {"^C:$", "C:"},
      {"pid_.+_3D", "pid_*_3D"},
      {"a.c", "a*c"},
      {"sql\\.exe", "sql.exe"},
      {"what\\?", "what?"},
      {".*", "*"},
      {"\\(idle\\)", "(idle)"},
      {"\xC3\xA9t\xC3\xA9", "\xC3\xA9t\xC3\xA9"},
      {"cost\\$", "cost$"},
      {R"(\!\/\:\@\[\`\{\~)", "!/:@[`{~"},
  };
  for (const Row& row : kRows)
    EXPECT_EQ(wildcard_for(including({row.expression})), row.wildcard) << row.expression;
}

TEST(Wildcard, IsEverythingWhereAnExpressionSaysMore) {
  for (const char* const expression :
       {"a|b", "[ab]", "(a)", "a*", "a+", "a?", "ab?c", "\\d", "x{2}", "", "a\\*+", ".{3}", ".?",
        "\\0", "\\A", "\\Z", "\\a", "\\z"})
    EXPECT_EQ(wildcard_for(including({expression})), "*") << expression;
  EXPECT_EQ(wildcard_for(including({"a", "b"})), "*");
  EXPECT_EQ(wildcard_for({}), "*");
}

TEST(Wildcard, OneNameIsOneWithoutSpecialCharacters) {
  EXPECT_EQ(only_name(including({"% Processor Time"})), "% Processor Time");
  EXPECT_EQ(only_name(including({"Working Set.*"})), std::nullopt);
  EXPECT_EQ(only_name(including({"a", "b"})), std::nullopt);
  EXPECT_EQ(only_name(including({""})), std::nullopt);
  EXPECT_EQ(only_name({}), std::nullopt);
  Filter excluding = including({"a"});
  excluding.exclude = excluding.include;
  EXPECT_EQ(only_name(excluding), std::nullopt);
}

}  // namespace
}  // namespace winperf
