#include "collectors/sources/sample_cursors.h"

#include <gtest/gtest.h>

#include "collectors/base/stop.h"

namespace winperf {
namespace {

TEST(SampleCursors, CountToTheLastSampleOfNoneOneAndMany) {
  for (const std::size_t samples : {0U, 1U, 2U, 5U}) {
    SampleCursors cursors("here");
    for (std::size_t i = 0; i < samples; ++i) EXPECT_EQ(cursors.next("2", samples, {}), i);
    for (int again = 0; again < 2; ++again)
      EXPECT_EQ(cursors.next("2", samples, {}).error(),
                (Error{.code = ErrorCode::kEndOfCapture, .where = "here"}));
  }
}

TEST(SampleCursors, EachValueNameHasItsOwn) {
  SampleCursors cursors("here");
  EXPECT_EQ(cursors.next("2", 3, {}), 0U);
  EXPECT_EQ(cursors.next("2", 3, {}), 1U);
  EXPECT_EQ(cursors.next("4", 3, {}), 0U);
  EXPECT_EQ(cursors.next("", 3, {}), 0U);
  EXPECT_EQ(cursors.next("2", 3, {}), 2U);
}

TEST(SampleCursors, AStopMovesNone) {
  SampleCursors cursors("here");
  StopSource stop;
  stop.request_stop();
  EXPECT_EQ(cursors.next("2", 3, stop.token()).error(),
            (Error{.code = ErrorCode::kCancelled, .where = "here"}));
  EXPECT_EQ(cursors.next("2", 3, {}), 0U);
}

}  // namespace
}  // namespace winperf
