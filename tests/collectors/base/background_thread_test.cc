#include "collectors/base/background_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <utility>
#include <vector>

#include "collectors/base/stop.h"

namespace winperf {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::hours kLong{1};

// Works until its source is stopped.
BackgroundThread waiting(const StopSource& source) {
  return {[stop = source.token()] { pause_until(steady_clock::now() + kLong, stop); },
          [stop = source]() mutable { stop.request_stop(); }};
}

TEST(BackgroundThread, OfNothingHasEnded) {
  BackgroundThread none;
  EXPECT_FALSE(none.is_started());
  EXPECT_TRUE(none.has_ended());
  EXPECT_TRUE(none.ended_by(steady_clock::now()));
  none.request_stop();
}

TEST(BackgroundThread, EndsAfterAStopIsRequested) {
  StopSource source;
  const BackgroundThread thread = waiting(source);
  EXPECT_TRUE(thread.is_started());
  EXPECT_FALSE(thread.has_ended());
  EXPECT_FALSE(thread.ended_by(steady_clock::now()));
  thread.request_stop();
  EXPECT_TRUE(thread.ended_by(steady_clock::now() + kLong));
  EXPECT_TRUE(thread.has_ended());
  thread.request_stop();
}

TEST(BackgroundThread, EndsOfItsOwnAccord) {
  std::atomic<int> stops = 0;
  const BackgroundThread thread([] {}, [&stops] { ++stops; });
  EXPECT_TRUE(thread.ended_by(steady_clock::now() + kLong));
  EXPECT_TRUE(thread.is_started());
  EXPECT_EQ(stops, 0);
}

TEST(BackgroundThread, IsStoppedAndWaitedForByItsDestructor) {
  StopSource source;
  std::atomic<bool> has_worked = false;
  {
    const BackgroundThread thread(
        [&, stop = source.token()] {
          pause_until(steady_clock::now() + kLong, stop);
          has_worked = true;
        },
        [&] { source.request_stop(); });
  }
  EXPECT_TRUE(has_worked);
}

TEST(BackgroundThread, WorksOnWhileItIsMoved) {
  StopSource first;
  StopSource second;
  std::vector<BackgroundThread> threads;
  threads.push_back(waiting(first));
  threads.push_back(waiting(second));
  threads.erase(threads.begin());
  EXPECT_TRUE(first.stop_requested()) << "what was assigned to is stopped";
  EXPECT_FALSE(second.stop_requested());
  BackgroundThread given = std::exchange(threads.front(), {});
  EXPECT_TRUE(threads.front().has_ended());
  EXPECT_FALSE(given.has_ended());
  given.request_stop();
  EXPECT_TRUE(given.ended_by(steady_clock::now() + kLong));
}

TEST(BackgroundThread, CanBeStoppedAndWaitedForByAnyThread) {
  StopSource source;
  const BackgroundThread thread = waiting(source);
  BackgroundThread other([&] { thread.request_stop(); }, [] {});
  EXPECT_TRUE(thread.ended_by(steady_clock::now() + kLong));
}

}  // namespace
}  // namespace winperf
