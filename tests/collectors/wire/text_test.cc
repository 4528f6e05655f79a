#include "collectors/wire/text.h"

#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/byte_writer.h"

namespace winperf {
namespace {

Text from_units(std::u16string_view units) {
  return decode_utf16le(std::move(testing::ByteWriter().utf16(units)).take());
}

Text from_bytes(std::string_view bytes, std::uint32_t code_page) {
  // At its exact size on the heap, for the address sanitizer to see a byte too many.
  const auto* const first = reinterpret_cast<const std::byte*>(bytes.data());
  const std::vector<std::byte> copy(first, first + bytes.size());
  return decode_text(copy, code_page);
}

const std::string kReplacement = "\xEF\xBF\xBD";

TEST(Utf16, EveryLengthOfUtf8) {
  EXPECT_EQ(from_units(u"A\u00e9\u20ac\U0001F600"),
            (Text{"A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 0}));
}

TEST(Utf16, EndsAtTheFirstNul) {
  EXPECT_EQ(from_units(std::u16string_view(u"ab\0stale", 8)), (Text{"ab", 0}));
  EXPECT_EQ(from_units(std::u16string_view(u"\0", 1)), Text{});
  EXPECT_EQ(from_units(u""), Text{});
}

// The first and last surrogate of each half, and their neighbours.
TEST(Utf16, APairIsAHighAndALowSurrogate) {
  for (const char16_t high :
       {char16_t{0xD7FF}, char16_t{0xD800}, char16_t{0xDBFF}, char16_t{0xDC00}}) {
    for (const char16_t low :
         {char16_t{0xDBFF}, char16_t{0xDC00}, char16_t{0xDFFF}, char16_t{0xE000}}) {
      const char16_t units[] = {high, low};
      const bool pair = high >= 0xD800 && high <= 0xDBFF && low >= 0xDC00 && low <= 0xDFFF;
      EXPECT_EQ(from_units({units, 2}).text.size() == 4, pair) << int{high} << ' ' << int{low};
    }
  }
  const char16_t first[] = {0xD800, 0xDC00}, last[] = {0xDBFF, 0xDFFF};
  EXPECT_EQ(from_units({first, 2}), (Text{"\xF0\x90\x80\x80", 0}));
  EXPECT_EQ(from_units({last, 2}), (Text{"\xF4\x8F\xBF\xBF", 0}));
}

TEST(Utf16, LoneSurrogatesAreReplacedAndCounted) {
  const char16_t high = 0xD83D;
  const char16_t low = 0xDE00;
  EXPECT_EQ(from_units({&high, 1}), (Text{kReplacement, 1}));
  EXPECT_EQ(from_units({&low, 1}), (Text{kReplacement, 1}));
  const char16_t swapped[] = {low, high, u'x'};
  EXPECT_EQ(from_units({swapped, 3}), (Text{kReplacement + kReplacement + "x", 2}));
  const char16_t two_low[] = {low, low};
  EXPECT_EQ(from_units({two_low, 2}), (Text{kReplacement + kReplacement, 2}));
  const char16_t before_private_use[] = {high, 0xE000};
  EXPECT_EQ(from_units({before_private_use, 2}), (Text{kReplacement + "\xEE\x80\x80", 1}));
  const char16_t doubled[] = {high, high, low};
  EXPECT_EQ(from_units({doubled, 3}), (Text{kReplacement + "\xF0\x9F\x98\x80", 1}));
}

TEST(Utf16, OddLastByteIsIgnored) {
  const std::string_view bytes("a\0b", 3);
  EXPECT_EQ(from_bytes(bytes, kUtf16), (Text{"a", 0}));
  EXPECT_EQ(from_bytes("a", kUtf16), Text{});
}

TEST(CodePage1252, HasItsOwnCharactersBetween80And9F) {
  EXPECT_EQ(from_bytes("\x80\x9F\xE9", 1252), (Text{"\xE2\x82\xAC\xC5\xB8\xC3\xA9", 0}));
  EXPECT_EQ(from_bytes("\x81", 1252), (Text{kReplacement, 1})) << "unassigned";
}

TEST(CodePage28591, IsLatin1) { EXPECT_EQ(from_bytes("\xE9", 28591), (Text{"\xC3\xA9", 0})); }

TEST(CodePageUnknown, KeepsAsciiAndReplacesTheRest) {
  EXPECT_EQ(from_bytes("a\xE9z", 932), (Text{"a" + kReplacement + "z", 1}));
  EXPECT_EQ(from_bytes("plain", 20127), (Text{"plain", 0}));
}

TEST(CodePageAny, EndsAtTheFirstNul) {
  for (const std::uint32_t code_page : {1252U, 28591U, 65001U, 932U})
    EXPECT_EQ(from_bytes(std::string_view("ab\0cd", 5), code_page), (Text{"ab", 0})) << code_page;
}

std::optional<std::size_t> unit_bytes(std::string_view bytes) {
  return unit_bytes_of(std::as_bytes(std::span(bytes)));
}

std::optional<std::size_t> unit_bytes(std::u16string_view units) {
  return unit_bytes_of(std::move(testing::ByteWriter().utf16(units)).take());
}

TEST(UnitBytes, AreTwoIfTheTextBeginsWithLatinLettersInUtf16) {
  EXPECT_EQ(unit_bytes(std::u16string_view(u"_Total\0", 7)), 2U);
  EXPECT_EQ(unit_bytes(std::u16string_view(u"0 C:\0", 5)), 2U);
  EXPECT_EQ(unit_bytes(std::u16string_view(u"\u00e9t\u00e9\0", 4)), 2U);
  EXPECT_EQ(unit_bytes(std::u16string_view(u"10\0", 3)), 2U);
}

TEST(UnitBytes, AreOneIfAsciiEndsWhereNoUnitOfUtf16Can) {
  EXPECT_EQ(unit_bytes(std::string_view("_Total\0", 7)), 1U);
  EXPECT_EQ(unit_bytes(std::string_view("abc\0", 4)), 1U);
  EXPECT_EQ(unit_bytes(std::string_view("C:\0", 3)), 1U);
}

TEST(UnitBytes, AreUnknownIfTheTextShowsNeither) {
  EXPECT_EQ(unit_bytes(std::string_view()), std::nullopt);
  EXPECT_EQ(unit_bytes(std::string_view("0\0\0\0", 4)), std::nullopt) << "the same in both";
  EXPECT_EQ(unit_bytes(std::string_view("ab\0\0", 4)), std::nullopt) << "may be U+6261";
  EXPECT_EQ(unit_bytes(std::string_view("abc\0\0\0\0\0", 8)), std::nullopt) << "may be U+6261, c";
  EXPECT_EQ(unit_bytes(std::u16string_view(u"\u6253\u5370\u673A 2\0", 6)), std::nullopt);
  EXPECT_EQ(unit_bytes(std::u16string_view(u"\u4E2D1\0", 3)), std::nullopt);
  EXPECT_EQ(unit_bytes(std::string_view("no end")), std::nullopt);
  EXPECT_EQ(unit_bytes(std::string_view("caf\xE9\0", 5)), std::nullopt);
  EXPECT_EQ(unit_bytes(std::u16string_view(u"\u7f51\u7edc\0", 3)), std::nullopt);
  EXPECT_EQ(unit_bytes(std::u16string_view(u"\u0414\u0438\u0441\u043a\0", 5)), std::nullopt);
}

TEST(Utf8, SoundTextIsUnchanged) {
  const std::string sound = "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";
  EXPECT_EQ(from_bytes(sound, 65001), (Text{sound, 0}));
}

TEST(Utf8, ASequenceCutOffAtTheEndIsReplaced) {
  EXPECT_EQ(from_bytes("a\xC3", 65001), (Text{"a" + kReplacement, 1}));
  EXPECT_EQ(from_bytes("\xF0\x9F\x98", 65001), (Text{kReplacement, 1}));
}

TEST(Utf8, WhatIsNotSoundIsReplacedAndCounted) {
  struct Row {
    std::string bytes;
    std::size_t replaced;
  };
  const Row rows[] = {
      {"\x80", 1},              // a continuation alone
      {"\xC3", 1},              // cut off
      {"\xC0\xAF", 2},          // overlong '/'
      {"\xE0\x80\x80", 3},      // overlong
      {"\xED\xA0\x80", 3},      // a surrogate
      {"\xF4\x90\x80\x80", 4},  // above 0x10FFFF
      {"\xFF", 1},
  };
  for (const Row& row : rows) {
    const Text text = from_bytes(row.bytes + "z", 65001);
    EXPECT_EQ(text.replaced, row.replaced) << ::testing::PrintToString(row.bytes);
    EXPECT_EQ(text.text.back(), 'z') << ::testing::PrintToString(row.bytes);
  }
}

TEST(Utf8, BecomesUtf16) {
  EXPECT_EQ(to_utf16("A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"), u"A\u00E9\u20AC\U0001F600");
  EXPECT_EQ(to_utf16("a\x80z\xC3"), u"a\uFFFDz\uFFFD");
  EXPECT_EQ(to_utf16(std::string_view("a\0z", 3)), std::u16string_view(u"a\0z", 3));
}

}  // namespace
}  // namespace winperf
