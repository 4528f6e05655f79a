#include "exporter/http/answer_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <latch>
#include <memory>

namespace winperf {
namespace {

TEST(AnswerPool, DoesAsMuchAtOnceAsItHasThreads) {
  constexpr int kThreads = 3;
  std::latch all_there(kThreads);  // opens only if the tasks run at the same time
  std::atomic<int> done = 0;
  std::promise<void> last;
  AnswerPool pool(kThreads, kThreads);
  for (int i = 0; i < kThreads; ++i) {
    ASSERT_TRUE(pool.submit([&] {
      all_there.arrive_and_wait();
      if (++done == kThreads) last.set_value();
    }));
  }
  last.get_future().wait();
  EXPECT_EQ(done, kThreads);
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
