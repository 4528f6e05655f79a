#include "exporter/deflate/deflated.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>
#include <string>
#include <vector>

#include "exporter/deflate/block.h"
#include "exporter/text/sample_writer.h"
#include "tests/exporter/support/gunzip.h"
#include "tests/exporter/support/large_sample.h"

namespace winperf {
namespace {

using testing::inflated;

// The blocks of a text from which it can be had again.
std::string round_trip(std::string_view text) {
  const std::vector<char> exact(text.begin(), text.end());  // so that sanitizers see its end
  std::string blocks = deflated({exact.data(), exact.size()});
  EXPECT_TRUE(inflated(blocks) == text) << text.size() << " bytes: " << text.substr(0, 100);
  EXPECT_LE(blocks.size(), text.size() + 12 + 6 * (text.size() / 9000));
  return blocks;
}

std::string random_bytes(std::size_t size, unsigned kinds = 256) {
  std::mt19937 random(1);
  std::string text;
  while (text.size() < size) text += static_cast<char>(random() % kinds);
  return text;
}

std::string page(PageFormat format = PageFormat::kText) {
  std::string text;
  SampleWriter(MappingOptions{}).append(text, *testing::large_sample(100), format);
  return text;
}

std::size_t by_zlib(std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::vector<Bytef> out(deflateBound(&stream, static_cast<uLong>(text.size())));
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(::deflate(&stream, Z_FINISH), Z_STREAM_END);
  deflateEnd(&stream);
  return stream.total_out;
}

TEST(Deflated_OfAPage, IsATenthSmallerThanByZlib) {
  for (const PageFormat format : {PageFormat::kText, PageFormat::kOpenMetrics}) {
    std::string text = page(format);
    ASSERT_GT(text.size(), 300000U);
    EXPECT_LT(round_trip(text).size(), by_zlib(text) * 9 / 10);
  }
}

TEST(Deflated_OfNothing, IsNothing) { EXPECT_EQ(deflated(""), ""); }

TEST(Deflated_OfAnySize, IsInflated) {
  const std::string random = random_bytes(600), text = page().substr(0, 600);
  for (std::size_t size = 0; size <= 600; ++size) {
    round_trip(std::string_view(random).substr(0, size));
    round_trip(std::string_view(text).substr(0, size));
    round_trip(std::string(size, 'x'));
  }
}

// A few bytes on either side of where a block is full, and where a stored one would be.
TEST(Deflated_OfWhatFillsBlocks, IsInflated) {
  for (const std::size_t size :
       {deflate::Block::kFull, 3 * deflate::Block::kFull, std::size_t{65535}, std::size_t{1} << 20})
    for (std::size_t more = 0; more <= 6; ++more) {
      round_trip(random_bytes(size - 3 + more));
      round_trip(std::string(size - 3 + more, 'x'));
      round_trip(random_bytes(size - 3 + more, 17));
    }
}

TEST(Deflated_OfNoise, IsStored) {
  const std::string noise = random_bytes(1000);
  EXPECT_TRUE(deflated(noise).contains(noise));
  EXPECT_EQ(deflated("x").size(), 6U);
}

TEST(Deflated_OfALongRun, IsShort) {
  EXPECT_LT(round_trip(std::string(1000000, 'x')).size(), 2000U);
  std::string lines;
  for (int i = 0; i < 20000; ++i) lines += "the same line\n";
  EXPECT_LT(round_trip(lines).size(), 1000U);
}

TEST(Deflated_OfRandomLines, IsInflated) {
  std::mt19937 random(1);
  const std::string words[] = {"winperf_", "{", "\"}", "} ", "=\"", ",", "\n", "0", "1.5", "total"};
  for (int turn = 0; turn < 200; ++turn) {
    std::string text;
    for (std::size_t i = random() % 2000; i != 0; --i) text += words[random() % std::size(words)];
    round_trip(text);
  }
}

TEST(Deflated_Parts, AreJoined) {
  const std::string whole = page();
  std::mt19937 random(1);
  std::string blocks, text;
  for (std::size_t at = 0; at < whole.size();) {
    const std::string part = whole.substr(at, random() % 20000);
    blocks += deflated(part);
    const std::string noise = random_bytes(random() % 100);
    blocks += deflated(noise);
    text += part + noise;
    at += part.size();
  }
  EXPECT_TRUE(inflated(blocks) == text);
}

TEST(Deflated_OfTheSame, IsTheSame) {
  const std::string text = page();
  const std::vector<char> elsewhere(text.begin(), text.end());
  EXPECT_TRUE(deflated(text) == deflated({elsewhere.data(), elsewhere.size()}));
}

}  // namespace
}  // namespace winperf
