#include "collectors/facts/textfile_encoding.h"

#include <gmock/gmock.h>

#include <string_view>

namespace winperf {
namespace {

using namespace std::string_view_literals;
using ::testing::StartsWith;

std::expected<std::string, std::string> decoded(std::string_view text) {
  return textfile_text(std::as_bytes(std::span(text)));
}

TEST(TextfileEncoding, IsUtf8WithOrWithoutAMark) {
  EXPECT_EQ(decoded(""), "");
  EXPECT_EQ(decoded("a 1\n"), "a 1\n");
  EXPECT_EQ(decoded("\xEF\xBB\xBFgr\u00fcn 1\r\n"), "gr\u00fcn 1\r\n");
  EXPECT_EQ(decoded("\xEF\xBB\xBF\xEF\xBB\xBFz"), "\xEF\xBB\xBFz") << "only the first is one";
}

TEST(TextfileEncoding, IsWhatPowerShellWrites) {
  EXPECT_EQ(decoded("\xFF\xFE"
                    "a\0 \0001\0\r\0\n\0"sv),
            "a 1\r\n");
  EXPECT_EQ(decoded("\xFE\xFF\0a\0 \0001\0\n"sv), "a 1\n");
  EXPECT_EQ(decoded("\xFF\xFE\xFC\x00\xAC\x20\x3D\xD8\x00\xDE"sv), "\u00fc\u20ac\U0001F600");
  EXPECT_EQ(decoded("\xFE\xFF\xD8\x3D\xDE\x00"sv), "\U0001F600");
  EXPECT_EQ(decoded("\xFF\xFE"sv), "");
}

TEST(TextfileEncoding, IsNothingElse) {
  constexpr const char* kRepair =
      ": write it as UTF-8 or ASCII, as PowerShell's Set-Content -Encoding ascii does";
  const auto refusal = [](std::string_view text) { return decoded(text).error(); };
  EXPECT_EQ(refusal("a 1\nb{x=\"\xFC\"} 1\n"), std::string("line 2: this is not UTF-8") + kRepair);
  EXPECT_EQ(refusal("\xFF\xFE\0\0a\0\0\0"sv), std::string("it is UTF-32") + kRepair);
  EXPECT_EQ(refusal("a\0 \0001\0"sv),
            std::string("it is UTF-16 without a byte order mark") + kRepair);
  EXPECT_EQ(refusal("\0a\0 \0001"sv),
            std::string("it is UTF-16 without a byte order mark") + kRepair);
  EXPECT_EQ(refusal("\xFF\xFE\n\0a"sv),
            std::string("line 2: half of a character of UTF-16 ends the file") + kRepair);
}

TEST(TextfileEncoding, HasNoLoneSurrogate) {
  for (const std::string_view alone :
       {"\xFF\xFE\n\0\x3D\xD8"sv, "\xFF\xFE\n\0\x00\xDE"sv, "\xFF\xFE\n\0\x3D\xD8\x61\x00"sv,
        "\xFF\xFE\n\0\x3D\xD8\x3D\xD8"sv, "\xFE\xFF\0\n\xDE\x00\xDE\x00"sv})
    EXPECT_THAT(decoded(alone).error(), StartsWith("line 2: a surrogate of UTF-16 is alone"));
}

}  // namespace
}  // namespace winperf
