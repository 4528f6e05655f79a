#include "collectors/base/utf8.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace winperf {
namespace {

// Unicode, table 3-7: the first and last character of each row, and their neighbours.
TEST(NextCharacter, IsWellFormedByTheTableOfUnicode) {
  const std::string good[] = {{"\0", 1},          "\x7F",
                              "\xC2\x80",         "\xDF\xBF",
                              "\xE0\xA0\x80",     "\xE0\xBF\xBF",
                              "\xE1\x80\x80",     "\xEC\xBF\xBF",
                              "\xED\x80\x80",     "\xED\x9F\xBF",
                              "\xEE\x80\x80",     "\xEF\xBF\xBF",
                              "\xF0\x90\x80\x80", "\xF0\xBF\xBF\xBF",
                              "\xF1\x80\x80\x80", "\xF3\xBF\xBF\xBF",
                              "\xF4\x80\x80\x80", "\xF4\x8F\xBF\xBF"};
  for (const std::string& text : good) {
    for (const std::string& all : {text, text + "z", text + "\x80"}) {
      const Utf8Step step = next_character(all);
      EXPECT_TRUE(step.valid) << ::testing::PrintToString(all);
      EXPECT_EQ(step.bytes, text.size()) << ::testing::PrintToString(all);
    }
  }
}

// What is replaced by one U+FFFD: the longest start of a character, or else one byte.
TEST(NextCharacter, ThatIsNotWellFormed_EndsWhereItCouldNotGoOn) {
  const std::pair<std::string, std::size_t> bad[] = {
      {"\x80", 1},         {"\xBF", 1},          {"\xC0\x80", 1},         {"\xC1\xBF", 1},
      {"\xC2", 1},         {"\xC2z", 1},         {"\xC2\xC0", 1},         {"\xC2\x7F", 1},
      {"\xE0\x9F\x80", 1}, {"\xE0\xA0", 2},      {"\xE0\xA0z", 2},        {"\xE1\x80\xC0", 2},
      {"\xED\xA0\x80", 1}, {"\xEF\xBF", 2},      {"\xF0\x8F\x80\x80", 1}, {"\xF0\x90", 2},
      {"\xF0\x90\x80", 3}, {"\xF0\x90\x80z", 3}, {"\xF4\x90\x80\x80", 1}, {"\xF5\x80\x80\x80", 1},
      {"\xFF", 1}};
  for (const auto& [text, bytes] : bad) {
    const Utf8Step step = next_character(text);
    EXPECT_FALSE(step.valid) << ::testing::PrintToString(text);
    EXPECT_EQ(step.bytes, bytes) << ::testing::PrintToString(text);
  }
}

TEST(ValidBytes, EndAtTheFirstUnfinishedCharacter) {
  EXPECT_EQ(valid_bytes(""), 0u);
  EXPECT_EQ(valid_bytes("abc"), 3u);
  EXPECT_EQ(valid_bytes("gr\u00fcn"), 5u);
  EXPECT_EQ(valid_bytes("a\u00fc\xC3"), 3u);
  EXPECT_EQ(valid_bytes("a\xFFz"), 1u);
  EXPECT_EQ(valid_bytes("\xED\xA0\x80"), 0u);
}

TEST(Clipped, EndsBetweenCharacters) {
  EXPECT_EQ(clipped("abc", 3), "abc");
  EXPECT_EQ(clipped("abc", 2), "ab");
  EXPECT_EQ(clipped("a\xC3\xA4", 2), "a");
  EXPECT_EQ(clipped("a\xC3\xA4z", 3), "a\xC3\xA4");
  EXPECT_EQ(clipped("\xF0\x9F\x98\x80", 3), "");
}

}  // namespace
}  // namespace winperf
