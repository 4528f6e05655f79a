#include "collectors/blg/log_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/support/blg_builder.h"

namespace winperf::blg {
namespace {

using testing::ByteVector;
using testing::counter_list_bytes;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::with_field;

std::vector<std::string> paths_of(const CounterList& list) {
  std::vector<std::string> paths;
  for (const auto& counter : list.counters) paths.push_back(counter ? path_of(*counter) : "none");
  return paths;
}

std::vector<ErrorCode> codes_of(const CounterList& list) {
  std::vector<ErrorCode> codes;
  for (const Error& problem : list.problems) codes.push_back(problem.code);
  return codes;
}

const ByteVector kList = counter_list_bytes({{.object = u"Memory"},
                                             {.object = u"Processor", .instance = u"*"},
                                             {.object = u"Thread",
                                              .instance = u"0",
                                              .counter = u"Context Switches/sec",
                                              .parent = u"svc",
                                              .wildcard = 0,
                                              .type = 0x10410400,
                                              .time_base = 3'579'545,
                                              .default_scale = -2}});

std::uint32_t length_at(const ByteVector& bytes, std::size_t offset) {
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + offset, sizeof length);
  return length;
}

TEST(CounterList, BuildsPaths) {
  const CounterList list = read_counter_list(kList);
  EXPECT_THAT(list.problems, IsEmpty());
  EXPECT_THAT(paths_of(list), ElementsAre("\\\\HOST-01\\Memory\\*", "\\\\HOST-01\\Processor(*)\\*",
                                          "\\\\HOST-01\\Thread(svc/0)\\Context Switches/sec"));
}

TEST(CounterList, ReadsFields) {
  const CounterList list = read_counter_list(kList);
  ASSERT_EQ(list.counters.size(), 3U);
  ASSERT_TRUE(list.counters[0] && list.counters[2]);
  EXPECT_TRUE(list.counters[0]->wildcard);
  EXPECT_TRUE(names_whole_object(*list.counters[0]));
  const Counter& counter = *list.counters[2];
  EXPECT_FALSE(counter.wildcard);
  EXPECT_FALSE(names_whole_object(counter));
  EXPECT_EQ(counter.machine, "HOST-01");
  EXPECT_EQ(counter.object, "Thread");
  EXPECT_EQ(counter.parent, "svc");
  EXPECT_EQ(counter.instance, "0");
  EXPECT_EQ(counter.instance_index, 0U);
  EXPECT_EQ(counter.name, "Context Switches/sec");
  EXPECT_EQ(counter.type, 0x10410400U);
  EXPECT_EQ(counter.time_base, 3'579'545U);
  EXPECT_EQ(counter.default_scale, -2);
}

TEST(CounterList, ReadsTheFlagsThatLogsHave) {
  const auto wildcard = [](std::uint32_t flags) {
    return read_counter_list(counter_list_bytes({{.object = u"A", .wildcard = flags}}))
        .counters.at(0)
        ->wildcard;
  };
  EXPECT_TRUE(wildcard(0x10)) << "whole objects, Vista";
  EXPECT_TRUE(wildcard(0x2000'0001)) << "a wildcard, Windows 10";
  EXPECT_FALSE(wildcard(0x2000'0000)) << "a single counter, Windows 10";
  EXPECT_FALSE(wildcard(0));
}

TEST(CounterList, ReadsTheIndexOfAnInstance) {
  const ByteVector list = counter_list_bytes({{.object = u"Process", .instance = u"svchost"}});
  const auto path = [](const ByteVector& bytes) {
    return path_of(*read_counter_list(bytes).counters.at(0));
  };
  EXPECT_EQ(path(list), "\\\\HOST-01\\Process(svchost)\\*");
  EXPECT_EQ(path(with_field(list, 8 + 44, 2)), "\\\\HOST-01\\Process(svchost#2)\\*");
  EXPECT_EQ(path(with_field(list, 8 + 44, 0xFFFFFFFF)), path(list));
}

TEST(CounterList, CostsAnEntryItsBadStringAndKeepsItsPlace) {
  const std::size_t second = 8 + length_at(kList, 8);
  for (const std::size_t field : {28U, 32U, 36U, 40U, 48U}) {
    const CounterList list = read_counter_list(with_field(kList, second + field, 5000));
    EXPECT_THAT(paths_of(list), ElementsAre("\\\\HOST-01\\Memory\\*", "none",
                                            "\\\\HOST-01\\Thread(svc/0)\\Context Switches/sec"))
        << field;
    EXPECT_THAT(codes_of(list), ElementsAre(ErrorCode::kTruncated)) << field;
    EXPECT_EQ(list.problems[0].offset, second + 52 + 5000) << field;
  }
}

TEST(CounterList, RefusesAStringWithoutAnEnd) {
  ByteVector list = counter_list_bytes({{.object = u"Memory", .counter = u"12345"}});
  // The last string's NUL and the padding after it.
  for (std::size_t at = list.size() - 2; list[at] == std::byte{0}; at -= 2)
    list[at] = std::byte{'x'};
  EXPECT_THAT(codes_of(read_counter_list(list)), ElementsAre(ErrorCode::kBadText));
}

TEST(CounterList, EndsAtALengthThatLeadsNowhere) {
  const std::size_t second = 8 + length_at(kList, 8);
  for (const std::uint32_t length : {0U, 3U, 0xFFFFFFFFU, 1000U}) {
    const CounterList list = read_counter_list(with_field(kList, second, length));
    EXPECT_THAT(paths_of(list), ElementsAre("\\\\HOST-01\\Memory\\*")) << length;
    EXPECT_EQ(list.problems.size(), 1U) << length;
  }
}

TEST(CounterList, RefusesAnEntryTooShortForItsFields) {
  ByteVector list(8 + 51);
  list = with_field(std::move(list), 8, 51);
  EXPECT_THAT(codes_of(read_counter_list(list)), ElementsAre(ErrorCode::kBadLength));
}

TEST(CounterList, MayBeEmpty) {
  EXPECT_THAT(codes_of(read_counter_list(ByteVector(8))), IsEmpty());
  EXPECT_THAT(codes_of(read_counter_list(ByteVector(7))), ElementsAre(ErrorCode::kTruncated));
  EXPECT_THAT(codes_of(read_counter_list(ByteVector(11))), ElementsAre(ErrorCode::kTruncated));
}

}  // namespace
}  // namespace winperf::blg
