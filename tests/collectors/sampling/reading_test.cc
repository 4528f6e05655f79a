#include "collectors/sampling/plan.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

TEST(Reading, OfNothingHasNoBytes) { EXPECT_EQ(Reading{}.bytes, 0U); }

TEST(WithEarlier, PutsProblemsInFrontOfThoseOfEitherResult) {
  const Error first{.code = ErrorCode::kBusy}, second{.code = ErrorCode::kTruncated};
  ReadResult good = with_earlier({first}, Reading{.sample = nullptr, .problems = {second}});
  EXPECT_EQ(problems_of(good), (std::vector{first, second}));
  ReadResult bad =
      with_earlier({first}, std::unexpected(ReadFailure{.error = {}, .problems = {second}}));
  EXPECT_EQ(problems_of(bad), (std::vector{first, second}));
}

}  // namespace
}  // namespace winperf
