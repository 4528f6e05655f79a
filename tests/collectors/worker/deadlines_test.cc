#include "collectors/worker/worker.h"

#include <gtest/gtest.h>

#include <string>

namespace winperf::worker {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr milliseconds kShortest{1'000};
constexpr milliseconds kLongest{10'000};

Deadlines deadlines() { return {kShortest, kLongest}; }

// Of which the usual time is known; what it takes in a new worker is `first`.
Deadlines after_two_calls(nanoseconds first, nanoseconds usual) {
  Deadlines known = deadlines();
  known.took("a", first);
  known.took("a", usual);
  return known;
}

milliseconds deadline_for(nanoseconds usual) { return after_two_calls(kLongest, usual).of("a"); }

TEST(Deadlines, AreTheLongestForACallThatIsNew) { EXPECT_EQ(deadlines().of("a"), kLongest); }

TEST(Deadlines, AreEightTimesWhatACallUsuallyTakes) {
  EXPECT_EQ(Deadlines::kTimesUsual, 8);
  EXPECT_EQ(deadline_for(milliseconds(200)), milliseconds(1'600));
}

TEST(Deadlines, AreRoundedUpToAMillisecond) {
  EXPECT_EQ(deadline_for(milliseconds(200) + nanoseconds(1)), milliseconds(1'601));
  EXPECT_EQ(deadline_for(milliseconds(200) - nanoseconds(1)), milliseconds(1'600));
}

TEST(Deadlines, AreNeverShorterThanTheShortest) {
  EXPECT_EQ(deadline_for(nanoseconds(0)), kShortest);
  EXPECT_EQ(deadline_for(milliseconds(124)), kShortest);
  EXPECT_EQ(deadline_for(milliseconds(125)), kShortest);
  EXPECT_EQ(deadline_for(milliseconds(125) + nanoseconds(1)), milliseconds(1'001));
}

TEST(Deadlines, AreNeverLongerThanTheLongest) {
  EXPECT_EQ(deadline_for(milliseconds(1'249)), milliseconds(9'992));
  EXPECT_EQ(deadline_for(milliseconds(1'250)), kLongest);
  EXPECT_EQ(deadline_for(milliseconds(1'250) + nanoseconds(1)), kLongest);
  EXPECT_EQ(deadline_for(std::chrono::hours(1)), kLongest);
}

TEST(Deadlines, AreTheLongestIfTheShortestIsLongerThanThat) {
  Deadlines deadlines(milliseconds(5'000), milliseconds(2'000));
  EXPECT_EQ(deadlines.of("a"), milliseconds(2'000));
  deadlines.missed("a");
  EXPECT_EQ(deadlines.of("a"), milliseconds(2'000));
  deadlines.took("a", nanoseconds(1));
  deadlines.took("a", nanoseconds(1));
  EXPECT_EQ(deadlines.of("a"), milliseconds(2'000));
}

TEST(Deadlines, GrowAtOnceWithACallThatTakesLonger) {
  Deadlines deadlines = after_two_calls(kLongest, milliseconds(200));
  deadlines.took("a", milliseconds(201));
  EXPECT_EQ(deadlines.of("a"), milliseconds(1'608));
  deadlines.took("a", milliseconds(900));
  EXPECT_EQ(deadlines.of("a"), milliseconds(7'200));
}

TEST(Deadlines, FadeByAnEighthWithEachCallThatIsFaster) {
  Deadlines deadlines = after_two_calls(kLongest, milliseconds(800));
  EXPECT_EQ(deadlines.of("a"), milliseconds(6'400));
  deadlines.took("a", milliseconds(100));
  EXPECT_EQ(deadlines.of("a"), milliseconds(5'600));
  deadlines.took("a", milliseconds(100));
  EXPECT_EQ(deadlines.of("a"), milliseconds(4'900));
  deadlines.took("a", nanoseconds(0));
  EXPECT_EQ(deadlines.of("a"), milliseconds(4'288));  // 4287.5
}

TEST(Deadlines, FadeNoFurtherThanToWhatTheCallTook) {
  struct Row {
    milliseconds took;
    milliseconds deadline;
  };
  for (const Row& row :
       {Row{milliseconds(699), milliseconds(5'600)}, Row{milliseconds(700), milliseconds(5'600)},
        Row{milliseconds(701), milliseconds(5'608)}}) {
    Deadlines deadlines = after_two_calls(kLongest, milliseconds(800));
    deadlines.took("a", row.took);
    EXPECT_EQ(deadlines.of("a"), row.deadline) << row.took.count();
  }
}

TEST(Deadlines, AreKnownForEachCall) {
  Deadlines deadlines = after_two_calls(kLongest, milliseconds(200));
  deadlines.took("b", kLongest);
  deadlines.took("b", milliseconds(300));
  EXPECT_EQ(deadlines.of("a"), milliseconds(1'600));
  EXPECT_EQ(deadlines.of("b"), milliseconds(2'400));
  EXPECT_EQ(deadlines.of("ab"), kLongest);
}

TEST(Deadlines, OfTheFirstCallInANewWorkerGoByTheFirstOnesBefore) {
  Deadlines deadlines = after_two_calls(milliseconds(500), milliseconds(200));
  EXPECT_EQ(deadlines.of("a"), milliseconds(1'600));
  deadlines.new_worker();
  EXPECT_EQ(deadlines.of("a"), milliseconds(4'000));
  deadlines.took("a", milliseconds(300));
  EXPECT_EQ(deadlines.of("a"), milliseconds(1'600));
  deadlines.new_worker();
  EXPECT_EQ(deadlines.of("a"), milliseconds(3'500));
}

TEST(Deadlines, OfLaterCallsDoNotGoByTheFirstOne) {
  Deadlines deadlines = after_two_calls(milliseconds(200), milliseconds(500));
  deadlines.new_worker();
  deadlines.took("a", milliseconds(1'000));
  EXPECT_EQ(deadlines.of("a"), milliseconds(4'000));
  deadlines.took("a", milliseconds(600));
  EXPECT_EQ(deadlines.of("a"), milliseconds(4'800));
  deadlines.new_worker();
  EXPECT_EQ(deadlines.of("a"), milliseconds(8'000));
}

TEST(Deadlines, OfACallThatIsNewAreTheLongestInANewWorkerToo) {
  Deadlines deadlines = after_two_calls(milliseconds(500), milliseconds(200));
  deadlines.new_worker();
  EXPECT_EQ(deadlines.of("b"), kLongest);
}

TEST(Deadlines, OfTheFirstCallInEachWorkerMayHaveALimitOfTheirOwn) {
  for (const int first : {2'000, 30'000}) {
    const milliseconds longest_first(first);
    Deadlines deadlines(kShortest, kLongest, longest_first);
    EXPECT_EQ(deadlines.of("a"), longest_first);
    deadlines.took("a", std::chrono::hours(1));
    EXPECT_EQ(deadlines.of("a"), kLongest);
    deadlines.new_worker();
    EXPECT_EQ(deadlines.of("a"), longest_first);
    deadlines.missed("a");
    deadlines.new_worker();
    EXPECT_EQ(deadlines.of("a"), longest_first) << "it may have become slower";
    deadlines.missed("a");
    EXPECT_EQ(deadlines.of("a"), longest_first / 2);
  }
}

TEST(Deadlines, OfTheFirstCallMayBeShorterThanTheShortest) {
  Deadlines deadlines(kShortest, kLongest, milliseconds(500));
  EXPECT_EQ(deadlines.of("a"), milliseconds(500));
  deadlines.took("a", nanoseconds(1));
  deadlines.new_worker();
  EXPECT_EQ(deadlines.of("a"), milliseconds(500));
}

TEST(Deadlines, AreHalfAsLongAfterEachMissDownToTheShortest) {
  Deadlines deadlines{kShortest, kLongest};
  for (const int expected : {5'000, 2'500, 1'250, 1'000, 1'000}) {
    deadlines.missed("a");
    EXPECT_EQ(deadlines.of("a"), milliseconds(expected));
    deadlines.new_worker();
    EXPECT_EQ(deadlines.of("a"), milliseconds(expected)) << "in a new worker";
  }
  EXPECT_EQ(deadlines.of("b"), kLongest);
}

TEST(Deadlines, OfAKnownCallAreTheLongestAfterAMissBecauseItMayHaveBecomeSlower) {
  Deadlines deadlines = after_two_calls(kLongest, milliseconds(200));
  EXPECT_EQ(deadlines.of("a"), milliseconds(1'600));
  for (const milliseconds expected : {kLongest, kLongest / 2, kLongest / 4}) {
    deadlines.missed("a");
    EXPECT_EQ(deadlines.of("a"), expected);
  }
  deadlines.took("a", milliseconds(300));
  deadlines.took("a", milliseconds(300));
  EXPECT_EQ(deadlines.of("a"), milliseconds(2'400));
}

// Whoever needs long to load would otherwise be ended again and again after one miss.
TEST(Deadlines, AfterAMissAreTheLongestInTheNewWorkerToo) {
  Deadlines deadlines = after_two_calls(milliseconds(900), milliseconds(10));
  deadlines.missed("a");
  deadlines.new_worker();
  EXPECT_EQ(deadlines.of("a"), kLongest);
}

TEST(Deadlines, ForgetMissesWithTheNextSuccess) {
  Deadlines known = deadlines();
  known.missed("a");
  known.missed("a");
  EXPECT_EQ(known.of("a"), kLongest / 4);
  known.took("a", milliseconds(800));
  known.new_worker();
  EXPECT_EQ(known.of("a"), milliseconds(6'400));
}

// The first call loads what the second one finds there.
TEST(Deadlines, OfTheSecondCallGoByTheFirstOne) {
  Deadlines deadlines{kShortest, kLongest};
  deadlines.missed("a");
  deadlines.took("a", milliseconds(300));
  EXPECT_EQ(deadlines.of("a"), milliseconds(2'400));
  deadlines.took("a", milliseconds(200));
  EXPECT_EQ(deadlines.of("a"), milliseconds(1'600));
}

TEST(Deadlines, AreKnownOfABoundedNumberOfCalls) {
  EXPECT_EQ(Deadlines::kMaxKnown, 512U);
  Deadlines deadlines{kShortest, kLongest};
  deadlines.missed("first");
  for (std::size_t i = 1; i < Deadlines::kMaxKnown; ++i) deadlines.missed(std::to_string(i));
  EXPECT_EQ(deadlines.of("first"), milliseconds(5'000));
  deadlines.missed("first");
  EXPECT_EQ(deadlines.of("first"), milliseconds(2'500)) << "a known one needs no place";
  deadlines.missed("one more");
  EXPECT_EQ(deadlines.of("first"), kLongest);
  EXPECT_EQ(deadlines.of("one more"), milliseconds(5'000));
}

TEST(Deadlines, ToAskForThemIsNotToKnowACall) {
  Deadlines deadlines{kShortest, kLongest};
  deadlines.missed("first");
  for (std::size_t i = 0; i <= Deadlines::kMaxKnown; ++i)
    EXPECT_EQ(deadlines.of(std::to_string(i)), kLongest);
  EXPECT_EQ(deadlines.of("first"), milliseconds(5'000));
}

}  // namespace
}  // namespace winperf::worker
