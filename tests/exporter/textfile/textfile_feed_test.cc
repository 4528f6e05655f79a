#include "exporter/textfile/textfile_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "tests/exporter/textfile/accepted_files.h"
#include "tests/exporter/textfile/refused_files.h"

namespace winperf {
namespace {

std::string fed(std::string_view text, std::size_t piece) {
  TextfileFeed feed;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size())))
    if (const auto taken = feed.take(std::as_bytes(std::span(text.substr(0, piece)))); !taken)
      return taken.error();
  const auto parsed = feed.finish();
  return parsed ? std::to_string(parsed->samples) + " values" : parsed.error();
}

TEST(TextfileFeed, FindsTheSameWhereverPiecesEnd) {
  const auto check = [](const std::string& content) {
    const std::string whole = fed(content, content.size() + 1);
    for (std::size_t piece = 1; piece <= content.size(); ++piece)
      EXPECT_EQ(fed(content, piece), whole) << content << " in pieces of " << piece;
  };
  for (const testing::RefusedFile& file : testing::refused_files()) check(file.content);
  for (const testing::AcceptedFile& file : testing::accepted_files()) check(file.content);
}

TEST(TextfileFeed, CountsLinesOverAllPieces) {
  EXPECT_EQ(fed("a 1\r\n\r\n# x\nb one\n", 3), "line 4: invalid number: \"one\"");
  EXPECT_EQ(fed("a 1\nb 1", 3),
            "line 2: the last line has no line break, so the file may be incomplete; end it with "
            "one, write it under another name and rename it");
}

// What is left of a line that is cut must not look like one.
TEST(TextfileFeed, ALineOfReturns_HidesNothing) {
  const std::string returns(2 * kMaxTextfileLineBytes, '\r');
  for (const std::size_t piece : {std::size_t{1'000}, std::size_t{1} << 20})
    EXPECT_EQ(fed("a 1" + returns + "x\n", piece), "line 1: it is longer than 65536 bytes");
}

TEST(TextfileFeed, KeepsNoLineThatIsTooLong) {
  TextfileFeed feed;
  const std::string piece(40'000, '\\');
  EXPECT_TRUE(feed.take(std::as_bytes(std::span(piece))));
  const auto taken = feed.take(std::as_bytes(std::span(piece)));
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error(), "line 1: it is longer than 65536 bytes");
}

TEST(TextfileFeed, SaysHowManyValuesThereWere) {
  TextfileFeed feed;
  EXPECT_TRUE(feed.take(std::as_bytes(std::span("a 1\nb 2\nc 3", 11))));
  EXPECT_EQ(feed.values(), 2U);
}

}  // namespace
}  // namespace winperf
