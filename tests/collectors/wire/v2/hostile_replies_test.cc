// Every prefix of every reply, and every 32-bit field set to every suspicious value: the readers
// give an error or a valid result, and never read outside the bytes (each copy is allocated at its
// exact size, for the address sanitizer to see).
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/simulator/v2_replies.h"
#include "tests/support/block_builder.h"

namespace winperf::v2 {
namespace {

using simulator::V2Reply;

constexpr std::uint32_t kSuspiciousFields[] = {
    0, 1, 2, 3, 4, 6, 7, 8, 39, 47, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF8, 0xFFFFFFFF};

void require(bool condition, const char* what) { EXPECT_TRUE(condition) << what; }

std::vector<V2Reply> replies_to_spoil() {
  std::vector<V2Reply> replies = simulator::v2_data_replies();
  for (V2Reply& reply : simulator::v2_other_replies()) replies.push_back(std::move(reply));
  return replies;
}

TEST(HostileV2Replies, EveryPrefix) {
  for (const V2Reply& reply : replies_to_spoil()) {
    for (std::size_t size = 0; size <= reply.bytes.size(); ++size) {
      SCOPED_TRACE(reply.name + " cut to " + std::to_string(size));
      const std::vector<std::byte> prefix(reply.bytes.begin(),
                                          reply.bytes.begin() + static_cast<std::ptrdiff_t>(size));
      simulator::read_all_of_v2(prefix, require);
    }
  }
}

// With a total that owns up to the shorter length, so that the results are reached.
TEST(HostileV2Replies, EveryShortenedReply) {
  for (const V2Reply& reply : simulator::v2_data_replies()) {
    for (std::size_t size = 48; size < reply.bytes.size(); ++size) {
      SCOPED_TRACE(reply.name + " shortened to " + std::to_string(size));
      std::vector<std::byte> prefix(reply.bytes.begin(),
                                    reply.bytes.begin() + static_cast<std::ptrdiff_t>(size));
      prefix = testing::with_field(std::move(prefix), 0, static_cast<std::uint32_t>(size));
      simulator::read_all_of_v2(prefix, require);
    }
  }
}

TEST(HostileV2Replies, EveryFieldSpoilt) {
  for (const V2Reply& reply : replies_to_spoil()) {
    for (std::size_t at = 0; at + 4 <= reply.bytes.size(); at += 4) {
      for (const std::uint32_t value : kSuspiciousFields) {
        SCOPED_TRACE(reply.name + " with " + std::to_string(value) + " at " + std::to_string(at));
        simulator::read_all_of_v2(testing::with_field(reply.bytes, at, value), require);
      }
    }
  }
}

// Two fields at a time, where one length hides what another one does.
TEST(HostileV2Replies, PairsOfLengthsSpoilt) {
  const std::vector<std::byte> bytes =
      simulator::v2_data_replies(simulator::Padding::kCounted)[4].bytes;
  for (std::size_t first = 0; first + 4 <= bytes.size(); first += 4)
    for (std::size_t second = first + 4; second + 4 <= bytes.size(); second += 4)
      for (const std::uint32_t value : {0u, 8u, 0xFFFFFFFFu}) {
        SCOPED_TRACE(std::to_string(first) + " and " + std::to_string(second));
        simulator::read_all_of_v2(
            testing::with_field(testing::with_field(bytes, first, value), second, ~value), require);
      }
}

}  // namespace
}  // namespace winperf::v2
