#include "config/document.h"

#include <gtest/gtest.h>

#include <string>

namespace winperf {
namespace {

TEST(Encoding, AcceptsText) {
  EXPECT_FALSE(check_encoding(""));
  EXPECT_FALSE(check_encoding("a: 1\r\n\tb\n"));
  EXPECT_FALSE(
      check_encoding("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80 \xF4\x8F\xBF\xBF \xEF\xBF\xBD"));
  EXPECT_FALSE(check_encoding(std::string(kMaxConfigBytes, ' ')));
}

TEST(Encoding, RefusesWhatIsNoText) {
  struct Row {
    std::string text;
    std::size_t offset;
  };
  const Row rows[] = {
      {std::string("a\0b", 3), 1},  // NUL
      {"a\x04", 1},                 // yaml-cpp takes it for the end of the file
      {"a\x1B[0m", 1},              // escape
      {"\x7F", 0},                  // delete
      {"ab\xFF", 2},                // no lead byte
      {"\x80", 0},                  // a continuation alone
      {"\xC3", 0},                  // cut off
      {"\xE2\x82", 0},              // cut off
      {"\xC0\xAF", 0},              // overlong
      {"\xE0\x80\xAF", 0},          // overlong
      {"\xF0\x80\x80\xAF", 0},      // overlong
      {"\xED\xA0\x80", 0},          // surrogate
      {"\xF4\x90\x80\x80", 0},      // above U+10FFFF
      {"\xC3(", 0},                 // no continuation
      {"\xE2\x82(", 0},             // no continuation
      {std::string(kMaxConfigBytes + 1, ' '), kMaxConfigBytes},
  };
  for (const Row& row : rows) {
    const auto error = check_encoding(row.text);
    ASSERT_TRUE(error.has_value()) << row.text.substr(0, 20);
    EXPECT_EQ(error->offset, row.offset) << row.text.substr(0, 20);
  }
}

TEST(Encoding, NamesTheOneThatItIsNot) {
  using namespace std::string_view_literals;
  const std::pair<std::string_view, const char*> texts[] = {
      {"\xFF\xFE{"sv, "UTF-16"},
      {"\xFE\xFF"sv, "UTF-16"},
      {"\xFF\xFE\0\0{\0\0\0"sv, "UTF-32"},
      {"\0\0\xFE\xFF\0\0\0{"sv, "UTF-32"},
      {"{\0}\0"sv, "UTF-16"},
      {"\0{\0}"sv, "UTF-16"},
      {"{\0\0\0}\0\0\0"sv, "UTF-32"},
      {"\0\0\0{\0\0\0}"sv, "UTF-32"},
  };
  for (const auto& [text, encoding] : texts) {
    const auto error = check_encoding(text);
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->offset, 0u);
    EXPECT_EQ(error->message, std::string("the file is ") + encoding + ": save it as UTF-8");
  }
  for (const std::string_view zeros : {"\0\0\0\0"sv, "{\0\0{"sv})
    EXPECT_TRUE(check_encoding(zeros)->message.starts_with("a control character"));
}

TEST(Encoding, DropsOneByteOrderMark) {
  EXPECT_EQ(without_byte_order_mark("\xEF\xBB\xBF{}"), "{}");
  EXPECT_EQ(without_byte_order_mark("{}"), "{}");
}

TEST(TextPosition, CountsLinesAndCharacters) {
  const std::string text = "a\n\xC3\xA9\xF0\x9F\x98\x80x\r\ny";
  EXPECT_EQ(position_of(text, 0), (TextPosition{1, 1}));
  EXPECT_EQ(position_of(text, 1), (TextPosition{1, 2}));
  EXPECT_EQ(position_of(text, 2), (TextPosition{2, 1}));
  EXPECT_EQ(position_of(text, 8), (TextPosition{2, 3}));
  EXPECT_EQ(position_of(text, 11), (TextPosition{3, 1}));
  EXPECT_EQ(position_of(text, 99), (TextPosition{3, 2}));
}

TEST(LineIndex, AgreesWithTextPosition) {
  const std::string text = "a\n\nbc\r\nd\n";
  const LineIndex lines(text);
  for (std::size_t offset = 0; offset <= text.size(); ++offset) {
    EXPECT_EQ(lines.line_of(offset), position_of(text, offset).line) << offset;
  }
}

}  // namespace
}  // namespace winperf
