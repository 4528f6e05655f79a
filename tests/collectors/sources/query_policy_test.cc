#include "collectors/sources/query_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "collectors/base/stop.h"

namespace winperf {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::size_t kUndefined = 0;  // what Wine leaves in the size after ERROR_MORE_DATA

class FakeClock {
 public:
  ClockSource source() {
    return {.steady_now = [this] { return Time(now); },
            .wall_now = [] { return Ticks100ns{}; },
            .pause_until =
                [this](Time then, const StopToken&) {
                  pauses.push_back(std::chrono::duration_cast<milliseconds>(then - Time(now)));
                  now += pauses.back();
                  if (stop_while_waiting) stop_while_waiting->request_stop();
                }};
  }
  milliseconds now{0};
  std::vector<milliseconds> pauses;
  StopSource* stop_while_waiting = nullptr;

 private:
  using Time = std::chrono::steady_clock::time_point;
};

// The system: gives `answers` one after the other, then serves `needed` bytes.
struct FakeSystem {
  std::uint32_t operator()(std::span<std::byte> buffer, std::size_t& size) {
    capacities.push_back(buffer.size());
    offered.push_back(size);
    zeroed = zeroed && std::all_of(buffer.begin(), buffer.end(),
                                   [](std::byte byte) { return byte == std::byte{0}; });
    std::fill(buffer.begin(), buffer.end(), std::byte{0xEE});
    clock.now += each_call;
    if (capacities.size() <= answers.size()) {
      size = kUndefined;
      return value_of(answers[capacities.size() - 1]);
    }
    if (buffer.size() < needed) {
      size = after_more_data;
      return value_of(OsCode::kMoreData);
    }
    size = reported.value_or(needed);
    return 0;
  }
  FakeClock& clock;
  std::vector<OsCode> answers = {};
  std::size_t needed = 100;
  std::optional<std::size_t> reported = {};
  std::size_t after_more_data = kUndefined;
  milliseconds each_call{0};
  std::vector<std::size_t> capacities = {};
  std::vector<std::size_t> offered = {};
  bool zeroed = true;
  int closed = 0;
};

class QueryPolicyTest : public ::testing::Test {
 protected:
  std::expected<Bytes, Error> run(std::string_view value_name = "Global", StopToken stop = {}) {
    return policy().run(value_name, calls(), std::move(stop));
  }
  std::expected<std::size_t, Error> run_in(std::span<std::byte> room,
                                           std::string_view value_name = "Global",
                                           StopToken stop = {}) {
    return policy().run_in(room, value_name, calls(), std::move(stop));
  }
  QueryPolicy& policy() {
    if (!policy_) policy_.emplace(limits_, clock_.source());
    return *policy_;
  }
  QueryCalls calls() {
    return {
        [this](std::span<std::byte> buffer, std::size_t& size) { return system_(buffer, size); },
        [this] { ++system_.closed; }};
  }
  ErrorCode code_of(const std::expected<Bytes, Error>& reply) {
    EXPECT_FALSE(reply);
    return reply ? ErrorCode::kTruncated : reply.error().code;
  }

  QueryLimits limits_;
  FakeClock clock_;
  FakeSystem system_{.clock = clock_};
  std::optional<QueryPolicy> policy_;
};

TEST(QueryLimits, AreAMinuteAndAQuarterOfAGibibyte) {
  const QueryLimits limits;
  EXPECT_EQ(limits.max_time, std::chrono::minutes(1));
  EXPECT_EQ(limits.max_bytes, std::size_t{1} << 28);
  EXPECT_EQ(limits.max_calls, 64U);
  EXPECT_EQ(QueryPolicy::kFirstPause, std::chrono::milliseconds(10));
  EXPECT_EQ(QueryPolicy::kLastPause, std::chrono::seconds(1));
}

TEST_F(QueryPolicyTest, Query_GivesExactlyTheBytesReported) {
  const auto reply = run();
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->size(), 100U);
  EXPECT_THAT(system_.capacities, ElementsAre(64U << 10));
  EXPECT_TRUE(system_.zeroed);
}

TEST_F(QueryPolicyTest, Query_TakesAnEmptyReply) {
  system_.needed = 0;
  const auto reply = run();
  ASSERT_TRUE(reply);
  EXPECT_TRUE(reply->empty());
}

TEST_F(QueryPolicyTest, Growth_DoublesToOneMebibyteThenByHalfFromOurOwnCapacity) {
  system_.needed = 2U << 20;
  const auto reply = run();
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->size(), 2U << 20);
  EXPECT_THAT(system_.capacities,
              ElementsAre(65536, 131072, 262144, 524288, 1048576, 1572864, 2359296));
  EXPECT_EQ(system_.offered, system_.capacities);
  EXPECT_TRUE(system_.zeroed);
}

TEST_F(QueryPolicyTest, Growth_IgnoresTheSizeThatComesWithMoreData) {
  for (const std::size_t lie : {std::size_t{0}, std::size_t{1}, std::size_t{0xFFFFFFFF}}) {
    system_.capacities.clear();
    system_.needed = 100'000;
    system_.after_more_data = lie;
    policy_.reset();
    EXPECT_TRUE(run());
    EXPECT_THAT(system_.capacities, ElementsAre(65536, 131072)) << lie;
  }
}

TEST_F(QueryPolicyTest, Growth_AcceptsAnExactFit) {
  system_.needed = 65536;
  const auto reply = run();
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->size(), 65536U);
  EXPECT_EQ(system_.capacities.size(), 1U);
}

TEST_F(QueryPolicyTest, Growth_EndsAtTheByteLimit) {
  limits_.max_bytes = 3U << 20;
  system_.needed = SIZE_MAX;
  const auto reply = run();
  ASSERT_EQ(code_of(reply), ErrorCode::kBufferLimit);
  EXPECT_EQ(reply.error().actual, 3U << 20);
  EXPECT_EQ(reply.error().limit, 3U << 20);
  EXPECT_EQ(reply.error().os_code, 234U);
  EXPECT_EQ(system_.capacities.back(), 3U << 20);
}

TEST_F(QueryPolicyTest, Growth_EndsAtTheDefaultLimitWithinTheDefaultCalls) {
  // What the system would have to fill is not: this is about the sequence.
  system_.needed = SIZE_MAX;
  limits_.max_bytes = 16U << 20;
  EXPECT_EQ(code_of(run()), ErrorCode::kBufferLimit);
  EXPECT_LT(system_.capacities.size(), limits_.max_calls);
}

TEST_F(QueryPolicyTest, Growth_StartsAtALimitBelowTheFirstBuffer) {
  limits_.max_bytes = 10;
  EXPECT_EQ(code_of(run()), ErrorCode::kBufferLimit);
  EXPECT_THAT(system_.capacities, ElementsAre(10));
}

TEST_F(QueryPolicyTest, Growth_RefusesASizeLargerThanTheBuffer) {
  system_.reported = 65537;
  const auto reply = run();
  ASSERT_EQ(code_of(reply), ErrorCode::kBadLength);
  EXPECT_EQ(reply.error().actual, 65537U);
  EXPECT_EQ(reply.error().limit, 65536U);
}

TEST_F(QueryPolicyTest, Growth_EndsAtTheTimeLimit) {
  limits_.max_time = milliseconds(1000);
  system_.each_call = milliseconds(400);
  system_.needed = SIZE_MAX;
  const auto reply = run();
  ASSERT_EQ(code_of(reply), ErrorCode::kTimedOut);
  EXPECT_EQ(reply.error().actual, 1200U);
  EXPECT_EQ(reply.error().limit, 1000U);
  EXPECT_EQ(system_.capacities.size(), 3U);
}

TEST_F(QueryPolicyTest, Growth_EndsAtTheCallLimit) {
  limits_.max_calls = 3;
  system_.needed = SIZE_MAX;
  EXPECT_EQ(code_of(run()), ErrorCode::kBufferLimit);
  EXPECT_EQ(system_.capacities.size(), 3U);
}

TEST_F(QueryPolicyTest, Memory_StartsWithTheLastGoodSizeAndAQuarterMore) {
  system_.needed = 400'000;
  ASSERT_TRUE(run("230"));
  system_.capacities.clear();
  ASSERT_TRUE(run("230"));
  EXPECT_THAT(system_.capacities, ElementsAre(500'000));
}

TEST_F(QueryPolicyTest, Memory_IsKeptForEachValueName) {
  system_.needed = 400'000;
  ASSERT_TRUE(run("230"));
  system_.capacities.clear();
  system_.needed = 100;
  ASSERT_TRUE(run("2"));
  EXPECT_THAT(system_.capacities, ElementsAre(65536));
}

TEST_F(QueryPolicyTest, Memory_ShrinksWithTheReplies) {
  system_.needed = 400'000;
  ASSERT_TRUE(run());
  system_.needed = 100;
  ASSERT_TRUE(run());
  system_.capacities.clear();
  ASSERT_TRUE(run());
  EXPECT_THAT(system_.capacities, ElementsAre(65536));
}

TEST_F(QueryPolicyTest, Memory_NeverStartsAboveTheByteLimit) {
  limits_.max_bytes = 450'000;
  system_.needed = 400'000;
  ASSERT_TRUE(run());
  system_.capacities.clear();
  ASSERT_TRUE(run());
  EXPECT_THAT(system_.capacities, ElementsAre(450'000));
}

TEST_F(QueryPolicyTest, Memory_HoldsABoundedNumberOfNames) {
  system_.needed = 100'000;
  ASSERT_TRUE(run("first"));
  for (std::size_t i = 0; i < QueryPolicy::kMaxRemembered; ++i) ASSERT_TRUE(run(std::to_string(i)));
  system_.capacities.clear();
  ASSERT_TRUE(run("first"));
  EXPECT_EQ(system_.capacities.front(), 65536U);
}

TEST_F(QueryPolicyTest, Busy_PausesLongerEachTimeAndThenAnswers) {
  system_.answers = {OsCode::kBusy, OsCode::kNotReady, OsCode::kLockFailed, OsCode::kWaitTimeout,
                     OsCode::kInsufficientBuffer};
  ASSERT_TRUE(run());
  EXPECT_THAT(clock_.pauses, ElementsAre(milliseconds(10), milliseconds(20), milliseconds(40),
                                         milliseconds(80), milliseconds(160)));
  EXPECT_THAT(system_.capacities, ElementsAre(65536, 65536, 65536, 65536, 65536, 65536));
  EXPECT_TRUE(system_.zeroed);
}

TEST_F(QueryPolicyTest, Busy_EndsAtTheTimeLimitWithoutPausingBeyondIt) {
  limits_.max_time = milliseconds(5000);
  system_.answers.assign(1000, OsCode::kBusy);
  const auto reply = run();
  ASSERT_EQ(code_of(reply), ErrorCode::kTimedOut);
  EXPECT_EQ(reply.error().os_code, 170U);
  EXPECT_EQ(clock_.now, milliseconds(5000));
  EXPECT_EQ(*std::max_element(clock_.pauses.begin(), clock_.pauses.end()), milliseconds(1000));
}

TEST_F(QueryPolicyTest, Busy_EndsAtTheCallLimit) {
  limits_.max_calls = 4;
  system_.answers.assign(1000, OsCode::kNotReady);
  const auto reply = run();
  ASSERT_EQ(code_of(reply), ErrorCode::kBusy);
  EXPECT_EQ(reply.error().os_code, 21U);
  EXPECT_EQ(clock_.pauses.size(), 3U);
}

TEST_F(QueryPolicyTest, BrokenHandle_IsClosedAndAskedAgainOnce) {
  for (const OsCode broken :
       {OsCode::kInvalidHandle, OsCode::kRpcServerUnavailable, OsCode::kRpcCallFailed}) {
    system_.capacities.clear();
    system_.closed = 0;
    system_.answers = {broken};
    EXPECT_TRUE(run());
    EXPECT_EQ(system_.closed, 1);

    system_.capacities.clear();
    system_.closed = 0;
    system_.answers = {broken, broken};
    const auto reply = run();
    ASSERT_EQ(code_of(reply), ErrorCode::kOsError);
    EXPECT_EQ(reply.error().os_code, value_of(broken));
    EXPECT_EQ(system_.closed, 1);
    EXPECT_EQ(system_.capacities.size(), 2U);
  }
  EXPECT_THAT(clock_.pauses, IsEmpty());
}

TEST_F(QueryPolicyTest, OtherErrors_EndTheQueryAtOnce) {
  struct Row {
    OsCode os_code;
    ErrorCode code;
  };
  for (const Row& row :
       {Row{OsCode::kAccessDenied, ErrorCode::kAccessDenied},
        Row{OsCode::kFileNotFound, ErrorCode::kNoSuchFile}, Row{OsCode{31}, ErrorCode::kOsError}}) {
    system_.capacities.clear();
    system_.answers = {row.os_code};
    const auto reply = run();
    ASSERT_EQ(code_of(reply), row.code);
    EXPECT_EQ(reply.error().os_code, value_of(row.os_code));
    EXPECT_EQ(system_.capacities.size(), 1U);
  }
}

TEST_F(QueryPolicyTest, Stop_BeforeTheQueryMakesNoCall) {
  StopSource stop;
  stop.request_stop();
  EXPECT_EQ(code_of(run("Global", stop.token())), ErrorCode::kCancelled);
  EXPECT_THAT(system_.capacities, IsEmpty());
}

TEST_F(QueryPolicyTest, Stop_EndsAQueryBetweenItsCalls) {
  StopSource stop;
  clock_.stop_while_waiting = &stop;
  system_.answers.assign(1000, OsCode::kBusy);
  EXPECT_EQ(code_of(run("Global", stop.token())), ErrorCode::kCancelled);
  EXPECT_EQ(system_.capacities.size(), 1U);
}

constexpr std::byte kUntouched{0x55};

TEST_F(QueryPolicyTest, Room_HasTheAnswerAtItsBeginning) {
  Bytes room(100'000, kUntouched);
  const QueryCalls answering = {[&room](std::span<std::byte> buffer, std::size_t& size) {
                                  EXPECT_EQ(buffer.data(), room.data());
                                  buffer[0] = std::byte{'o'};
                                  buffer[1] = std::byte{'k'};
                                  size = 2;
                                  return value_of(OsCode::kSuccess);
                                },
                                [] {}};
  EXPECT_EQ(policy().run_in(std::span(room), "Global", answering, {}), 2U);
  EXPECT_EQ(room[0], std::byte{'o'});
  EXPECT_EQ(room[1], std::byte{'k'});
  EXPECT_EQ(room[2], std::byte{0});
  EXPECT_EQ(room[65'535], std::byte{0});
  EXPECT_EQ(room[65'536], kUntouched) << "it was not offered";
}

TEST_F(QueryPolicyTest, Room_IsZeroedForEachCall) {
  Bytes room(1U << 20, kUntouched);
  system_.needed = 200'000;
  EXPECT_EQ(run_in(room), 200'000U);
  EXPECT_THAT(system_.capacities, ElementsAre(65'536, 131'072, 262'144));
  EXPECT_TRUE(system_.zeroed);
  EXPECT_EQ(run_in(room), 200'000U) << "with what the last query has left there";
  EXPECT_TRUE(system_.zeroed);
}

TEST_F(QueryPolicyTest, Room_LimitsTheSize) {
  Bytes room(100'000);
  system_.needed = 100'000;
  EXPECT_EQ(run_in(room), 100'000U);
  EXPECT_THAT(system_.capacities, ElementsAre(65'536, 100'000));
  policy_.reset();
  system_.capacities.clear();
  system_.needed = 100'001;
  const auto size = run_in(room);
  ASSERT_FALSE(size);
  EXPECT_EQ(size.error().code, ErrorCode::kBufferLimit);
  EXPECT_EQ(size.error().actual, 100'000U);
  EXPECT_EQ(size.error().limit, 100'000U);
  EXPECT_THAT(system_.capacities, ElementsAre(65'536, 100'000));
}

TEST_F(QueryPolicyTest, Room_MayBeSmallerThanTheFirstBuffer) {
  Bytes room(10);
  system_.needed = 10;
  EXPECT_EQ(run_in(room), 10U);
  EXPECT_THAT(system_.capacities, ElementsAre(10));
  system_.needed = 0;
  EXPECT_EQ(run_in({}), 0U);
}

TEST_F(QueryPolicyTest, Room_DoesNotRaiseTheByteLimit) {
  limits_.max_bytes = 70'000;
  Bytes room(100'000);
  system_.needed = 70'001;
  const auto size = run_in(room);
  ASSERT_FALSE(size);
  EXPECT_EQ(size.error().code, ErrorCode::kBufferLimit);
  EXPECT_EQ(size.error().actual, 70'000U);
  EXPECT_EQ(size.error().limit, 70'000U);
}

TEST_F(QueryPolicyTest, Room_IsOfferedAsMuchAsTheLastAnswerNeededAndAQuarterMore) {
  Bytes room(1U << 20);
  system_.needed = 400'000;
  EXPECT_EQ(run_in(room, "230"), 400'000U);
  system_.capacities.clear();
  EXPECT_EQ(run_in(room, "230"), 400'000U);
  EXPECT_THAT(system_.capacities, ElementsAre(500'000));
  system_.capacities.clear();
  EXPECT_EQ(run_in(std::span(room).first(450'000), "230"), 400'000U);
  EXPECT_THAT(system_.capacities, ElementsAre(450'000)) << "within this room";
  system_.capacities.clear();
  ASSERT_TRUE(run("230"));
  EXPECT_THAT(system_.capacities, ElementsAre(500'000)) << "in a buffer of its own, too";
}

TEST_F(QueryPolicyTest, Room_IsNotOfferedAfterAStop) {
  StopSource stop;
  stop.request_stop();
  Bytes room(100);
  const auto size = run_in(room, "Global", stop.token());
  ASSERT_FALSE(size);
  EXPECT_EQ(size.error().code, ErrorCode::kCancelled);
  EXPECT_THAT(system_.capacities, IsEmpty());
}

TEST_F(QueryPolicyTest, LimitTime_IsThatOfEachFurtherQuery) {
  Bytes room(1U << 20);
  system_.each_call = milliseconds(400);
  system_.needed = SIZE_MAX;
  const auto timed_out = [&](milliseconds limit) {
    policy().limit_time(limit);
    system_.capacities.clear();
    const auto size = run_in(room);
    EXPECT_FALSE(size);
    const Error error = size ? Error{} : size.error();
    EXPECT_EQ(error.code, ErrorCode::kTimedOut);
    EXPECT_EQ(error.limit, static_cast<std::uint64_t>(limit.count()));
    return std::pair(error.actual, system_.capacities.size());
  };
  EXPECT_EQ(timed_out(milliseconds(1'000)), std::pair(std::uint64_t{1'200}, std::size_t{3}));
  EXPECT_EQ(timed_out(milliseconds(300)), std::pair(std::uint64_t{400}, std::size_t{1}));
  policy().limit_time(milliseconds(10'000));
  const auto size = run_in(room);
  ASSERT_FALSE(size);
  EXPECT_EQ(size.error().code, ErrorCode::kBufferLimit) << "there is time enough";
}

TEST(NeedsClose, TellsTheSystemsErrorsFromOurs) {
  for (const ErrorCode code : {ErrorCode::kOsError, ErrorCode::kAccessDenied, ErrorCode::kBusy,
                               ErrorCode::kTimedOut, ErrorCode::kBadLength})
    EXPECT_TRUE(needs_close(code)) << name_of(code);
  for (const ErrorCode code :
       {ErrorCode::kCancelled, ErrorCode::kBufferLimit, ErrorCode::kNoSuchFile})
    EXPECT_FALSE(needs_close(code)) << name_of(code);
}

}  // namespace
}  // namespace winperf
