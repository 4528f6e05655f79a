// When the list of countersets and their names are read again.
#include "collectors/sampling/perflib/perflib_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

#include "tests/collectors/sampling/perflib/fake_perflib.h"

namespace winperf {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;
using testing::FakePerflib;
using ::testing::IsEmpty;
using testing::kBakery;
using testing::kShop;

constexpr PerflibConnection::Time kStart{};

class PerflibConnectionTest : public ::testing::Test {
 protected:
  PerflibConnectionTest() { api_.countersets = {{.guid = kShop, .name = u"Shop"}}; }

  FakePerflib api_;
};

TEST_F(PerflibConnectionTest, TheListIsReadAgainEveryFiveMinutes) {
  PerflibConnection connection(api_.source, Language::kEnglish, kStart);
  EXPECT_THAT(connection.catalog().named("Shop"), ElementsAre(kShop));
  api_.countersets.push_back({.guid = kBakery, .name = u"Bakery"});
  connection.begin_round(kStart + minutes(5) - seconds(1));
  EXPECT_THAT(connection.catalog().named("Bakery"), IsEmpty());
  connection.begin_round(kStart + minutes(5));
  EXPECT_THAT(connection.catalog().named("Bakery"), ElementsAre(kBakery));
  connection.begin_round(kStart + minutes(10) - seconds(1));
  EXPECT_EQ(api_.enumerated, 2);
  connection.begin_round(kStart + minutes(10));
  EXPECT_EQ(api_.enumerated, 3);
}

TEST_F(PerflibConnectionTest, WhatWasNotFoundMakesItReadAtMostOnceAMinute) {
  PerflibConnection connection(api_.source, Language::kEnglish, kStart);
  connection.begin_round(kStart + minutes(1));
  EXPECT_EQ(api_.enumerated, 1) << "nothing was missing";
  connection.report_unknown();
  connection.begin_round(kStart + minutes(1) - seconds(1));
  EXPECT_EQ(api_.enumerated, 1);
  connection.begin_round(kStart + minutes(1));
  EXPECT_EQ(api_.enumerated, 2);
  connection.begin_round(kStart + minutes(3));
  EXPECT_EQ(api_.enumerated, 2) << "until something is missing again";
}

TEST_F(PerflibConnectionTest, AListThatCouldNotBeReadIsReadAgainAfterAMinute) {
  api_.list_status = OsCode::kAccessDenied;
  PerflibConnection connection(api_.source, Language::kEnglish, kStart);
  ASSERT_TRUE(connection.catalog_error().has_value());
  EXPECT_EQ(connection.catalog_error()->code, ErrorCode::kAccessDenied);
  api_.list_status = OsCode::kSuccess;
  connection.begin_round(kStart + minutes(1));
  EXPECT_FALSE(connection.catalog_error().has_value());
  EXPECT_THAT(connection.catalog().named("Shop"), ElementsAre(kShop));
}

TEST_F(PerflibConnectionTest, NamesThatFailedAreRequestedAfter5And10And20Seconds) {
  api_.registration_status = OsCode::kRpcServerUnavailable;
  PerflibConnection connection(api_.source, Language::kEnglish, kStart);
  EXPECT_EQ(connection.take_problems().size(), 1U);
  EXPECT_THAT(connection.take_problems(), IsEmpty());
  std::vector<int> asked;
  for (int second = 1; second <= 80; ++second) {
    const int before = api_.registrations;
    connection.begin_round(kStart + seconds(second));
    if (api_.registrations != before) asked.push_back(second);
  }
  EXPECT_THAT(asked, ElementsAre(5, 15, 35, 75));
  EXPECT_EQ(api_.enumerated, 1);
  api_.registration_status = OsCode::kSuccess;
  connection.begin_round(kStart + seconds(155));
  EXPECT_THAT(connection.catalog().named("Shop"), ElementsAre(kShop));
}

TEST_F(PerflibConnectionTest, ANewListBeginsWithTheFirstDelayAgain) {
  api_.registration_status = OsCode::kRpcServerUnavailable;
  PerflibConnection connection(api_.source, Language::kEnglish, kStart);
  connection.begin_round(kStart + seconds(5));
  connection.begin_round(kStart + seconds(15));
  connection.begin_round(kStart + minutes(5));
  const int before = api_.registrations;
  connection.begin_round(kStart + minutes(5) + seconds(4));
  EXPECT_EQ(api_.registrations, before);
  connection.begin_round(kStart + minutes(5) + seconds(5));
  EXPECT_EQ(api_.registrations, before + 1);
}

TEST_F(PerflibConnectionTest, EachIntervalHasASessionOfItsOwnAndRoundsBeginForAll) {
  PerflibConnection connection(api_.source, Language::kEnglish, kStart);
  PerflibSession& fast = connection.session(seconds(1));
  PerflibSession& slow = connection.session(seconds(60));
  EXPECT_EQ(&connection.session(seconds(1)), &fast);
  EXPECT_NE(&fast, &slow);
  const auto one = fast.subscribe({.counter_id = 1});
  const auto two = slow.subscribe({.counter_id = 2});
  for (int round = 1; round <= 2; ++round) {
    connection.begin_round(kStart + seconds(round));
    EXPECT_EQ(fast.answer(one)->result.status(), 1'001U);
    EXPECT_EQ(slow.answer(two)->result.status(), 1'002U);
    EXPECT_EQ(api_.asked, 2 * round) << "each was asked anew";
  }
  EXPECT_EQ(api_.closed, 0);
  connection.release();
  EXPECT_EQ(api_.closed, 2);
}

// Two intervals, one counter each, whose number is its status.
class TogetherTest : public PerflibConnectionTest {
 protected:
  static constexpr PerflibConnection::Interval kFast = seconds(1), kSlow = seconds(60);

  void begin(int second, std::initializer_list<PerflibConnection::Interval> due) {
    connection_.begin_round(kStart + seconds(second), std::vector(due));
  }
  std::uint32_t status(PerflibConnection::Interval interval, PerflibConnection::Ticket ticket) {
    const auto answer = connection_.answer(interval, ticket);
    return answer ? answer->result.status() : 0;
  }

  PerflibConnection connection_{api_.source, Language::kEnglish, kStart};
  PerflibConnection::Ticket fast_ = connection_.subscribe(kFast, {.counter_id = 1});
  PerflibConnection::Ticket slow_ = connection_.subscribe(kSlow, {.counter_id = 2});
};

TEST_F(TogetherTest, WhatIsDueTogetherIsOneCall) {
  for (int round = 1; round <= 2; ++round) {
    begin(round, {kSlow, kFast, kFast});
    EXPECT_EQ(status(kFast, fast_), 1'001U);
    EXPECT_EQ(status(kSlow, slow_), 1'002U);
    EXPECT_EQ(api_.asked, round);
  }
  EXPECT_EQ(api_.opened, 1);
}

TEST_F(TogetherTest, WhatIsDueAloneIsNotAskedForTheOther) {
  begin(1, {kFast});
  EXPECT_EQ(status(kFast, fast_), 1'001U);
  ASSERT_EQ(api_.added.size(), 1U);
  EXPECT_EQ(api_.added.begin()->second.size(), 1U);
}

TEST_F(TogetherTest, AnIntervalWithoutCountersetsDoesNotCount) {
  begin(1, {kFast, seconds(5)});
  EXPECT_EQ(status(kFast, fast_), 1'001U);
  EXPECT_EQ(api_.added.begin()->second.size(), 1U);
}

TEST_F(TogetherTest, AChangeOfWhatIsWantedIsFollowed) {
  begin(1, {kFast, kSlow});
  EXPECT_EQ(status(kFast, fast_), 1'001U);
  const auto third = connection_.subscribe(kSlow, {.counter_id = 3});
  EXPECT_EQ(status(kSlow, third), 1'003U);
  connection_.unsubscribe(kSlow, slow_);
  begin(2, {kFast, kSlow});
  EXPECT_EQ(status(kSlow, third), 1'003U);
  EXPECT_EQ(status(kFast, fast_), 1'001U);
  EXPECT_EQ(api_.asked, 3);
  EXPECT_EQ(api_.added.size(), 1U) << "handles of earlier wishes are closed";
}

TEST_F(TogetherTest, AfterAFailureEachHasItsOwnCallForAMinute) {
  begin(1, {kFast, kSlow});
  EXPECT_EQ(status(kFast, fast_), 1'001U);
  api_.spoils_data = true;
  begin(2, {kFast, kSlow});
  EXPECT_EQ(status(kFast, fast_), 0U);
  api_.spoils_data = false;
  api_.asked = 0;
  begin(61, {kFast, kSlow});
  EXPECT_EQ(status(kFast, fast_), 1'001U);
  EXPECT_EQ(status(kSlow, slow_), 1'002U);
  EXPECT_EQ(api_.asked, 2);
  begin(62, {kFast, kSlow});
  EXPECT_EQ(status(kFast, fast_), 1'001U);
  EXPECT_EQ(status(kSlow, slow_), 1'002U);
  EXPECT_EQ(api_.asked, 3);
}

TEST_F(TogetherTest, WhatIsNotThereIsNoFailure) {
  api_.refused[2] = OsCode::kInstanceNotFound;
  begin(1, {kFast, kSlow});
  EXPECT_EQ(connection_.answer(kSlow, slow_).error().code, ErrorCode::kNotRunning);
  EXPECT_EQ(status(kFast, fast_), 1'001U);
  EXPECT_EQ(api_.asked, 1);
}

}  // namespace
}  // namespace winperf
