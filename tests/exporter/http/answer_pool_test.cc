#include "exporter/http/answer_pool.h"

#include <gmock/gmock.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <vector>

namespace winperf {
namespace {

AnswerJob job(std::function<void()> answer, std::uint8_t address = 1,
              Effort effort = Effort::kPlain) {
  return {.from = {.network = to_net_address(std::vector<std::uint8_t>{10, 0, 0, address})},
          .effort = effort,
          .answer = std::move(answer),
          .refuse = [] { ADD_FAILURE() << "refused"; }};
}

// The same, but it may be refused, which is counted.
AnswerJob counting(std::atomic<int>& refused, std::function<void()> answer = [] {}) {
  AnswerJob one = job(std::move(answer));
  one.refuse = [&refused] { ++refused; };
  return one;
}

// Jobs that don't end until they may.
class Held {
 public:
  explicit Held(int count) : left_(count) {}
  void wait() {
    if (--left_ == 0) begun_.set_value();
    go_.wait();
  }
  void wait_until_begun() { begun_.get_future().wait(); }
  void let_go() { may_go_.set_value(); }

 private:
  std::atomic<int> left_;
  std::promise<void> begun_;
  std::promise<void> may_go_;
  const std::shared_future<void> go_ = may_go_.get_future().share();
};

TEST(AnswerPool, DoesAsMuchAtOnceAsItHasThreads) {
  constexpr int kThreads = 3;
  Held held(kThreads);
  AnswerPool pool(kThreads, kThreads);
  for (int i = 0; i < kThreads; ++i) pool.submit(job([&] { held.wait(); }));
  held.wait_until_begun();  // none has ended
  held.let_go();
}

TEST(AnswerPool, LetsSoManyWaitAndNoMore) {
  for (const std::size_t queue : {1U, 2U, 4U}) {
    Held held(1);
    std::atomic<int> refused = 0;
    AnswerPool pool(1, queue);
    pool.submit(job([&] { held.wait(); }));
    held.wait_until_begun();
    for (std::size_t i = 0; i < queue; ++i) pool.submit(counting(refused));
    EXPECT_EQ(refused, 0) << queue;
    EXPECT_EQ(pool.queued(), queue);
    pool.submit(counting(refused));
    EXPECT_EQ(refused, 1) << queue;
    EXPECT_EQ(pool.queued(), queue);
    held.let_go();
  }
}

// All threads are busy when 200 jobs of each effort and then one of another address come; then one
// of them goes on, so that what it does is in one order.
TEST(AnswerPool, BeginsAJobOfAnotherAddressAfterAtMostOneOfEachEffortOfACrowd) {
  for (const int threads : {1, 2, 4}) {
    Held first(1);
    Held others(threads - 1);
    std::atomic<int> of_crowd = 0;
    std::promise<int> before;
    {
      AnswerPool pool(static_cast<std::size_t>(threads), 1000);
      for (int i = 1; i < threads; ++i) pool.submit(job([&] { others.wait(); }));
      if (threads > 1) others.wait_until_begun();
      pool.submit(job([&] { first.wait(); }));
      first.wait_until_begun();
      for (int i = 0; i < 200; ++i)
        for (const Effort effort : kAllEfforts) pool.submit(job([&] { ++of_crowd; }, 1, effort));
      pool.submit(job([&] { before.set_value(of_crowd); }, 2));
      first.let_go();
      EXPECT_LE(before.get_future().get(), 3) << threads;
      others.let_go();
    }
  }
}

TEST(AnswerPool_Stopped, FinishesWhatItHasBegunAndForgetsTheRest) {
  std::promise<void> begun;
  std::promise<void> go;
  bool finished = false;
  bool forgotten = true;
  AnswerPool pool(1, 10);
  pool.submit(job([&] {
    begun.set_value();
    go.get_future().wait();
    finished = true;
  }));
  begun.get_future().wait();
  // The first one ends only after the second one was forgotten.
  std::shared_ptr<void> opener(nullptr, [&](void*) { go.set_value(); });
  pool.submit(job([&forgotten, opener] { forgotten = false; }));
  opener.reset();
  pool.stop();
  EXPECT_TRUE(finished);
  EXPECT_TRUE(forgotten);
  std::atomic<int> refused = 0;
  pool.submit(counting(refused));
  EXPECT_EQ(refused, 1);
  pool.stop();
}

}  // namespace
}  // namespace winperf
