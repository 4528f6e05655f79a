#include "collectors/base/printable.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace winperf {
namespace {

TEST(Printable, WhatATerminalShowsStays) {
  for (const std::string text :
       {"", "% Processor Time", "C:\\Temp \"x\" ~", "gr\u00f6\u00dfer", "\u00a0", "\u200f\u05d0",
        "\u2027\u202f", "\u2065\u206a", "\u30e1\u30e2\u30ea", "\U0001F600\U0010FFFF", "\ufffd"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_EQ(printable_lines(text), text);
  }
}

TEST(Printable, WhatATerminalObeysIsSpelledOut) {
  const std::pair<std::string, std::string> kCases[] = {
      {std::string(1, '\0'), "\\u0000"},
      {"\x1b[31mred", "\\u001b[31mred"},
      {"a\tb\r\a\x1f", "a\\u0009b\\u000d\\u0007\\u001f"},
      {"\x7f", "\\u007f"},
      {"\u0080\u009b\u009f", "\\u0080\\u009b\\u009f"},
      {"\u2028\u2029", "\\u2028\\u2029"},
      {"\u202a\u202e\u2066\u2069", "\\u202a\\u202e\\u2066\\u2069"},
  };
  for (const auto& [text, shown] : kCases) {
    EXPECT_EQ(printable(text), shown);
    EXPECT_EQ(printable_lines(text), shown);
    EXPECT_EQ(printable("x" + text + "y"), "x" + shown + "y");
  }
}

// A terminal that isn't set to UTF-8 would obey 0x9B.
TEST(Printable, ABrokenCharacterIsShownByItsBytes) {
  EXPECT_EQ(printable("a\x9b\x31m"), "a\\x9b1m");
  EXPECT_EQ(printable("\xe2\x80"), "\\xe2\\x80");
  EXPECT_EQ(printable("\xff\u00e9"), "\\xff\u00e9");
}

TEST(Printable, LinesStayLinesOnlyWhereTheyAreMeant) {
  EXPECT_EQ(printable("a\nb"), "a\\u000ab");
  EXPECT_EQ(printable_lines("a\nb\r\n"), "a\nb\\u000d\n");
}

}  // namespace
}  // namespace winperf
