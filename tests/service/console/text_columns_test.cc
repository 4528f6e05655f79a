#include "service/console/text_columns.h"

#include <gtest/gtest.h>

#include "collectors/base/printable.h"

#include <limits>

namespace winperf {
namespace {

TEST(Counted, OneIsSingularAndAllElseIsPlural) {
  EXPECT_EQ(counted(0, "sample"), "0 samples");
  EXPECT_EQ(counted(1, "sample"), "1 sample");
  EXPECT_EQ(counted(2, "V2 counterset"), "2 V2 countersets");
  EXPECT_EQ(counted(std::numeric_limits<std::uint64_t>::max(), "byte"),
            "18446744073709551615 bytes");
}

TEST(Joined, NamesSoManyAndCountsTheOthers) {
  EXPECT_EQ(joined({}, ", "), "");
  EXPECT_EQ(joined({"a"}, ", "), "a");
  EXPECT_EQ(joined({"a", "b", "c"}, " or "), "a or b or c");
  EXPECT_EQ(joined({"a", "b", "c"}, ", ", 3), "a, b, c");
  EXPECT_EQ(joined({"a", "b", "c"}, ", ", 1), "a and 2 more");
  EXPECT_EQ(joined({"a\n"}, ", "), printable("a\n"));
}

TEST(TextColumns, AreAsWideAsTheirWidestCellInCharacters) {
  TextColumns columns({"name", "n"});
  EXPECT_TRUE(columns.empty());
  columns.add({"gr\u00f6\u00dfe", "1"});
  columns.add({"x", ""});
  EXPECT_FALSE(columns.empty());
  EXPECT_EQ(columns.text(), "name   n\ngr\u00f6\u00dfe  1\nx\n");
}

TEST(TextColumns, AreAsWideAsWhatIsShownOfForeignText) {
  TextColumns columns({"name", "n"});
  columns.add({"a\x1b[2J\nb", "1"});
  columns.add({"x", "\u202e2"});
  EXPECT_EQ(columns.text(),
            "name               n\n"
            "a\\u001b[2J\\u000ab  1\n"
            "x                  \\u202e2\n");
}

}  // namespace
}  // namespace winperf
