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

std::string gzipped(std::initializer_list<DeflatedPart> parts) {
  GzipFile file;
  for (const DeflatedPart& part : parts) file.add(part);
  return std::move(file).finish().str();
}

TEST(Gzip_OfTwoParts, IsOneMember) {
  for (const std::size_t size : {0U, 1U, 100000U}) {
    const std::string first = noise(size), rest = "the rest";
    EXPECT_EQ(testing::gunzipped(gzipped({deflate_part(first), deflate_part(rest)})), first + rest)
        << size;
  }
  EXPECT_EQ(testing::gunzipped(gzipped({DeflatedPart{}, deflate_part("all")})), "all");
  EXPECT_EQ(testing::gunzipped(gzipped({deflate_part("all"), deflate_part("")})), "all");
}

TEST(Gzip_OfNoParts, IsEmpty) {
  EXPECT_EQ(gzipped({}).size(), 20U);
  EXPECT_EQ(gzipped({}), gzipped({deflate_part("")}));
}

// A stored block has at most 65,535 bytes.
TEST(Gzip_OfStoredParts, HasTheirBytesAsTheyAre) {
  constexpr std::size_t kMost = 65535;
  for (const std::size_t size : {std::size_t{1}, kMost, kMost + 1, 3 * kMost}) {
    const std::string text = noise(size);
    GzipFile parts;
    parts.store(text);
    parts.add(deflate_part("between"));
    parts.store("end");
    parts.store("");
    const std::string file = std::move(parts).finish().str();
    EXPECT_TRUE(testing::gunzipped(file) == text + "between" + "end") << size;
    EXPECT_TRUE(file.contains(text.substr(0, kMost))) << size;
  }
}

TEST(Gzip_OfAPage, IsSmaller) {
  std::string page;
  for (int i = 0; i < 1000; ++i)
    page += "winperf_processor_interrupts_total{instance_name=\"0\"} 7\n";
  EXPECT_LT(gzipped({deflate_part(page)}).size(), page.size() / 10);
}

TEST(Gzip_Decompressed, IsWhatItWas) {
  for (const std::size_t size : {0U, 1U, 32768U, 100000U}) {
    EXPECT_EQ(decompressed(gzipped({deflate_part(noise(size))})), noise(size));
    EXPECT_EQ(decompressed(gzipped({deflate_part(std::string(size, 'x'))})),
              std::string(size, 'x'));
  }
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
