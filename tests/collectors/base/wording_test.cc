#include "collectors/base/wording.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "collectors/base/printable.h"

namespace winperf {
namespace {

TEST(Counted, OneIsSingularAndAllElseIsPlural) {
  EXPECT_EQ(counted(0, "sample"), "0 samples");
  EXPECT_EQ(counted(1, "sample"), "1 sample");
  EXPECT_EQ(counted(2, "V2 counterset"), "2 V2 countersets");
  EXPECT_EQ(counted(std::numeric_limits<std::uint64_t>::max(), "byte"),
            "18446744073709551615 bytes");
  EXPECT_EQ(counted(1, "value was", "values were"), "1 value was");
  EXPECT_EQ(counted(0, "value was", "values were"), "0 values were");
}

TEST(Joined, NamesSoManyAndCountsTheOthers) {
  EXPECT_EQ(joined({}, ", "), "");
  EXPECT_EQ(joined({"a"}, ", "), "a");
  EXPECT_EQ(joined({"a", "b", "c"}, " or "), "a or b or c");
  EXPECT_EQ(joined({"a", "b", "c"}, ", ", 3), "a, b, c");
  EXPECT_EQ(joined({"a", "b", "c"}, ", ", 1), "a and 2 more");
  EXPECT_EQ(joined({"a\n"}, ", "), printable("a\n"));
}

TEST(Joined, TakesEachPartAsAFunctionHasIt) {
  const std::vector<std::string> names{"a", "b\n"};
  EXPECT_EQ(joined(names, ",", std::identity()), "a,b\n");
  EXPECT_EQ(joined(names, " or ", in_quotes), "\"a\" or \"b?\"");
  EXPECT_EQ(joined(std::vector<int>{1, 2}, "+", [](int i) { return std::to_string(i); }), "1+2");
  EXPECT_EQ(joined(std::vector<std::string>{"", "a", ""}, ",", std::identity()), "a,");
}

TEST(InQuotes, ShortensAndBlots) {
  EXPECT_EQ(in_quotes("a"), "\"a\"");
  EXPECT_EQ(in_quotes("a\nb\x7F"), "\"a?b?\"");
  EXPECT_EQ(in_quotes(std::string(61, 'x')), "\"" + std::string(60, 'x') + "...\"");
  // Never half a character.
  EXPECT_EQ(in_quotes(std::string(59, 'x') + "\xC3\xA9"), "\"" + std::string(59, 'x') + "...\"");
  EXPECT_EQ(in_quotes(std::string(61, '\x80')), "\"...\"") << "where none begins";
}

}  // namespace
}  // namespace winperf
