#include "exporter/http/handshake_turns.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

using std::chrono::milliseconds;

TEST(HandshakeTurns, AreHadUntilHandshakesHaveTakenTheirTime) {
  HandshakeTurns turns;
  turns.begin();
  EXPECT_TRUE(turns.has_turn(1));
  turns.took(milliseconds(19));
  EXPECT_TRUE(turns.has_turn(2));
  turns.took(milliseconds(1));
  EXPECT_FALSE(turns.has_turn(3));
  EXPECT_FALSE(turns.has_turn(4)) << "nobody overtakes";
}

TEST(HandshakeTurns, OfTheNextRoundBeginWithTheFirstWhoHadNone) {
  HandshakeTurns turns;
  turns.begin();
  EXPECT_EQ(turns.first(), 0U);
  turns.took(HandshakeTurns::kMost);
  EXPECT_FALSE(turns.has_turn(7));
  EXPECT_FALSE(turns.has_turn(8));
  EXPECT_EQ(turns.first(), 7U);
  turns.begin();
  EXPECT_TRUE(turns.has_turn(7));
  EXPECT_EQ(turns.first(), 7U) << "until somebody else has none";
}

}  // namespace
}  // namespace winperf
