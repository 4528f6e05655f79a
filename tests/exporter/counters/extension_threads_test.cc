// Consumers in many threads, while the service writes: each reply is one whole state.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "exporter/counters/extension.h"
#include "exporter/counters/section_writer.h"
#include "tests/exporter/counters/extension_host.h"
#include "tests/support/thorough.h"

namespace winperf::own {
namespace {

using testing::ExtensionHost;
using testing::kNow;
using testing::SectionMemory;

constexpr std::size_t kThreads = 16;

// All that a reply shows follows from the number of the state.
void expect_one_state(const winperf::testing::BlockDigest& block) {
  ASSERT_EQ(block.objects.size(), 2U);
  const auto& exporter = block.objects[0].instances.at(0).values;
  const std::uint64_t number = exporter.at(0).value;
  ASSERT_EQ(exporter.size(), kExporterValues);
  for (std::size_t i = 0; i < kExporterValues; ++i)
    ASSERT_EQ(exporter[i].value, testing::exporter_value_of(number, i));
  const auto& rows = block.objects[1].instances;
  ASSERT_EQ(rows.size(), testing::numbered_rows(number));
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (std::size_t i = 0; i < kCountersetValues; ++i)
      ASSERT_EQ(rows[row].values.at(i).value, testing::counterset_value_of(number, row, i));
}

TEST(ExtensionThreads, EachReplyIsOneWholeState) {
  ExtensionHost host{SectionMemory(kSectionWords)};
  SectionWriter writer(host.section.words());
  const auto publish = [&] {
    const std::uint64_t number = writer.next_number();
    writer.publish(testing::numbered_state(number, kNow, testing::numbered_rows(number)));
  };
  publish();
  ASSERT_EQ(host.open(), 0U);
  std::atomic<std::size_t> running{kThreads};
  std::atomic<std::size_t> replies{0};
  std::vector<std::jthread> threads;
  const int rounds = winperf::testing::thorough() ? 2000 : 100;
  for (std::size_t thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&] {
      for (int round = 0; round < rounds; ++round) {
        EXPECT_EQ(host.open(), 0U);
        const testing::ExtensionReply reply = host.collect();
        EXPECT_EQ(reply.code, 0U);
        // Written over four times while it was read: no data, which is allowed.
        if (reply.objects != 0) {
          expect_one_state(testing::read_objects(reply.bytes, reply.objects));
          replies.fetch_add(1);
        }
        EXPECT_EQ(host.close(), 0U);
      }
      running.fetch_sub(1);
    });
  while (running.load() != 0) publish();
  threads.clear();
  EXPECT_GT(replies.load(), 0U);
  EXPECT_EQ(host.reports(), std::vector<ExtensionHost::Report>{});
  // Open was called as often as Close, and once before.
  EXPECT_EQ(host.collect().objects, 2U);
  EXPECT_EQ(host.close(), 0U);
  EXPECT_EQ(host.collect().objects, 0U);
}

TEST(ExtensionThreads, ACauseIsReportedOnceByAllOfThem) {
  ExtensionHost host{SectionMemory(kSectionWords)};
  ASSERT_EQ(host.open(), 0U);
  host.section_error = 5;
  std::vector<std::jthread> threads;
  for (std::size_t thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) EXPECT_EQ(host.collect(u"Global", 64).code, 0U);
    });
  threads.clear();
  EXPECT_EQ(host.reports().size(), 1U);
}

TEST(ExtensionThreads, MoreClosesThanOpensNeverCountBelowZero) {
  ExtensionHost host{SectionMemory(kSectionWords)};
  SectionWriter(host.section.words()).publish(testing::numbered_state(1, kNow, 1));
  std::vector<std::jthread> threads;
  for (std::size_t thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&] {
      for (int round = 0; round < 500; ++round) EXPECT_EQ(host.close(), 0U);
    });
  threads.clear();
  EXPECT_EQ(host.collect().objects, 0U);
  ASSERT_EQ(host.open(), 0U);
  EXPECT_EQ(host.collect().objects, 2U);
}

}  // namespace
}  // namespace winperf::own
