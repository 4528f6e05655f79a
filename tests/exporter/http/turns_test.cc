#include "exporter/http/turns.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

using std::chrono::milliseconds;

Turns::Time at(int ms) { return Turns::Time(milliseconds(ms)); }

TEST(Turns, AreHadUntilTheTimeOfTheRoundIsOver) {
  Turns turns;
  turns.begin(at(100), milliseconds(50));
  EXPECT_TRUE(turns.has_turn(1, at(100)));
  EXPECT_TRUE(turns.has_turn(2, at(104)));
  EXPECT_FALSE(turns.has_turn(3, at(105)));
  EXPECT_EQ(turns.first(), 3U);
}

TEST(Turns, OfTheNextRoundBeginWithTheFirstWhoHadNone) {
  Turns turns;
  turns.begin(at(0), {});
  EXPECT_EQ(turns.first(), 0U);
  EXPECT_FALSE(turns.has_turn(7, at(5)));
  EXPECT_FALSE(turns.has_turn(8, at(0))) << "nobody overtakes";
  EXPECT_EQ(turns.first(), 7U);
  turns.begin(at(10), {});
  EXPECT_EQ(turns.first(), 7U);
  EXPECT_TRUE(turns.has_turn(7, at(10)));
  EXPECT_EQ(turns.first(), 7U) << "until somebody else has none";
}

// Looking at a thousand sockets can take longer than sending.
TEST(Turns, HaveAtLeastTheTimeThatLookingTook) {
  Turns turns;
  turns.begin(at(0), {});
  EXPECT_FALSE(turns.has_turn(1, at(5)));
  turns.begin(at(100), milliseconds(30));
  EXPECT_TRUE(turns.has_turn(1, at(130)));
  EXPECT_FALSE(turns.has_turn(2, at(131)));
  turns.begin(at(200), milliseconds(1));
  EXPECT_TRUE(turns.has_turn(2, at(204)));
  EXPECT_FALSE(turns.has_turn(3, at(205)));
}

TEST(Turns, HaveNoMoreTimeThanTheMost) {
  Turns turns;
  turns.begin(at(0), {});
  EXPECT_FALSE(turns.has_turn(1, at(5)));
  turns.begin(at(1000), milliseconds(900));
  EXPECT_TRUE(turns.has_turn(1, at(1200)));
  EXPECT_FALSE(turns.has_turn(2, at(1201)));
}

TEST(Turns, DoNotTakeWaitingForLooking) {
  Turns turns;
  turns.begin(at(1000), milliseconds(1000));
  EXPECT_FALSE(turns.has_turn(1, at(1005)));
}

}  // namespace
}  // namespace winperf
