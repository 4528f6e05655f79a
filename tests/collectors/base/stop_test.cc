#include "collectors/base/stop.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace winperf {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::chrono::hours kHour{1};

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

TEST(OnStop, CallsItsFunctionOnceWhenTheStopIsRequested) {
  StopSource source;
  int calls = 0;
  const OnStop on_stop(source.token(), [&] { ++calls; });
  EXPECT_EQ(calls, 0);
  source.request_stop();
  EXPECT_EQ(calls, 1);
  source.request_stop();
  EXPECT_EQ(calls, 1);
}

TEST(OnStop, OfAStopThatWasRequestedBeforeIsCalledAtOnce) {
  StopSource source;
  source.request_stop();
  int calls = 0;
  const OnStop on_stop(source.token(), [&] { ++calls; });
  EXPECT_EQ(calls, 1);
  source.request_stop();
  EXPECT_EQ(calls, 1);
}

TEST(OnStop, IsNotCalledAfterItsEnd_OthersAre) {
  StopSource source;
  std::string called;
  const OnStop first(source.token(), [&] { called += 'a'; });
  std::optional<OnStop> second(std::in_place, source.token(), [&] { called += 'b'; });
  const OnStop third(source.token(), [&] { called += 'c'; });
  second.reset();
  EXPECT_EQ(called, "");
  source.request_stop();
  EXPECT_EQ(called, "ac");
}

TEST(OnStop, OfATokenWithoutASourceIsNeverCalled) {
  bool called = false;
  {
    const OnStop on_stop(StopToken(), [&] { called = true; });
  }
  EXPECT_FALSE(called);
}

TEST(OnStop, OutlivesItsSource) {
  std::optional<StopSource> source(std::in_place);
  bool called = false;
  const OnStop on_stop(source->token(), [&] { called = true; });
  source.reset();
  EXPECT_FALSE(called);
}

// The request is inside the function when the destructor begins.
TEST(OnStop, ItsEndWaitsForTheFunctionThatRuns) {
  StopSource source;
  std::promise<void> running, ending;
  bool done = false;  // by the function, which nothing but the destructor waits for
  std::optional<OnStop> on_stop(std::in_place, source.token(), [&] {
    running.set_value();
    ending.get_future().wait();
    done = true;
  });
  std::jthread requesting([&] { source.request_stop(); });
  running.get_future().wait();
  ending.set_value();
  on_stop.reset();
  EXPECT_TRUE(done);
}

// Which of them comes first is left to chance, often.
TEST(OnStop, EndsHoweverItMeetsTheRequest) {
  for (int round = 0; round < 300; ++round) {
    StopSource source;
    bool ended = false, called = false;
    std::optional<OnStop> on_stop(std::in_place, source.token(), [&] {
      EXPECT_FALSE(ended);
      called = true;
    });
    std::jthread requesting([&] { source.request_stop(); });
    if (round % 2 == 0) std::this_thread::yield();
    on_stop.reset();
    ended = true;
    const bool called_before = called;
    requesting.join();
    EXPECT_EQ(called, called_before);
    EXPECT_TRUE(source.stop_requested());
  }
}

TEST(PauseUntil, WaitsUntilThen_WithASourceAndWithout) {
  const StopSource source;
  for (const StopToken& token : {StopToken(), source.token()}) {
    const auto then = steady_clock::now() + milliseconds(2);
    pause_until(then, token);
    EXPECT_GE(steady_clock::now(), then);
    pause_until(then - kHour, token);
  }
}

TEST(PauseUntil, DoesNotBeginAfterAStop) {
  StopSource source;
  source.request_stop();
  const auto before = steady_clock::now();
  pause_until(before + kHour, source.token());
  EXPECT_LT(steady_clock::now(), before + kHour);
}

// Whether the request or the pause comes first is left to chance, often.
TEST(PauseUntil, AStopEndsTheirPausesHoweverTheyMeet) {
  for (int round = 0; round < 300; ++round) {
    StopSource source;
    std::vector<std::jthread> pausing;
    for (int i = 0; i < 2; ++i)
      pausing.emplace_back([token = source.token()] {
        pause_until(steady_clock::now() + kHour, token);
        EXPECT_TRUE(token.stop_requested());
      });
    if (round % 2 == 0) std::this_thread::yield();
    source.request_stop();
  }
}

}  // namespace
}  // namespace winperf
