#include "service/console/text_columns.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

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
