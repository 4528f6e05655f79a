// A tracker that knows how values lie reads the next result as one does that knows nothing.
#include "collectors/sampling/perflib/v2_rows.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/collectors/sampling/perflib/tracked.h"

namespace winperf {
namespace {

using testing::Counters;
using testing::Tracked;

// What a result says, without what is cooked from it and the one before.
struct Read {
  std::optional<ErrorCode> error;
  std::vector<ErrorCode> problems;
  std::vector<std::string> names;
  std::vector<std::uint64_t> raw;
  std::vector<std::uint64_t> bases;
  std::vector<NoValue> missing;  // reasons of cells without a raw value or base
  bool operator==(const Read&) const = default;
};

// Empty if the result isn't one.
std::optional<Read> read(Tracked& tracked, const simulator::Bytes& bytes) {
  const auto view = v2::ResultView::parse(ByteView(bytes, "v2.result"), {});
  if (!view) return std::nullopt;
  const ReadResult result = tracked.tracker().update(*view, tracked.request, tracked.clocks());
  Read seen;
  const auto& problems = result ? result->problems : result.error().problems;
  for (const Error& problem : problems) seen.problems.push_back(problem.code);
  if (!result) {
    seen.error = result.error().error.code;
    return seen;
  }
  const CountersetSample& sample = *result->sample;
  for (const InstanceSchema& instance : sample.instances->instances)
    seen.names.push_back(display_name(instance));
  seen.raw = sample.raw;
  for (std::size_t cell = 0; cell < sample.raw.size(); ++cell) {
    seen.bases.push_back(sample.base_at(cell));
    const NoValue reason = sample.reason[cell];
    seen.missing.push_back(!has_raw(reason) || reason == NoValue::kNoBase ? reason
                                                                          : NoValue::kNone);
  }
  return seen;
}

const Counters kKnownCounters{{.id = 1, .type = 0x10410400},
                              {.id = 2, .type = 0x20020400, .base_id = 3},
                              {.id = 3, .type = 0x40030403},
                              {.id = 4, .type = 0x00010100, .bytes = 8}};
const std::vector<simulator::InstanceValues> kKnownRows{
    {u"a", 1, {10, 20, 30, 40}}, {u"b", 2, {11, 21, 31, 41}}, {u"c", 3, {12, 22, 32, 42}}};

TEST(V2Rows, WhateverByteIsAnotherOneTheResultIsReadTheSame) {
  const simulator::Bytes known = Tracked(kKnownCounters).result(kKnownRows);
  std::size_t compared = 0;
  for (std::size_t at = 0; at < known.size(); ++at) {
    for (const int value : {0, 1, 4, 8, 12, 0x7F, 0xFF}) {
      simulator::Bytes bytes = known;
      bytes[at] = static_cast<std::byte>(value);
      Tracked fresh(kKnownCounters);
      Tracked knowing(kKnownCounters);
      (void)read(knowing, known);
      (void)read(knowing, known);
      EXPECT_EQ(read(knowing, bytes), read(fresh, bytes)) << "byte " << at << " is " << value;
      EXPECT_EQ(read(knowing, known), read(fresh, known)) << "after byte " << at;
      ++compared;
    }
  }
  EXPECT_GT(compared, 1'000u);
}

TEST(V2Rows, WhereverItEndsTheResultIsReadTheSame) {
  const simulator::Bytes known = Tracked(kKnownCounters).result(kKnownRows);
  for (std::size_t size = 0; size < known.size(); ++size) {
    const simulator::Bytes bytes(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(size));
    Tracked fresh(kKnownCounters);
    Tracked knowing(kKnownCounters);
    (void)read(knowing, known);
    EXPECT_EQ(read(knowing, bytes), read(fresh, bytes)) << size << " bytes";
  }
}

TEST(V2Rows, OtherInstancesAreReadTheSame) {
  Tracked knowing(kKnownCounters);
  (void)read(knowing, knowing.result(kKnownRows));
  for (const auto& rows : std::vector<std::vector<simulator::InstanceValues>>{
           {kKnownRows[1], kKnownRows[0]},
           {},
           {kKnownRows[2]},
           {kKnownRows[0], kKnownRows[0], kKnownRows[2]},
           kKnownRows}) {
    Tracked fresh(kKnownCounters);
    EXPECT_EQ(read(knowing, fresh.result(rows)), read(fresh, fresh.result(rows))) << rows.size();
  }
}

// Followed or not, so that the tests above compare two ways.
TEST(V2Rows, FollowsWhatItHasLearned) {
  Tracked tracked(kKnownCounters);
  const simulator::Bytes bytes = tracked.result(kKnownRows);
  const auto view = v2::ResultView::parse(ByteView(bytes, "v2.result"), {}).value();
  V2Rows rows;
  EXPECT_FALSE(rows.follow(view, 0)) << "nothing is known";
  rows.learn(view, 0);
  ASSERT_TRUE(rows.follow(view, 0));
  EXPECT_EQ(rows.blocks().size(), 3U);
  const auto place = rows.place_of(4, CounterType{0x00010100});
  ASSERT_TRUE(place);
  EXPECT_EQ(rows.blocks()[2].read(*place), 42U);
  EXPECT_FALSE(rows.place_of(9, {}));
}

}  // namespace
}  // namespace winperf
