// Every prefix of every block, and every 32-bit field set to every suspicious value: the views
// neither read outside the bytes (each copy is allocated at its exact size, for the address
// sanitizer to see) nor say anything else than the reference parser.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/block_digest.h"
#include "tests/support/captures.h"
#include "tests/support/sample_blocks.h"

namespace winperf {
namespace {

using testing::BlockDigest;
using testing::ByteVector;
using testing::ObjectDigest;

constexpr std::uint32_t kSuspicious[] = {0, 1, 39, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF};

// The objects of the digest that the sound block does not have as they are.
std::size_t changed_objects(const BlockDigest& digest, const BlockDigest& sound) {
  std::size_t changed = 0;
  for (const ObjectDigest& object : digest.objects) {
    bool found = false;
    for (const ObjectDigest& other : sound.objects) found = found || object == other;
    changed += !found;
  }
  return changed;
}

void check_every_prefix(const ByteVector& bytes, const std::string& name) {
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    const ByteVector prefix(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    const BlockDigest digest = testing::digest_by_views(prefix);
    ASSERT_TRUE(digest == testing::digest_by_reference(prefix)) << name << " cut to " << size;
  }
}

// The same with a header that owns up to the shorter length, so that the objects are reached.
void check_every_shortened_block(const ByteVector& bytes, const std::string& name) {
  const BlockDigest sound = testing::digest_by_views(bytes);
  for (std::size_t size = 88; size < bytes.size(); ++size) {
    ByteVector prefix(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    prefix = testing::with_field(std::move(prefix), 20, static_cast<std::uint32_t>(size));
    const BlockDigest digest = testing::digest_by_views(prefix);
    ASSERT_TRUE(digest == testing::digest_by_reference(prefix)) << name << " cut to " << size;
    ASSERT_EQ(changed_objects(digest, sound), 0U) << name << " cut to " << size;
  }
}

void check_every_field(const ByteVector& bytes, const std::string& name, std::size_t stride = 4) {
  for (std::size_t offset = 0; offset + 4 <= bytes.size(); offset += stride) {
    for (const std::uint32_t value : kSuspicious) {
      const ByteVector spoilt = testing::with_field(bytes, offset, value);
      const BlockDigest digest = testing::digest_by_views(spoilt);
      ASSERT_TRUE(digest == testing::digest_by_reference(spoilt))
          << name << " with " << value << " at " << offset;
    }
  }
}

TEST(HostileBlocks, EveryPrefixOfTheBuiltOnes) {
  for (const auto& [name, built] : testing::sample_blocks()) {
    check_every_prefix(built.bytes, name);
    check_every_shortened_block(built.bytes, name);
  }
}

TEST(HostileBlocks, EveryFieldOfTheBuiltOnes) {
  for (const auto& [name, built] : testing::sample_blocks()) check_every_field(built.bytes, name);
}

TEST(HostileBlocks, TheBuiltOnesAreSound) {
  for (const auto& [name, built] : testing::sample_blocks()) {
    const BlockDigest digest = testing::digest_by_views(built.bytes);
    EXPECT_TRUE(digest.valid) << name;
    EXPECT_EQ(testing::problems_of(digest), 0U) << name;
    EXPECT_EQ(digest.objects.size(), built.objects.size()) << name;
    EXPECT_TRUE(digest == testing::digest_by_reference(built.bytes)) << name;
  }
}

TEST(HostileBlocks, DamageInOneObjectLeavesTheOthersAlone) {
  const auto samples = testing::sample_blocks();
  const testing::BuiltBlock& built = samples.back().block;
  const BlockDigest sound = testing::digest_by_views(built.bytes);
  ASSERT_EQ(built.objects.size(), 3U);
  // All fields of the second object but its TotalByteLength, which the walk needs.
  for (std::size_t at = built.objects[1].offset + 4; at < built.objects[2].offset; at += 4) {
    for (const std::uint32_t value : kSuspicious) {
      const BlockDigest digest = testing::digest_by_views(built.with(at, value));
      ASSERT_GE(digest.objects.size(), 2U) << value << " at " << at;
      ASSERT_TRUE(digest.objects.front() == sound.objects.front()) << value << " at " << at;
      ASSERT_TRUE(digest.objects.back() == sound.objects.back()) << value << " at " << at;
    }
  }
}

class HostileRecordedBlocks : public testing::CaptureTest {
 protected:
  ByteVector recorded(const std::string& file) const {
    return testing::read_file(captures_ / "vista-6000" / file);
  }
};

TEST_F(HostileRecordedBlocks, EveryPrefixOfTheSmallOnes) {
  for (const char* const file : {"sample-0001-01.perf", "sample-0001-06.perf"}) {
    check_every_prefix(recorded(file), file);
    check_every_shortened_block(recorded(file), file);
  }
}

TEST_F(HostileRecordedBlocks, EveryFieldOfTheSmallOnes) {
  for (const char* const file : {"sample-0001-01.perf", "sample-0001-06.perf"})
    check_every_field(recorded(file), file);
}

TEST_F(HostileRecordedBlocks, FieldsOfTheProcessObject) {
  // 52 is no multiple of what is repeated there, so that all kinds of fields are met.
  check_every_field(recorded("sample-0001-05.perf"), "Process", 52);
}

}  // namespace
}  // namespace winperf
