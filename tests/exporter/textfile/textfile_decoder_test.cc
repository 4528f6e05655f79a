#include "exporter/textfile/textfile_parser.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace winperf {
namespace {

using namespace std::string_view_literals;
using ::testing::StartsWith;

std::expected<std::string, std::string> decoded_in_pieces(std::string_view text,
                                                          std::size_t piece) {
  TextfileDecoder decoder;
  std::string all;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    const auto part = decoder.decode(std::as_bytes(std::span(text.substr(0, piece))));
    if (!part) return std::unexpected(part.error());
    all += *part;
  }
  const auto end = decoder.finish();
  if (!end) return std::unexpected(end.error());
  return all.append(*end);
}

// The same in pieces of any size.
std::expected<std::string, std::string> decoded(std::string_view text) {
  auto whole = decoded_in_pieces(text, text.size() + 1);
  for (std::size_t piece = 1; piece <= text.size(); ++piece)
    EXPECT_EQ(decoded_in_pieces(text, piece), whole) << "in pieces of " << piece;
  return whole;
}

TEST(TextfileDecoder, IsUtf8WithOrWithoutAMark) {
  EXPECT_EQ(decoded(""), "");
  EXPECT_EQ(decoded("a 1\n"), "a 1\n");
  EXPECT_EQ(decoded("\xEF\xBB\xBFgr\u00fcn 1\r\n"), "gr\u00fcn 1\r\n");
  EXPECT_EQ(decoded("\xEF\xBB\xBF\xEF\xBB\xBFz"), "\xEF\xBB\xBFz") << "only the first is one";
}

TEST(TextfileDecoder, IsWhatPowerShellWrites) {
  EXPECT_EQ(decoded("\xFF\xFE"
                    "a\0 \0001\0\r\0\n\0"sv),
            "a 1\r\n");
  EXPECT_EQ(decoded("\xFE\xFF\0a\0 \0001\0\n"sv), "a 1\n");
  EXPECT_EQ(decoded("\xFF\xFE\xFC\x00\xAC\x20\x3D\xD8\x00\xDE"sv), "\u00fc\u20ac\U0001F600");
  EXPECT_EQ(decoded("\xFE\xFF\xD8\x3D\xDE\x00"sv), "\U0001F600");
  EXPECT_EQ(decoded("\xFF\xFE"sv), "");
}

TEST(TextfileDecoder, IsNothingElse) {
  constexpr const char* kRepair = kEncodingRepair;
  const auto refusal = [](std::string_view text) { return decoded(text).error(); };
  EXPECT_EQ(refusal("\xFF\xFE\0\0a\0\0\0"sv), std::string("it is UTF-32") + kRepair);
  EXPECT_EQ(refusal("a\0 \0001\0"sv),
            std::string("it is UTF-16 without a byte order mark") + kRepair);
  EXPECT_EQ(refusal("\xEF\xBB\xBF"
                    "a\0"sv),
            std::string("it is UTF-16 without a byte order mark") + kRepair);
  EXPECT_EQ(refusal("\0a\0 \0001"sv),
            std::string("it is UTF-16 without a byte order mark") + kRepair);
  EXPECT_EQ(refusal("\xFF\xFE\n\0a"sv),
            std::string("line 2: the file ends within a UTF-16 character") + kRepair);
}

TEST(TextfileDecoder, HasNoLoneSurrogate) {
  for (const std::string_view alone :
       {"\xFF\xFE\n\0\x3D\xD8"sv, "\xFF\xFE\n\0\x00\xDE"sv, "\xFF\xFE\n\0\x3D\xD8\x61\x00"sv,
        "\xFF\xFE\n\0\x3D\xD8\x3D\xD8"sv, "\xFE\xFF\0\n\xDE\x00\xDE\x00"sv})
    EXPECT_THAT(decoded(alone).error(), StartsWith("line 2: unpaired UTF-16 surrogate"));
}

}  // namespace
}  // namespace winperf
