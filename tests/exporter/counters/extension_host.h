// The process that calls the extension, and the machine that it runs on, as a test decides.
//
// Each call is checked as far as the contract says the same of all: the reply lies within the room,
// the pointer has moved by its size, and each structure begins at a multiple of 8.
// Thread rule: collect(), open() and close() on any thread; the members are set while none calls.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "collectors/provider/provider_source.h"
#include "exporter/counters/extension.h"
#include "tests/exporter/counters/section_builder.h"
#include "tests/support/block_digest.h"

namespace winperf::own::testing {

inline constexpr std::uint32_t kFirstCounter = 4000;
inline constexpr std::uint32_t kFirstHelp = 5001;
inline constexpr std::int64_t kNow = 133'716'612'800'215'149;
inline constexpr std::uint32_t kMoreData = 234;

struct ExtensionReply {
  std::uint32_t code = 0;
  std::vector<std::byte> bytes{};
  std::uint32_t objects = 0;
  bool untouched = false;  // no byte of the room has changed
};

// The objects in a block like the system's, read by the product and by a second parser.
inline winperf::testing::BlockDigest read_objects(std::span<const std::byte> objects,
                                                  std::uint32_t count) {
  constexpr std::u16string_view kComputer = u"PC";
  const std::size_t head = block_head_bytes(kComputer);
  std::vector<std::byte> block(head + objects.size());
  std::ranges::copy(objects, block.begin() + static_cast<std::ptrdiff_t>(head));
  write_block_head(block, {.perf_time = 1, .perf_frequency = 10'000'000, .time_100ns = kNow},
                   kComputer, count);
  winperf::testing::BlockDigest digest = winperf::testing::digest_by_views(block);
  // Not EXPECT_EQ, which would print megabytes.
  EXPECT_TRUE(digest == winperf::testing::digest_by_reference(block));
  EXPECT_TRUE(digest.valid);
  EXPECT_EQ(digest.problems, 0U);
  EXPECT_EQ(digest.objects.size(), count);
  for (const auto& object : digest.objects) {
    EXPECT_EQ(object.problems, 0U);
    EXPECT_EQ(object.offset % 8, 0U);
  }
  return digest;
}

class ExtensionHost {
 public:
  explicit ExtensionHost(SectionMemory memory) : section(std::move(memory)) {}

  std::uint32_t open() { return extension_.open(); }
  std::uint32_t close() { return extension_.close(); }
  ExtensionReply collect(const char16_t* query = u"Global", std::size_t room = kRoom) {
    constexpr std::size_t kGuard = 64;
    constexpr std::byte kFill{0xA5};
    std::vector<std::byte> buffer(room + 2 * kGuard, kFill);
    std::byte* const begin = buffer.data() + kGuard;
    void* data = begin;
    auto bytes = static_cast<std::uint32_t>(room);
    std::uint32_t objects = 0xDEAD;
    const std::uint32_t code = extension_.collect(query, &data, &bytes, &objects);
    EXPECT_LE(bytes, room);
    EXPECT_EQ(static_cast<std::byte*>(data) - begin, static_cast<std::ptrdiff_t>(bytes));
    EXPECT_EQ(bytes % 8, 0U);
    EXPECT_EQ(bytes == 0, objects == 0);
    const auto is_fill = [](std::byte byte) { return byte == kFill; };
    EXPECT_TRUE(std::all_of(buffer.data(), begin, is_fill));
    EXPECT_TRUE(std::all_of(begin + room, buffer.data() + buffer.size(), is_fill));
    return {.code = code,
            .bytes = {begin, begin + std::min<std::size_t>(bytes, room)},
            .objects = objects,
            .untouched = std::ranges::all_of(buffer, is_fill)};
  }
  winperf::testing::BlockDigest objects(const char16_t* query = u"Global") {
    const ExtensionReply reply = collect(query);
    EXPECT_EQ(reply.code, 0U);
    return read_objects(reply.bytes, reply.objects);
  }
  Extension& extension() { return extension_; }

  struct Report {
    Trouble trouble;
    std::uint32_t detail;
    bool operator==(const Report&) const = default;
  };
  std::vector<Report> reports() {
    const std::lock_guard guard(mutex_);
    return reports_;
  }

  SectionMemory section;
  std::optional<TitleIndices> indices =
      TitleIndices{.first_counter = kFirstCounter, .first_help = kFirstHelp};
  std::uint32_t section_error = 0;  // instead of the section
  std::int64_t now = kNow;
  std::uint64_t tick = 0;

 private:
  static constexpr std::size_t kRoom = std::size_t{1} << 20;

  static ExtensionHost& of(void* context) { return *static_cast<ExtensionHost*>(context); }
  Surroundings surroundings() {
    return {
        .read_indices = [](void* context, TitleIndices& read) -> std::uint32_t {
          if (!of(context).indices) return 2;
          read = *of(context).indices;
          return 0;
        },
        .with_section = [](void* context, void (*use)(void*, std::span<const Word>),
                           void* of_use) -> std::uint32_t {
          if (of(context).section_error == 0) use(of_use, of(context).section.words());
          return of(context).section_error;
        },
        .now = [](void* context) { return of(context).now; },
        .tick = [](void* context) { return of(context).tick; },
        .report =
            [](void* context, Trouble trouble, std::uint32_t detail) {
              const std::lock_guard guard(of(context).mutex_);
              of(context).reports_.push_back({trouble, detail});
            },
        .context = this,
    };
  }

  std::mutex mutex_;
  std::vector<Report> reports_;
  Extension extension_{surroundings()};
};

}  // namespace winperf::own::testing
