#include "collectors/diagnosis/trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <limits>

#include "collectors/base/os_code.h"
#include "collectors/sources/platform.h"
#include "tests/collectors/sampling/fake_source.h"
#include "tests/collectors/sampling/perflib/fake_perflib.h"
#include "tests/support/block_builder.h"

namespace winperf::testing {
namespace {

using ::testing::ElementsAre;

constexpr std::int64_t kSecond = 10'000'000;
constexpr std::int64_t kNow = 133'716'612'800'000'000;

// Two looks at the wall clock: before the query and after it.
ClockSource clocks_at(std::int64_t before, std::int64_t after) {
  ClockSource clocks = system_clocks();
  clocks.wall_now = [times = std::deque{before, after}]() mutable {
    const Ticks100ns now{times.front()};
    if (times.size() > 1) times.pop_front();
    return now;
  };
  return clocks;
}

TargetFacts tried(std::int64_t theirs, const ClockSource& clocks) {
  FakeSource source;
  source.replies["2"] = {BlockBuilder().time_100ns(Ticks100ns{theirs}).bytes()};
  return try_target(source, "SQL01", clocks);
}

TEST(TryTarget, TellsWhyAMachineCanNotBeRead) {
  FakeSource source;
  const Error refused{.code = ErrorCode::kOsError, .where = kConnecting, .os_code = 53};
  source.replies["2"] = {std::unexpected(refused)};
  const TargetFacts target = try_target(source, "SQL01");
  EXPECT_EQ(target.host, "SQL01");
  EXPECT_EQ(target.connection, refused);
  EXPECT_EQ(target.ahead, std::nullopt);
  EXPECT_THAT(source.asked, ElementsAre("2"));
}

TEST(TryTarget, ItsClockIsComparedWithOursBeforeAndAfter) {
  const std::int64_t after = kNow + 10 * kSecond;
  const std::pair<std::int64_t, int> rows[] = {
      {kNow, 0},
      {kNow + 5 * kSecond, 0},
      {after, 0},
      {after + 90 * kSecond, 90},
      {kNow - 400 * kSecond, -400},
  };
  for (const auto& [theirs, seconds] : rows)
    EXPECT_EQ(tried(theirs, clocks_at(kNow, after)).ahead, std::chrono::seconds(seconds));
  EXPECT_EQ(tried(kNow, clocks_at(kNow, kNow - kSecond)).ahead, std::chrono::seconds(0))
      << "ours was set back";
}

TEST(TryTarget, AnyTimeMayBeInItsReply) {
  using Limits = std::numeric_limits<std::int64_t>;
  EXPECT_GT(tried(Limits::max(), clocks_at(kNow, kNow)).ahead, std::chrono::years(10'000));
  EXPECT_LT(tried(Limits::min(), clocks_at(kNow, kNow)).ahead, std::chrono::years(-10'000));
}

TEST(TryTarget, WhatIsNoBlockHasNoTime) {
  FakeSource source;
  source.replies["2"] = {Bytes(200)};
  const TargetFacts target = try_target(source, "SQL01");
  EXPECT_EQ(target.connection, std::nullopt);
  EXPECT_EQ(target.ahead, std::nullopt);
}

TEST(TryTarget, PerflibIsAskedForItsCountersets) {
  TargetFacts target{.host = "SQL01"};
  FakePerflib answering;
  try_target_perflib(answering.source, target);
  EXPECT_EQ(answering.enumerated, 1);
  EXPECT_EQ(target.perflib, std::nullopt);
  answering.list_status = OsCode::kNotSupported;
  try_target_perflib(answering.source, target);
  ASSERT_TRUE(target.perflib);
  EXPECT_EQ(target.perflib->os_code, value_of(OsCode::kNotSupported));
}

TEST(IdentityOf, IsWhatServiceAccountsAreOnTheNetwork) {
  const std::pair<const char*, NetworkIdentity> rows[] = {
      {"", NetworkIdentity::kUnknown},
      {"S-1-5-18", NetworkIdentity::kMachine},
      {"S-1-5-19", NetworkIdentity::kAnonymous},
      {"S-1-5-20", NetworkIdentity::kMachine},
      {"S-1-5-7", NetworkIdentity::kAnonymous},
      {"S-1-5-80-1184457765-4068085190-3456807688-2200952327-3769537534",
       NetworkIdentity::kMachine},
      {"S-1-5-21-1004336348-1177238915-682003330-1103", NetworkIdentity::kItself},
  };
  for (const auto& [sid, identity] : rows) EXPECT_EQ(identity_of(sid), identity) << sid;
}

}  // namespace
}  // namespace winperf::testing
