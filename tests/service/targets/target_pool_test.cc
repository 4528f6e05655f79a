#include "service/targets/target_pool.h"

#include <gmock/gmock.h>

#include <set>

#include "tests/service/targets/fake_network.h"

namespace winperf {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::FakeNetwork;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class TargetPoolTest : public ::testing::Test {
 protected:
  ~TargetPoolTest() override {
    pool_.request_stop();
    EXPECT_TRUE(pool_.ended_by(std::chrono::steady_clock::now() + 1min));
  }

  void change(const std::string& targets, const std::string& more = "") {
    pool_.change(testing::config_with_targets(targets, more));
  }
  // Second by second, while so many lanes wait in between.
  void pass(std::chrono::seconds time, std::size_t lanes) {
    for (std::chrono::seconds passed{0}; passed < time; ++passed) {
      ASSERT_TRUE(network_.clock().settle(lanes));
      network_.clock().advance(1s);
    }
    ASSERT_TRUE(network_.clock().settle(lanes));
  }
  TargetState state(const std::string& host) const {
    for (const TargetState& state : pool_.report().targets)
      if (state.host == host) return state;
    return {};
  }
  std::vector<std::string> hosts() const {
    std::vector<std::string> hosts;
    for (const TargetState& state : pool_.report().targets) hosts.push_back(state.host);
    return hosts;
  }

  FakeNetwork network_;
  TargetPool pool_{network_.tools()};
};

TEST_F(TargetPoolTest, WithoutTargets_HasNoLane) {
  change("[]");
  EXPECT_EQ(network_.workers(), 0U);
  EXPECT_THAT(pool_.report().targets, IsEmpty());
  EXPECT_EQ(pool_.probe("a", "default").status, 404);
}

TEST_F(TargetPoolTest, SpreadsItsTargetsOverTheIntervalAndTheLanes) {
  change("[{host: [a, b, c, d], interval: 20s}]", ", remote: {workers: 2}");
  pass(30s, 2);
  EXPECT_THAT(network_.asked("a"), ElementsAre(0, 20));
  EXPECT_THAT(network_.asked("b"), ElementsAre(5, 25));
  EXPECT_THAT(network_.asked("c"), ElementsAre(10, 30));
  EXPECT_THAT(network_.asked("d"), ElementsAre(15));
  EXPECT_EQ(network_.workers(), 2U);
  EXPECT_THAT(pool_.report().workers, SizeIs(2));
}

TEST_F(TargetPoolTest, WhatHangs_GetsALaneOfItsOwnAndTheOthersFollowAtOnce) {
  network_.set("b", FakeNetwork::Conduct::kHangs);
  change("[{host: [a, b, c, d], interval: 8s}]", ", remote: {workers: 1}");
  pass(1s, 1);
  network_.clock().advance(1s);
  // b takes ten seconds. c, due at 4, and d, due at 6, follow at once, and so does a.
  ASSERT_TRUE(network_.clock().settle(2));
  EXPECT_THAT(network_.asked("b"), ElementsAre(2));
  EXPECT_THAT(network_.asked("c"), ElementsAre(12));
  EXPECT_THAT(network_.asked("d"), ElementsAre(12));
  EXPECT_THAT(network_.asked("a"), ElementsAre(0, 12));
  EXPECT_TRUE(state("b").is_alone);
  EXPECT_FALSE(state("a").is_alone);
  EXPECT_EQ(state("c").late, 8s);
  network_.forget();
  pass(60s, 2);
  EXPECT_THAT(network_.workers_of("b"), ElementsAre("2"));
  EXPECT_THAT(network_.workers_of("a"), ElementsAre("1"));
  EXPECT_GT(state("b").lost_processes, 1U);
  for (const char* const host : {"a", "c", "d"}) EXPECT_EQ(state(host).failures, 0U) << host;
}

TEST_F(TargetPoolTest, MoreThanEightThatHang_ShareTheirLanes) {
  std::string hosts;
  for (int i = 0; i < 12; ++i) {
    const std::string host = "h" + std::to_string(i);
    network_.set(host, FakeNetwork::Conduct::kHangs);
    hosts += host + ", ";
  }
  change("[{host: [" + hosts + "a], interval: 13s}]", ", remote: {workers: 1}");
  // Each of them costs the lane that they share ten seconds, once.
  for (int i = 0; i < 400 && pool_.report().workers.size() < 9; ++i) network_.clock().advance(1s);
  pass(120s, 9);
  EXPECT_EQ(network_.workers(), 9U);
  std::set<std::string> lanes;
  for (int i = 0; i < 12; ++i) {
    const std::string host = "h" + std::to_string(i);
    EXPECT_TRUE(state(host).is_alone) << host;
    lanes.insert(network_.workers_of(host).back());
  }
  EXPECT_EQ(lanes.size(), 8U);
  EXPECT_FALSE(state("a").is_alone);
  EXPECT_EQ(state("a").failures, 0U);
}

TEST_F(TargetPoolTest, TenMinutesWithoutALoss_LeadBack) {
  network_.set("b", FakeNetwork::Conduct::kHangs);
  change("[{host: [a, b], interval: 60s}]", ", remote: {workers: 1}");
  pass(29s, 1);
  network_.clock().advance(1s);
  ASSERT_TRUE(network_.clock().settle(2));
  EXPECT_TRUE(state("b").is_alone);
  network_.set("b", FakeNetwork::Conduct::kAnswers);
  for (int i = 0; i < 14; ++i) {
    network_.clock().advance(1min);
    ASSERT_TRUE(network_.clock().settle(2));
  }
  EXPECT_FALSE(state("b").is_alone);
  EXPECT_EQ(state("b").is_up, true);
  EXPECT_THAT(network_.workers_of("b"), ElementsAre("1", "2")) << "and then 1 again";
  pool_.maintain();
  EXPECT_THAT(pool_.report().workers, SizeIs(1)) << "a lane without targets ends";
}

TEST_F(TargetPoolTest, AChange_KeepsWhatStaysAndLetsGoOfTheRest) {
  change("[{host: [a, b], interval: 10s}]", ", remote: {workers: 1}");
  pass(9s, 1);
  change("[{host: [a, c], interval: 10s}]", ", remote: {workers: 1}");
  pass(20s, 1);
  EXPECT_THAT(network_.asked("a"), ElementsAre(0, 10, 20));
  EXPECT_THAT(network_.asked("b"), ElementsAre(5));
  EXPECT_THAT(network_.asked("c"), Not(IsEmpty()));
  EXPECT_THAT(hosts(), ElementsAre("a", "c"));
  EXPECT_THAT(network_.released(), Contains("b"));
  EXPECT_EQ(pool_.probe("b", "default").status, 403);
  change("[{host: [A], interval: 5s}]", ", remote: {workers: 1}");
  EXPECT_FALSE(state("A").is_up) << "another interval begins anew";
}

TEST_F(TargetPoolTest, OtherLimits_MakeOtherLanes) {
  change("[{host: a}]", ", remote: {workers: 1}");
  pass(1s, 1);
  change("[{host: a}]", ", remote: {workers: 2}");
  pass(1s, 1);
  EXPECT_EQ(network_.workers(), 2U);
  EXPECT_THAT(network_.workers_of("a"), ElementsAre("1", "2"));
}

TEST_F(TargetPoolTest, AProbe_GetsThePageOnceThereIsASample) {
  change("[{host: Srv-1.corp}]");
  const ProbeAnswer early = pool_.probe("srv-1.CORP", "default");
  if (early.page == nullptr) {
    EXPECT_EQ(early.status, 503);
    EXPECT_EQ(early.retry_after, 5s);
  }
  pass(1s, 1);
  const ProbeAnswer answer = pool_.probe("\\\\srv-1.CORP", "default");
  ASSERT_NE(answer.page, nullptr) << answer.reason;
  const std::string page = answer.page->text().str();
  EXPECT_THAT(page, HasSubstr("winperf_system_"));
  EXPECT_THAT(page, HasSubstr("winperf_exporter_counterset_success{counterset=\"2\"} 1\n"));
  EXPECT_THAT(
      page, HasSubstr("winperf_exporter_target_up{target=\"Srv-1.corp\",module=\"default\"} 1\n"));
  EXPECT_THAT(page, Not(HasSubstr("process_cpu_seconds"))) << "that is about the exporter";
}

TEST_F(TargetPoolTest, WhoIsNotConfigured_IsRefused) {
  change("[{host: a}, {host: 'web-*', module: sql}]");
  for (const char* const host :
       {"b", "", "a.b", "*", "web-*", "web-?", "web-1/x", "web-1:445", "we"})
    EXPECT_EQ(pool_.probe(host, "sql").status, 403) << host;
  EXPECT_EQ(pool_.probe("a", "sql").status, 404);
  EXPECT_EQ(pool_.probe("web-1", "default").status, 404);
  EXPECT_EQ(pool_.probe(std::string(300, 'a'), "sql").status, 403);
  EXPECT_THAT(hosts(), ElementsAre("a"));
}

TEST_F(TargetPoolTest, APattern_IsSampledFromTheFirstProbeUntilTenMinutesAfterTheLast) {
  change("[{host: 'web-*', interval: 60s}]");
  EXPECT_THAT(hosts(), IsEmpty());
  const ProbeAnswer first = pool_.probe("Web-1", "default");
  EXPECT_EQ(first.status, 503);
  EXPECT_EQ(first.retry_after, 5s);
  ASSERT_TRUE(network_.clock().settle(1));
  EXPECT_NE(pool_.probe("web-1", "default").page, nullptr);
  EXPECT_FALSE(state("Web-1").is_named);
  pass(600s, 1);
  pool_.maintain();
  EXPECT_THAT(hosts(), SizeIs(1));
  network_.clock().advance(1s);
  pool_.maintain();
  EXPECT_THAT(hosts(), IsEmpty());
  EXPECT_EQ(pool_.probe("web-1", "default").status, 503) << "and begins anew";
}

TEST_F(TargetPoolTest, InventedNamesThatMatch_AreFewAtATime) {
  change("[{host: 'web-*'}]");
  for (std::size_t i = 0; i <= TargetPool::kMaxUnread; ++i)
    network_.set("web-" + std::to_string(i), FakeNetwork::Conduct::kFails);
  for (std::size_t i = 0; i < TargetPool::kMaxUnread; ++i)
    EXPECT_THAT(pool_.probe("web-" + std::to_string(i), "default").reason,
                HasSubstr("from now on"));
  const ProbeAnswer further = pool_.probe("web-16", "default");
  EXPECT_EQ(further.status, 503);
  EXPECT_THAT(further.reason, HasSubstr("too many"));
  EXPECT_THAT(hosts(), SizeIs(TargetPool::kMaxUnread));
}

TEST_F(TargetPoolTest, AChange_KeepsWhatAPatternStillNames) {
  change("[{host: 'web-*'}, {host: 'db-*'}]");
  EXPECT_EQ(pool_.probe("web-1", "default").status, 503);
  EXPECT_EQ(pool_.probe("db-1", "default").status, 503);
  ASSERT_TRUE(network_.clock().settle(2));
  change("[{host: 'web-*'}, {host: a}]");
  EXPECT_EQ(state("web-1").attempts, 1U);
  EXPECT_THAT(hosts(), Not(Contains("db-1")));
}

TEST_F(TargetPoolTest, APageInUse_OutlivesItsTarget) {
  change("[{host: a}]");
  pass(1s, 1);
  const ProbeAnswer answer = pool_.probe("a", "default");
  ASSERT_NE(answer.page, nullptr);
  change("[]");
  pass(0s, 1);
  EXPECT_THAT(answer.page->text().str(), HasSubstr("winperf_system_"));
}

TEST_F(TargetPoolTest, AModule_IsATargetOfItsOwn) {
  change("[{host: a}, {host: a, module: other, countersets: [\"2000\"]}]");
  pass(15s, 2);
  EXPECT_THAT(pool_.report().targets, SizeIs(2));
  const ProbeAnswer answer = pool_.probe("a", "other");
  ASSERT_NE(answer.page, nullptr);
  EXPECT_THAT(answer.page->text().str(), HasSubstr("{counterset=\"2000\"}"));
}

}  // namespace
}  // namespace winperf
