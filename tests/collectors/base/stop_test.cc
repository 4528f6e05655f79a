#include "collectors/base/stop.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <thread>
#include <vector>

namespace winperf {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::chrono::hours kLong{1};

TEST(Stop, ATokenOfNoSourceIsNeverStopped) { EXPECT_FALSE(StopToken().stop_requested()); }

TEST(Stop, TokensOfASourceSeeItsRequest_AlsoWhenItIsGone) {
  std::optional<StopSource> source(std::in_place);
  const StopToken before = source->token();
  EXPECT_FALSE(before.stop_requested());
  EXPECT_FALSE(source->stop_requested());
  source->request_stop();
  EXPECT_TRUE(before.stop_requested());
  EXPECT_TRUE(source->stop_requested());
  EXPECT_TRUE(source->token().stop_requested());
  source.reset();
  EXPECT_TRUE(before.stop_requested());
}

TEST(Stop, CopiesAreTheSameSource_OthersAreNot) {
  StopSource source;
  const StopSource copy = source;
  const StopSource other;
  source.request_stop();
  EXPECT_TRUE(copy.stop_requested());
  EXPECT_FALSE(other.stop_requested());
}

TEST(Stop, OnlyTheFirstRequestCounts) {
  StopSource source;
  EXPECT_TRUE(source.request_stop());
  EXPECT_FALSE(source.request_stop());
}

TEST(PauseUntil, WaitsUntilThen_WithASourceAndWithout) {
  const StopSource source;
  for (const StopToken& token : {StopToken(), source.token()}) {
    const auto then = steady_clock::now() + milliseconds(2);
    pause_until(then, token);
    EXPECT_GE(steady_clock::now(), then);
    pause_until(then - kLong, token);
  }
}

TEST(PauseUntil, DoesNotBeginAfterAStop) {
  StopSource source;
  source.request_stop();
  const auto before = steady_clock::now();
  pause_until(before + kLong, source.token());
  EXPECT_LT(steady_clock::now(), before + kLong);
}

// Whether the request or the pause comes first is left to chance, often.
TEST(PauseUntil, AStopEndsTheirPausesHoweverTheyMeet) {
  for (int round = 0; round < 300; ++round) {
    StopSource source;
    std::vector<std::jthread> pausing;
    for (int i = 0; i < 2; ++i)
      pausing.emplace_back([token = source.token()] {
        pause_until(steady_clock::now() + kLong, token);
        EXPECT_TRUE(token.stop_requested());
      });
    if (round % 2 == 0) std::this_thread::yield();
    source.request_stop();
  }
}

}  // namespace
}  // namespace winperf
