#include "collectors/base/win/wide.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

TEST(Wide, ConvertsBothWays) {
  const std::string utf8 = "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80";
  const std::wstring utf16 = L"a\x00E4\x20AC\xD83D\xDE00";
  EXPECT_EQ(to_wide(utf8), utf16);
  EXPECT_EQ(to_utf8(utf16), utf8);
}

TEST(Wide, KeepsEmptyTextAndEmbeddedZeros) {
  EXPECT_EQ(to_wide(""), L"");
  EXPECT_EQ(to_utf8(L""), "");
  EXPECT_EQ(to_wide(std::string_view("a\0b", 3)), std::wstring(L"a\0b", 3));
  EXPECT_EQ(to_utf8(std::wstring_view(L"a\0b", 3)), std::string("a\0b", 3));
}

TEST(Wide, ReplacesWhatIsNotValid) {
  EXPECT_EQ(to_wide("a\xFFz"), L"a\xFFFDz");
  EXPECT_EQ(to_utf8(L"a\xD800z"), "a\xEF\xBF\xBDz");
}

}  // namespace
}  // namespace winperf
