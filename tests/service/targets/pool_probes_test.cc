// What only a pattern names: strangers choose these names.
#include <algorithm>
#include <string>

#include "exporter/text/own_metrics.h"
#include "tests/exporter/support/own_series.h"
#include "tests/service/targets/target_pool_case.h"
#include "tests/support/thorough.h"

namespace winperf {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::FakeNetwork;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class PoolProbesTest : public testing::TargetPoolCase {
 protected:
  static std::string web(std::size_t number) { return "web-x" + std::to_string(number); }
  void nobody_has(std::size_t names, FakeNetwork::Conduct conduct) {
    for (std::size_t i = 0; i < names; ++i) network_.set(web(i), conduct);
  }
  ProbedTargets probed() const { return pool_.report().probed.value_or(ProbedTargets{}); }
  std::size_t lines() const {
    return static_cast<std::size_t>(std::ranges::count(network_.log(), '\n'));
  }
  std::size_t series() {
    std::size_t series = 0;
    const TargetsReport report = pool_.report();
    for (const auto& family : testing::collected(target_metrics(report, network_.clock().now())))
      series += family.metric.size();
    return series;
  }
};

TEST_F(PoolProbesTest, AreSampledFromTheFirstUntilTenMinutesAfterTheLast) {
  change("[{host: 'web-*', interval: 60s}]");
  EXPECT_THAT(hosts(), IsEmpty());
  const ProbeAnswer first = probe("Web-1");
  EXPECT_EQ(first.status, 503);
  EXPECT_EQ(first.retry_after, 5s);
  ASSERT_TRUE(network_.clock().settle(2)) << "the lane of the trial, and the common one";
  EXPECT_NE(probe("web-1").machine, nullptr);
  EXPECT_FALSE(state("web-1").is_named);
  pass(600s, 2);
  pool_.maintain();
  EXPECT_THAT(hosts(), SizeIs(1));
  network_.clock().advance(1s);
  pool_.maintain();
  EXPECT_THAT(hosts(), IsEmpty());
  EXPECT_EQ(probe("web-1").status, 503) << "and begins anew";
}

TEST_F(PoolProbesTest, OfOneMachineInAnySpelling_AreOneTarget) {
  change("[{host: 'web-*'}]");
  EXPECT_THAT(probe("WEB-1.").reason, HasSubstr("from now on"));
  ASSERT_TRUE(network_.clock().settle(2));
  for (const char* const name : {"web-1", "WEB-1", "web-1.", "\\\\Web-1"})
    EXPECT_NE(probe(name).machine, nullptr) << name;
  EXPECT_THAT(hosts(), ElementsAre("web-1")) << "not as the first one has written it";
}

TEST_F(PoolProbesTest, OfNamesThatNobodyHas_GiveTheirPlacesUp) {
  change("[{host: 'web-*'}]");
  nobody_has(TargetPool::kMaxTrials, FakeNetwork::Conduct::kFails);
  auto held = network_.hold();
  for (std::size_t i = 0; i < TargetPool::kMaxTrials; ++i)
    EXPECT_THAT(probe(web(i), "default", static_cast<std::uint8_t>(i % 2)).reason,
                HasSubstr("from now on"));
  EXPECT_THAT(probe("web-1").reason, HasSubstr("too many"));
  EXPECT_EQ(probed().trying, TargetPool::kMaxTrials);
  EXPECT_THAT(hosts(), IsEmpty()) << "not one of them has a series";
  held.reset();
  ASSERT_TRUE(network_.clock().settle(TargetPool::kMaxTrialLanes));
  EXPECT_THAT(probe("web-1").reason, HasSubstr("from now on"));
  ASSERT_TRUE(network_.clock().settle(TargetPool::kMaxTrialLanes + 1));
  EXPECT_NE(probe("web-1").machine, nullptr);
  EXPECT_THAT(hosts(), ElementsAre("web-1"));
}

TEST_F(PoolProbesTest, OfNamesThatHang_HoldUpNoConfiguredTarget) {
  change("[{host: a, interval: 10s}, {host: 'web-*'}]", ", remote: {workers: 1}");
  ASSERT_TRUE(network_.clock().settle(1));
  nobody_has(8, FakeNetwork::Conduct::kHangs);
  auto held = network_.hold();
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(probe(web(i)).status, 503);
  held.reset();
  ASSERT_TRUE(network_.clock().settle(1 + TargetPool::kMaxTrialLanes));
  pass(20s, 1 + TargetPool::kMaxTrialLanes);
  EXPECT_THAT(network_.workers_of("a"), ElementsAre("1"));
  EXPECT_EQ(probed().failed, 8U);
  EXPECT_FALSE(state("a").is_alone);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_THAT(network_.workers_of(web(i)), Not(Contains("1")));
}

TEST_F(PoolProbesTest, OfOneAddress_TakeHalfOfThePlaces) {
  change("[{host: 'web-*'}]");
  const auto held = network_.hold();
  for (std::size_t i = 0; i < TargetPool::kMaxTrialsOfOne; ++i)
    EXPECT_THAT(probe(web(i), "default", 1).reason, HasSubstr("from now on"));
  EXPECT_THAT(probe("web-1", "default", 1).reason, HasSubstr("too many"));
  EXPECT_THAT(probe("web-1", "default", 2).reason, HasSubstr("from now on"));
  EXPECT_EQ(probed().ever_refused, 1U);
  EXPECT_EQ(probed().trying, TargetPool::kMaxTrialsOfOne + 1);
}

// However many strangers there are, and whatever they ask for.
TEST_F(PoolProbesTest, OfWhoeverHasTheMostPlaces_GiveWay) {
  change("[{host: 'web-*'}, {host: honest}, {host: 'db-*'}]");
  const auto held = network_.hold();
  for (std::size_t i = 0; i < TargetPool::kMaxTrials; ++i)
    EXPECT_THAT(probe(web(i), "default", i % 2 == 0 ? 1 : 2).reason, HasSubstr("from now on"));
  EXPECT_EQ(probed().trying, TargetPool::kMaxTrials);
  EXPECT_THAT(probe("db-1", "default", 3).reason, HasSubstr("from now on"));
  EXPECT_EQ(probed().trying, TargetPool::kMaxTrials);
  EXPECT_EQ(probed().ever_refused, 1U);
  EXPECT_THAT(probe("db-1", "default", 3).reason, HasSubstr("not been sampled yet"));
  // In the end each of them has its part, and the rest of a stranger's names wait.
  for (std::size_t i = 2; i < 20; ++i)
    static_cast<void>(probe("db-" + std::to_string(i), "default", 3));
  EXPECT_EQ(probed().trying, TargetPool::kMaxTrials);
  EXPECT_THAT(probe(web(99), "default", 1).reason, HasSubstr("too many"));
}

TEST_F(PoolProbesTest, OfNamesThatNobodyHas_AreAnsweredFromMemory) {
  change("[{host: 'web-*', interval: 15s}]");
  nobody_has(1, FakeNetwork::Conduct::kFails);
  EXPECT_EQ(probe(web(0)).status, 503);
  ASSERT_TRUE(network_.clock().settle(1));
  for (int i = 0; i < 100; ++i) {
    const ProbeAnswer again = probe(web(0));
    EXPECT_EQ(again.status, 503);
    EXPECT_THAT(again.reason, AllOf(HasSubstr("could not be read"), HasSubstr("53")));
    EXPECT_EQ(again.retry_after, 15s);
  }
  network_.clock().advance(14s);
  EXPECT_EQ(probe(web(0)).retry_after, 1s);
  EXPECT_THAT(network_.asked(web(0)), Not(Contains(14)));
  network_.clock().advance(1s);
  EXPECT_THAT(probe(web(0)).reason, HasSubstr("from now on"));
  ASSERT_TRUE(network_.clock().settle(1));
  EXPECT_THAT(network_.asked(web(0)), Contains(15));
  EXPECT_EQ(probe(web(0)).retry_after, 30s) << "longer each time";
  network_.set(web(0), FakeNetwork::Conduct::kAnswers);
  network_.clock().advance(30s);
  EXPECT_THAT(probe(web(0)).reason, HasSubstr("from now on"));
  ASSERT_TRUE(network_.clock().settle(2));
  EXPECT_NE(probe(web(0)).machine, nullptr);
  EXPECT_EQ(probed().failed, 0U);
  EXPECT_EQ(probed().ever_failed, 2U);
}

TEST_F(PoolProbesTest, AChange_ForgetsWhatHasFailed) {
  change("[{host: 'web-*'}]");
  nobody_has(1, FakeNetwork::Conduct::kFails);
  EXPECT_EQ(probe(web(0)).status, 503);
  ASSERT_TRUE(network_.clock().settle(1));
  EXPECT_THAT(probe(web(0)).reason, HasSubstr("could not be read"));
  change("[{host: 'web-*'}, {host: a}]");
  EXPECT_THAT(probe(web(0)).reason, HasSubstr("from now on"));
}

TEST_F(PoolProbesTest, OfManyNames_BecomeNeitherSeriesNorLines) {
  change("[{host: 'web-*'}]");
  const std::size_t names = testing::tried(200, 1000);
  nobody_has(names, FakeNetwork::Conduct::kFails);
  const std::size_t before = series();
  for (std::size_t i = 0; i < names; ++i) {
    EXPECT_THAT(probe(web(i)).reason, HasSubstr("from now on"));
    // All that were made wait again.
    ASSERT_TRUE(network_.clock().settle(1));
    if (i % 10 == 0) pool_.maintain();
  }
  pool_.maintain();
  EXPECT_EQ(series(), before);
  EXPECT_EQ(lines(), 1U) << network_.log();
  EXPECT_THAT(network_.log(), HasSubstr("a probed target could not be read: web-x0: "));
  network_.clock().advance(10min);
  pool_.maintain();
  EXPECT_EQ(lines(), 2U);
  EXPECT_THAT(network_.log(), HasSubstr(std::to_string(names - 1) +
                                        " probed targets could not be read, such as web-x1: "));
  EXPECT_EQ(probed().ever_failed, names);
  EXPECT_THAT(hosts(), IsEmpty());
}

TEST_F(PoolProbesTest, OfOneThatWasReadOnce_KeepItsPlace) {
  change("[{host: 'web-*', interval: 60s}]");
  EXPECT_EQ(probe("web-1").status, 503);
  ASSERT_TRUE(network_.clock().settle(2));
  network_.set("web-1", FakeNetwork::Conduct::kFails);
  network_.clock().advance(60s);
  ASSERT_TRUE(network_.clock().settle(2));
  nobody_has(40, FakeNetwork::Conduct::kFails);
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(probe(web(i)).status, 503);
    ASSERT_TRUE(network_.clock().settle(2));
  }
  EXPECT_THAT(hosts(), ElementsAre("web-1"));
  EXPECT_EQ(state("web-1").is_up, false);
  EXPECT_NE(probe("web-1").machine, nullptr) << "which says that it is down";
}

TEST_F(PoolProbesTest, OneByOne_ShareAProcess) {
  change("[{host: 'web-*'}]");
  nobody_has(20, FakeNetwork::Conduct::kFails);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(probe(web(i)).status, 503);
    ASSERT_TRUE(network_.clock().settle(1));
    network_.clock().advance(10s);
    pool_.maintain();
  }
  EXPECT_EQ(network_.workers(), 1U);
}

TEST_F(PoolProbesTest, OfLanesThatComeAndGo_HaveTheSameNumbers) {
  change("[{host: 'web-*'}]");
  nobody_has(5, FakeNetwork::Conduct::kFails);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(probe(web(i)).status, 503);
    ASSERT_TRUE(network_.clock().settle(1));
    network_.clock().advance(TargetPool::kKeepTrialLanes);
    pool_.maintain();
    EXPECT_TRUE(pool_.ended_by(std::chrono::steady_clock::now() + 1min));
    pool_.maintain();
    EXPECT_THAT(network_.workers_of(web(i)), ElementsAre("1"));
  }
}

TEST_F(PoolProbesTest, AChange_KeepsWhatAPatternStillNames) {
  change("[{host: 'web-*'}, {host: 'db-*'}]");
  EXPECT_EQ(probe("web-1").status, 503);
  ASSERT_TRUE(network_.clock().settle(2));
  EXPECT_EQ(probe("db-1").status, 503);
  ASSERT_TRUE(network_.clock().settle(3));
  change("[{host: 'web-*'}, {host: a}]");
  EXPECT_EQ(state("web-1").attempts, 2U) << "its trial, and a sample";
  EXPECT_THAT(hosts(), Not(Contains("db-1")));
}

}  // namespace
}  // namespace winperf
