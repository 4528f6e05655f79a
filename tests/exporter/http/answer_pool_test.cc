#include "exporter/http/answer_pool.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>

namespace winperf {
namespace {

TEST(AnswerPool, DoesAsMuchAtOnceAsItHasThreads) {
  constexpr int kThreads = 3;
  std::mutex mutex;
  std::condition_variable changed;
  int inside = 0;  // at the same time, because none leaves before all are there
  AnswerPool pool(kThreads, kThreads);
  for (int i = 0; i < kThreads; ++i) {
    ASSERT_TRUE(pool.submit([&] {
      std::unique_lock lock(mutex);
      ++inside;
      changed.notify_all();
      changed.wait(lock, [&] { return inside == kThreads; });
    }));
  }
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return inside == kThreads; });
  EXPECT_EQ(inside, kThreads);
}

TEST(AnswerPool, LetsSoManyWaitAndNoMore) {
  for (const std::size_t queue : {0U, 1U, 3U}) {
    std::promise<void> begun;
    std::promise<void> go;
    AnswerPool pool(1, queue + 1);
    ASSERT_TRUE(pool.submit([&] {
      begun.set_value();
      go.get_future().wait();
    }));
    begun.get_future().wait();
    for (std::size_t i = 0; i < queue + 1; ++i) EXPECT_TRUE(pool.submit([] {})) << i;
    EXPECT_FALSE(pool.submit([] {})) << queue;
    go.set_value();
  }
}

TEST(AnswerPool_Stopped, FinishesWhatItHasBegunAndForgetsTheRest) {
  std::promise<void> begun;
  std::promise<void> go;
  bool finished = false;
  bool forgotten = true;
  AnswerPool pool(1, 10);
  ASSERT_TRUE(pool.submit([&] {
    begun.set_value();
    go.get_future().wait();
    finished = true;
  }));
  begun.get_future().wait();
  // The first one ends only after the second one was forgotten.
  std::shared_ptr<void> opener(nullptr, [&](void*) { go.set_value(); });
  ASSERT_TRUE(pool.submit([&forgotten, opener] { forgotten = false; }));
  opener.reset();
  pool.stop();
  EXPECT_TRUE(finished);
  EXPECT_TRUE(forgotten);
  EXPECT_FALSE(pool.submit([] {}));
  pool.stop();
}

}  // namespace
}  // namespace winperf
