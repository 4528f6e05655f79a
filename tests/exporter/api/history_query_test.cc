#include "exporter/api/history_query.h"

#include <gmock/gmock.h>

namespace winperf::api {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

// 2026-11-28 02:00:00 UTC.
constexpr std::int64_t kAskedUnix = 1'795'831'200;
constexpr Ticks100ns from_1970(double seconds) {
  return {kUnixEpoch100ns + static_cast<std::int64_t>(seconds * 10) * (kTicks100nsPerSecond / 10)};
}
constexpr Ticks100ns kAsked = from_1970(kAskedUnix);

TEST(HistoryQuery, TimesAreReadInThreeForms) {
  struct Row {
    const char* text;
    double unix_seconds;
  };
  for (const Row& row :
       {Row{"2026-11-28T02:00:00Z", kAskedUnix},
        Row{"2026-11-28T03:30:00.5+01:30", kAskedUnix + 0.5},
        Row{"2026-11-27T21:00:00-05:00", kAskedUnix}, Row{"1795831200", kAskedUnix},
        Row{"1795831200.500", kAskedUnix + 0.5}, Row{"0", 0}, Row{"1h", kAskedUnix - 3'600},
        Row{"1m30s", kAskedUnix - 90}, Row{"0s", kAskedUnix}})
    EXPECT_EQ(parse_moment(row.text, kAsked), from_1970(row.unix_seconds)) << row.text;
}

TEST(HistoryQuery, WhatIsNoTimeIsRefused) {
  for (const char* const text :
       {"", "now", "-5", "1e9", "1795831200.", "9999999999999", "10000000h", "2026-11-28",
        "2026-11-28T02:00:00", "2026-13-28T02:00:00Z", "2026-02-30T02:00:00Z",
        "2026-11-28T24:00:00Z", "2026-11-28T02:00:00 01:00", "2026-11-28T02:00:00Zx",
        "2026-11-28T02:00:00+1:00", "2026-11-28T02:00:00.Z"})
    EXPECT_FALSE(parse_moment(text, kAsked)) << text;
}

TEST(HistoryQuery, OfARangeHasDefaults) {
  const auto query = range_query({{"path", "\\a\\b"}, {"path", "\\c\\d"}}, kAsked);
  ASSERT_TRUE(query);
  EXPECT_THAT(query->paths, ElementsAre("\\a\\b", "\\c\\d"));
  EXPECT_EQ(query->since, from_1970(kAskedUnix - 900));
  EXPECT_EQ(query->until, kAsked);
  EXPECT_FALSE(query->step);
}

std::string refusal_of_range(Query parameters) {
  parameters.emplace("path", "\\a\\b");
  const auto query = range_query(parameters, kAsked);
  return query ? "" : query.error().detail;
}

TEST(HistoryQuery, OfARangeIsRefusedByTheParametersName) {
  EXPECT_THAT(refusal_of_range({{"until", "noon"}}),
              StartsWith("until must be a time such as 2026-"));
  EXPECT_EQ(refusal_of_range({{"since", "1h"}, {"until", "2h"}}), "since must be before until");
  EXPECT_EQ(range_query({{"path", "\\A\\b"}, {"until", "9999-12-31T23:59:59Z"}}, kAsked)->until,
            kAsked)
      << "what hasn't been yet can't be asked for";
  EXPECT_EQ(refusal_of_range({{"step", "10ms"}}),
            "step must be a duration of at least 1s, such as 1m, not \"10ms\"");
  EXPECT_EQ(refusal_of_range({{"since", "100h"}, {"step", "1s"}}),
            "step must be longer: between since and until are more than 10000 "
            "steps");
  EXPECT_THAT(range_query({}, kAsked).error().detail, StartsWith("path is needed: a perfmon path"));
}

TEST(HistoryQuery, OfARangeMayBeAMoment) {
  const auto query = range_query({{"path", "\\a\\b"}, {"at", "1h"}, {"format", "columns"}}, kAsked);
  ASSERT_TRUE(query);
  EXPECT_FALSE(query->since);
  EXPECT_EQ(query->until, from_1970(kAskedUnix - 3'600));
  EXPECT_TRUE(query->as_columns);
  EXPECT_FALSE(range_query({{"path", "\\a\\b"}, {"format", "rows"}}, kAsked)->as_columns);
  for (const char* const name : {"since", "until", "step"})
    EXPECT_EQ(refusal_of_range({{"at", "1h"}, {name, "2h"}}),
              std::string(name) + " cannot be combined with at");
  EXPECT_THAT(refusal_of_range({{"at", "noon"}}), StartsWith("at must be a time such as 2026-"));
  EXPECT_THAT(refusal_of_range({{"format", "colums"}}),
              StartsWith("format 'colums' does not exist; did you mean 'columns'?"));
}

std::string refusal_of_top(const Query& parameters) {
  const auto query = top_query(parameters, kAsked);
  return query ? "" : query.error().detail;
}

TEST(HistoryQuery, OfLeadersIsAtAMomentOrOverATime) {
  const auto now = top_query({}, kAsked);
  ASSERT_TRUE(now);
  EXPECT_EQ(now->counter, "% Processor Time");
  EXPECT_EQ(now->count, 10u);
  EXPECT_FALSE(now->since);
  EXPECT_EQ(now->until, kAsked);
  EXPECT_EQ(top_query({{"at", "10m"}, {"n", "3"}}, kAsked)->until, from_1970(kAskedUnix - 600));
  const auto span = top_query({{"since", "2h"}, {"until", "1h"}}, kAsked);
  ASSERT_TRUE(span);
  EXPECT_EQ(span->since, from_1970(kAskedUnix - 7'200));
  EXPECT_EQ(refusal_of_top({{"at", "1h"}, {"since", "2h"}}), "since cannot be combined with at");
  EXPECT_EQ(refusal_of_top({{"until", "2h"}}), "until needs since; for a moment use at");
  for (const char* const n : {"0", "1001", "x"})
    EXPECT_THAT(refusal_of_top({{"n", n}}),
                StartsWith("n must be a whole number from 1 to 1000, not"));
}

}  // namespace
}  // namespace winperf::api
