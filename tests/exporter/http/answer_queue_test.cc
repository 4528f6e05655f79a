// Whose answer is begun next, and who loses a place when too many wait, by counting.
#include "exporter/http/answer_pool.h"

#include <gmock/gmock.h>

#include <array>
#include <string>
#include <vector>

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr bool kAnswered = true;
constexpr std::size_t kMany = 10'000;

AnswerJob job(std::uint8_t address, Effort effort = Effort::kPlain, bool was_answered = false) {
  const NetAddress network = to_net_address(std::vector<std::uint8_t>{10, 0, 0, address});
  return {.from = {.network = network, .was_answered = was_answered},
          .effort = effort,
          .answer = {},
          .refuse = {}};
}

// "2 dear", "3 plain, answered"
std::string name_of(const AnswerJob& job) {
  static constexpr std::array kNames{" plain", " dear", " slow"};
  return std::to_string(job.from.network.back()) + kNames.at(static_cast<std::size_t>(job.effort)) +
         (job.from.was_answered ? ", answered" : "");
}

// A queue, and what is in the making.
class Trial {
 public:
  explicit Trial(std::size_t threads, std::size_t most = kMany)
      : queue_(threads, most), threads_(threads) {}

  // Who has to go for it; empty if there was room.
  std::string add(const AnswerJob& job) {
    const AnswerQueue::Jobs gone = queue_.add(job);
    return gone.empty() ? "" : name_of(gone.front());
  }
  void add(int count, std::uint8_t address, Effort effort = Effort::kPlain,
           bool was_answered = false) {
    for (int i = 0; i < count; ++i) (void)add(job(address, effort, was_answered));
  }
  // What every thread that is free begins.
  std::vector<std::string> begin() {
    std::vector<std::string> names;
    while (making_.size() < threads_ && begin_one()) names.push_back(name_of(making_.back()));
    return names;
  }
  // The one that was begun first ends, and the next one begins; empty if none may.
  std::string next() {
    queue_.done(making_.front());
    making_.pop_front();
    return begin_one() ? name_of(making_.back()) : "";
  }
  // The next ones.
  std::vector<std::string> next(int count) {
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) names.push_back(next());
    return names;
  }
  // How many others begin before one with this name.
  int begun_before(const std::string& name) {
    int others = 0;
    while (next() != name) ++others;
    return others;
  }
  AnswerQueue& queue() { return queue_; }

 private:
  bool begin_one() {
    AnswerQueue::Jobs taken = queue_.take();
    const bool has_begun = !taken.empty();
    making_.splice(making_.end(), taken);
    return has_begun;
  }

  AnswerQueue queue_;
  const std::size_t threads_;
  AnswerQueue::Jobs making_;
};

TEST(AnswerQueue, OfOneAddress_IsInTheOrderInWhichItCame) {
  AnswerQueue queue(1, kMany);
  for (const bool was_answered : {false, false}) {
    AnswerJob one = job(1, Effort::kPlain, was_answered);
    (void)queue.add(one);
  }
  EXPECT_EQ(queue.size(), 2U);
  EXPECT_EQ(queue.take().size(), 1U);
  EXPECT_EQ(queue.size(), 1U);
  EXPECT_EQ(queue.take().size(), 1U);
  EXPECT_THAT(queue.take(), IsEmpty());
}

// However many they are, and whatever they want: the reason for this queue.
TEST(AnswerQueue, AnotherAddress_WaitsForOneAnswerOfEachEffortOfACrowd) {
  for (const std::size_t threads : {1U, 2U, 4U}) {
    for (const int crowd : {10, 200, 1000}) {
      Trial trial(threads);
      for (const Effort effort : kAllEfforts) trial.add(crowd, 1, effort);
      trial.begin();
      (void)trial.next(5);
      trial.add(1, 2);
      EXPECT_LE(trial.begun_before("2 plain"), 3) << threads << ' ' << crowd;
    }
  }
}

TEST(AnswerQueue, ADearAnswerOfAnotherAddress_WaitsForFewOfACrowdToo) {
  for (const std::size_t threads : {1U, 2U, 4U}) {
    Trial trial(threads);
    for (const Effort effort : kAllEfforts) trial.add(1000, 1, effort);
    trial.begin();
    (void)trial.next(5);
    trial.add(1, 2, Effort::kCostly);
    EXPECT_LE(trial.begun_before("2 dear"), 8) << threads;
  }
}

TEST(AnswerQueue, AnotherAddress_WaitsForOnePlainAnswerOfEachOfEight) {
  Trial trial(4);
  for (std::uint8_t address = 1; address <= 8; ++address) {
    trial.add(25, address);
    trial.add(25, address, Effort::kCostly);
  }
  trial.begin();
  (void)trial.next(5);
  trial.add(1, 9);
  EXPECT_LE(trial.begun_before("9 plain"), 2 * 8 + 1) << "every other one is plain";
}

TEST(AnswerQueue, Addresses_TakeTurns) {
  Trial trial(1);
  trial.add(3, 1);
  trial.add(2, 2);
  trial.add(1, 3);
  EXPECT_THAT(trial.begin(), ElementsAre("1 plain"));
  EXPECT_THAT(trial.next(5), ElementsAre("2 plain", "3 plain", "1 plain", "2 plain", "1 plain"));
  EXPECT_EQ(trial.next(), "");
}

// Whoever has all threads is not next, although others came later.
TEST(AnswerQueue, AnAddressWithAnswersInTheMaking_ComesAfterOnesWithout) {
  Trial trial(3);
  trial.add(5, 1);
  EXPECT_THAT(trial.begin(), ElementsAre("1 plain", "1 plain", "1 plain"));
  trial.add(2, 2);
  EXPECT_THAT(trial.next(4), ElementsAre("2 plain", "1 plain", "2 plain", "1 plain"));
}

// A scraper that keeps its connection, on a machine that sends a burst as well.
TEST(AnswerQueue, ConnectionsThatWereAnsweredBefore_AlternateWithABurstOfTheirAddress) {
  Trial trial(1);
  trial.add(500, 1);
  trial.begin();
  trial.add(2, 1, Effort::kPlain, kAnswered);
  EXPECT_THAT(trial.next(4),
              ElementsAre("1 plain, answered", "1 plain", "1 plain, answered", "1 plain"));
}

TEST(AnswerQueue, OfSeveralThreads_DearAnswersHaveHalf) {
  Trial trial(4);
  trial.add(10, 1, Effort::kCostly);
  EXPECT_THAT(trial.begin(), ElementsAre("1 dear", "1 dear"));
  trial.add(2, 1);
  EXPECT_THAT(trial.begin(), ElementsAre("1 plain", "1 plain"));
  EXPECT_EQ(trial.next(), "1 dear");
}

TEST(AnswerQueue, OfSeveralThreads_OneIsForPlainAnswersAlone) {
  Trial trial(4);
  trial.add(10, 1, Effort::kSlow);
  trial.add(10, 2, Effort::kCostly);
  EXPECT_THAT(trial.begin(), ElementsAre("2 dear", "1 slow", "2 dear"));
  trial.add(1, 3);
  EXPECT_THAT(trial.begin(), ElementsAre("3 plain"));
}

TEST(AnswerQueue, OfOneThread_EveryOtherAnswerIsPlain) {
  Trial trial(1);
  trial.add(3, 1, Effort::kCostly);
  trial.add(3, 1, Effort::kSlow);
  trial.add(3, 1);
  EXPECT_THAT(trial.begin(), ElementsAre("1 plain"));
  EXPECT_THAT(trial.next(6),
              ElementsAre("1 dear", "1 plain", "1 slow", "1 plain", "1 dear", "1 slow"));
}

TEST(AnswerQueue, WhenItIsFull_TheNewestOfTheAddressWithMostGoes) {
  Trial trial(1, 5);
  trial.add(3, 1);
  trial.add(2, 2);
  EXPECT_EQ(trial.add(job(3)), "1 plain");
  EXPECT_EQ(trial.add(job(3)), "3 plain") << "nobody has more";
  EXPECT_EQ(trial.add(job(2)), "2 plain") << "itself";
  EXPECT_EQ(trial.queue().size(), 5U);
  EXPECT_THAT(trial.begin(), ElementsAre("1 plain"));
  EXPECT_THAT(trial.next(5), ElementsAre("2 plain", "3 plain", "1 plain", "2 plain", ""));
}

TEST(AnswerQueue, WhenItIsFull_OfAnAddressDearAnswersGoFirst) {
  Trial trial(1, 4);
  trial.add(2, 1);
  trial.add(2, 1, Effort::kCostly);
  EXPECT_EQ(trial.add(job(2)), "1 dear");
  EXPECT_EQ(trial.add(job(2)), "1 plain");
}

TEST(AnswerQueue, WhenItIsFull_OfAnAddressNewConnectionsLoseToOnesThatWereAnsweredBefore) {
  Trial trial(1, 4);
  trial.add(4, 1);
  EXPECT_EQ(trial.add(job(1, Effort::kPlain, kAnswered)), "1 plain");
  EXPECT_EQ(trial.add(job(1, Effort::kPlain, kAnswered)), "1 plain");
  EXPECT_EQ(trial.add(job(1, Effort::kPlain, kAnswered)), "1 plain, answered");
}

TEST(AnswerQueue, OneThatLostItsLastPlace_ComesBackAtTheEnd) {
  Trial trial(1, 1);
  trial.add(1, 1, Effort::kCostly);
  EXPECT_EQ(trial.add(job(1)), "1 dear");
  EXPECT_THAT(trial.begin(), ElementsAre("1 plain"));
  EXPECT_EQ(trial.next(), "");
}

TEST(AnswerQueue, Emptied_GoesOnWithWhatIsInTheMaking) {
  Trial trial(2);
  for (const Effort effort : kAllEfforts) trial.add(2, 1, effort);
  trial.begin();
  EXPECT_EQ(trial.queue().take_all().size(), 4U);
  EXPECT_EQ(trial.queue().size(), 0U);
  EXPECT_EQ(trial.next(), "");
  trial.add(1, 1);
  EXPECT_THAT(trial.begin(), ElementsAre("1 plain"));
}

}  // namespace
}  // namespace winperf
