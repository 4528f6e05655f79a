#include "exporter/text/gzip.h"

#include <gtest/gtest.h>

#include "tests/exporter/support/gunzip.h"

namespace winperf {
namespace {

std::string noise(std::size_t size) {
  std::string text;
  std::uint32_t state = 1;
  while (text.size() < size) {
    state = state * 1664525U + 1013904223U;
    text += static_cast<char>(state >> 24U);
  }
  return text;
}

TEST(Gzip_OfTwoParts, IsOneMember) {
  for (const std::size_t size : {0U, 1U, 100000U}) {
    const std::string first = noise(size), rest = "the rest";
    EXPECT_EQ(testing::gunzipped(gzip(deflate_part(first), rest).str()), first + rest) << size;
  }
  EXPECT_EQ(testing::gunzipped(gzip(DeflatedPart{}, "all").str()), "all");
  EXPECT_EQ(testing::gunzipped(gzip(deflate_part("all"), "").str()), "all");
}

// zlib is fed in chunks of 1 MiB; of each part, only the last chunk ends it.
TEST(Gzip_OfTwoParts, IsOneMemberHoweverManyChunksEachHas) {
  constexpr std::size_t kChunk = std::size_t{1} << 20;
  for (const std::size_t size : {kChunk - 1, kChunk, kChunk + 1, 2 * kChunk}) {
    const std::string text = noise(size);
    EXPECT_TRUE(testing::gunzipped(gzip(deflate_part(text), text).str()) == text + text) << size;
  }
}

TEST(Gzip_OfAPage, IsSmaller) {
  std::string page;
  for (int i = 0; i < 1000; ++i)
    page += "winperf_processor_interrupts_total{instance_name=\"0\"} 7\n";
  EXPECT_LT(gzip(deflate_part(page), "").size(), page.size() / 10);
}

TEST(Gzip_IsAccepted, WhereTheHeaderSaysSo) {
  EXPECT_TRUE(accepts_gzip("gzip"));
  EXPECT_TRUE(accepts_gzip("deflate, GZIP;q=0.5"));
  EXPECT_TRUE(accepts_gzip("*"));
  EXPECT_TRUE(accepts_gzip("identity,\t gzip \t; q=1"));
  EXPECT_TRUE(accepts_gzip("gzip;level=0")) << "of no weight";
  EXPECT_FALSE(accepts_gzip(""));
  EXPECT_FALSE(accepts_gzip("gzip;Q=0"));
  EXPECT_FALSE(accepts_gzip("identity"));
  EXPECT_FALSE(accepts_gzip("gzip;q=0"));
  EXPECT_FALSE(accepts_gzip("gzip; q=0.000, identity"));
  EXPECT_FALSE(accepts_gzip("x-gzip-2"));
}

}  // namespace
}  // namespace winperf
