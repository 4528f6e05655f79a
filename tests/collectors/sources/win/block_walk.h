// Reads a V1 block with the SDK's own structures, for tests to hold a reply against.
#pragma once

#include <gtest/gtest.h>
#include <windows.h>
#include <winperf.h>

#include <cstring>
#include <vector>

#include "collectors/sources/source.h"

namespace winperf::testing {

struct WalkedObject {
  PERF_OBJECT_TYPE header{};
  std::size_t offset = 0;
};

struct WalkedBlock {
  PERF_DATA_BLOCK header{};
  std::vector<WalkedObject> objects;

  const WalkedObject* find(DWORD index) const {
    for (const WalkedObject& object : objects)
      if (object.header.ObjectNameTitleIndex == index) return &object;
    return nullptr;
  }
};

// Fails the test unless the block is exactly as long as it says and its objects fill it.
inline void walk(const Bytes& bytes, WalkedBlock& block) {
  ASSERT_GE(bytes.size(), sizeof(PERF_DATA_BLOCK));
  std::memcpy(&block.header, bytes.data(), sizeof(block.header));
  ASSERT_EQ(std::memcmp(block.header.Signature, L"PERF", 8), 0);
  ASSERT_EQ(block.header.TotalByteLength, bytes.size());
  ASSERT_GE(block.header.HeaderLength, sizeof(PERF_DATA_BLOCK));
  std::size_t offset = block.header.HeaderLength;
  for (DWORD i = 0; i < block.header.NumObjectTypes; ++i) {
    WalkedObject object;
    object.offset = offset;
    ASSERT_LE(offset + sizeof(PERF_OBJECT_TYPE), bytes.size()) << "object " << i;
    std::memcpy(&object.header, bytes.data() + offset, sizeof(object.header));
    ASSERT_GE(object.header.TotalByteLength, sizeof(PERF_OBJECT_TYPE)) << "object " << i;
    offset += object.header.TotalByteLength;
    ASSERT_LE(offset, bytes.size()) << "object " << i;
    block.objects.push_back(object);
  }
  EXPECT_EQ(offset, bytes.size());
}

inline WalkedBlock walk_reply(const std::expected<Reply, Error>& reply) {
  WalkedBlock block;
  EXPECT_TRUE(reply) << describe(reply.error());
  if (!reply) return block;
  EXPECT_EQ(reply->blocks.size(), 1U);
  walk(reply->blocks.at(0), block);
  return block;
}

}  // namespace winperf::testing
