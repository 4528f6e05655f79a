#include "collectors/base/ascii.h"

#include <gtest/gtest.h>

namespace winperf::testing {
namespace {

TEST(Ascii, OnlyItsLettersChange) {
  EXPECT_EQ(ascii_lower("% Processor TIME [@Z`{"), "% processor time [@z`{");
  EXPECT_EQ(ascii_lower("\xC3\x84Z"), "\xC3\x84z") << "Ä stays as it is";
  EXPECT_EQ(ascii_lower(std::string_view("A\0B", 3)), std::string("a\0b", 3));
  EXPECT_EQ(ascii_lower('A'), 'a');
  EXPECT_EQ(ascii_lower('Z'), 'z');
  EXPECT_EQ(ascii_lower(u'A'), u'a');
  EXPECT_EQ(ascii_lower(u'Z'), u'z');
  for (const char16_t other : u"@[`{0") EXPECT_EQ(ascii_lower(other), other);
  EXPECT_EQ(ascii_lower(u'\u0141'), u'\u0141') << "its low byte is a capital A's";
}

TEST(Ascii, EqualNamesHaveTheSameLength) {
  EXPECT_TRUE(equal_names("Process", "PROCESS"));
  EXPECT_FALSE(equal_names("Process", "Processor"));
  EXPECT_FALSE(equal_names("Processor", "Process"));
  EXPECT_TRUE(equal_names("", ""));
  EXPECT_FALSE(equal_names("\xC3\x84", "\xC3\xA4"));
  EXPECT_TRUE(equal_names(u"_Total", u"_TOTAL"));
  EXPECT_FALSE(equal_names(u"_Total", u"_Totaa"));
}

TEST(Ascii, DigitsAndLettersAreThoseWithoutAccents) {
  std::string digits, letters, both;
  for (int code = 0; code < 256; ++code) {
    const char c = static_cast<char>(code);
    if (is_digit(c)) digits += c;
    if (is_letter(c)) letters += c;
    if (is_letter_or_digit(c)) both += c;
  }
  EXPECT_EQ(digits, "0123456789");
  EXPECT_EQ(letters, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
  EXPECT_EQ(both, digits + letters);
}

TEST(Ascii, PrintableIsFromTheBlankToTheTilde) {
  for (int code = 0; code < 256; ++code)
    EXPECT_EQ(is_printable_ascii(static_cast<char>(code)), code >= 0x20 && code <= 0x7E) << code;
}

}  // namespace
}  // namespace winperf::testing
