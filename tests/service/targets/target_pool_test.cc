#include "service/targets/target_pool.h"

#include <set>

#include "tests/service/targets/target_pool_case.h"

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

class TargetPoolTest : public testing::TargetPoolCase {};

TEST_F(TargetPoolTest, WithoutTargets_HasNoLane) {
  change("[]");
  EXPECT_EQ(network_.workers(), 0U);
  EXPECT_THAT(pool_.report().targets, IsEmpty());
  EXPECT_EQ(probe("a", "default").status, 404);
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
  EXPECT_EQ(probe("b", "default").status, 403);
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
  const ProbeAnswer early = probe("srv-1.CORP", "default");
  if (early.machine == nullptr) {
    EXPECT_EQ(early.status, 503);
    EXPECT_EQ(early.retry_after, 5s);
  }
  pass(1s, 1);
  const ProbeAnswer answer = probe("\\\\srv-1.CORP", "default");
  ASSERT_NE(answer.machine, nullptr) << answer.reason;
  const std::string page = answer.machine->page()->text().str();
  EXPECT_THAT(page, HasSubstr("winperf_system_"));
  EXPECT_THAT(page, HasSubstr("winperf_exporter_counterset_success{counterset=\"2\"} 1\n"));
  EXPECT_THAT(
      page, HasSubstr("winperf_exporter_target_up{target=\"Srv-1.corp\",module=\"default\"} 1\n"));
  EXPECT_THAT(page, Not(HasSubstr("process_cpu_seconds"))) << "that is about the exporter";
}

TEST_F(TargetPoolTest, WhoIsNotConfigured_IsRefused) {
  change("[{host: a}, {host: 'web-*', module: sql}]");
  for (const char* const host : {"b", "a.b", "we"})
    EXPECT_EQ(probe(host, "sql").status, 403) << host;
  EXPECT_EQ(probe("a", "sql").status, 404);
  EXPECT_EQ(probe("web-1").status, 404);
  EXPECT_THAT(hosts(), ElementsAre("a"));
}

TEST_F(TargetPoolTest, WhatIsNoName_IsRefusedWithTheReason) {
  change("[{host: 'web-*'}]");
  struct Row {
    std::string name;
    const char* reason;
  };
  for (const Row& row :
       {Row{"", "empty"}, Row{"*", "\"*\""}, Row{"web-?", "\"?\""}, Row{"web-1/x", "\"/\""},
        Row{"web-1:445", "port"}, Row{"web-%s%n", "\"%\""}, Row{"web-1 ", "a blank"},
        Row{"web-\xE2\x80\xAE", "\\u202e"}, Row{"web-" + std::string(252, 'a'), "256 bytes"}}) {
    const ProbeAnswer answer = probe(row.name);
    EXPECT_EQ(answer.status, 400) << row.name;
    EXPECT_THAT(answer.reason, HasSubstr(row.reason));
  }
  EXPECT_EQ(network_.workers(), 0U);
}

TEST_F(TargetPoolTest, APageInUse_OutlivesItsTarget) {
  change("[{host: a}]");
  pass(1s, 1);
  const ProbeAnswer answer = probe("a", "default");
  ASSERT_NE(answer.machine, nullptr);
  change("[]");
  pass(0s, 1);
  EXPECT_THAT(answer.machine->page()->text().str(), HasSubstr("winperf_system_"));
}

TEST_F(TargetPoolTest, AModule_IsATargetOfItsOwn) {
  change("[{host: a}, {host: a, module: other, countersets: [\"2000\"]}]");
  pass(15s, 2);
  EXPECT_THAT(pool_.report().targets, SizeIs(2));
  const ProbeAnswer answer = probe("a", "other");
  ASSERT_NE(answer.machine, nullptr);
  EXPECT_THAT(answer.machine->page()->text().str(), HasSubstr("{counterset=\"2000\"}"));
}

}  // namespace
}  // namespace winperf
