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

TEST(TextColumns, CutTheWidestColumnsToFitTheTerminal) {
  TextColumns columns({"NAME", "N", "COMMENT"});
  columns.add({"a long name of a counter", "1", "a comment that is much longer than the name"});
  const std::string all = columns.text();
  EXPECT_EQ(columns.text(72), all) << "it fits exactly";
  EXPECT_EQ(columns.text(71),
            "NAME                      N  COMMENT\n"
            "a long name of a counter  1  a comment that is much longer than the na\u2026\n");
  EXPECT_EQ(columns.text(41),
            "NAME                      N  COMMENT\n"
            "a long name of a counter  1  a comment t\u2026\n")
      << "the first column says what the row is";
  EXPECT_EQ(columns.text(1),
            "NAME          N  COMMENT\n"
            "a long name\u2026  1  a comment t\u2026\n")
      << "narrower columns would say nothing";
}

TEST(FittedLines, EndWithAnEllipsisIfTheyAreTooLong) {
  EXPECT_EQ(fitted("gr\u00f6\u00dfer", 6), "gr\u00f6\u00dfer");
  EXPECT_EQ(fitted("gr\u00f6\u00dfer", 5), "gr\u00f6\u00df\u2026");
  EXPECT_EQ(fitted_lines("abc\n\nabcd\n", 3), "abc\n\nab\u2026\n");
  EXPECT_EQ(fitted_lines("abcd", 3), "ab\u2026");
  EXPECT_EQ(fitted_lines("abc\nabcd\n", kUnlimitedColumns), "abc\nabcd\n");
}

TEST(Coloured, IsPlainWithoutColours) {
  EXPECT_EQ(coloured("bad", Colour::kRed, false), "bad");
  EXPECT_EQ(coloured("bad", Colour::kRed, true), "\x1b[31mbad\x1b[0m");
  EXPECT_EQ(coloured("", Colour::kGreen, true), "");
}

}  // namespace
}  // namespace winperf
