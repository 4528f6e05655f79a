// What is remembered of targets: which ones, and with how much memory.
#include "service/targets/target_memory.h"

#include <string>

#include "tests/service/targets/target_pool_case.h"

namespace winperf {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kHosts[] = "[{host: [a, b], interval: 1s}]";

std::shared_ptr<const recorder::History> history_of(const ProbeAnswer& answer) {
  return answer.machine == nullptr ? nullptr : answer.machine->history();
}

class TargetMemoryTest : public testing::TargetPoolCase {
 protected:
  void record(const std::string& targets, const std::string& memory = "3MiB",
              const std::string& hosts = kHosts) {
    change(hosts,
           ", remote: {workers: 1}, recorder: {memory: " + memory + ", targets: " + targets + "}");
  }
};

TEST_F(TargetMemoryTest, OnlyWhatTheConfigurationNames_IsRecorded) {
  record("[A]");
  pass(3s, 1);
  const auto history = history_of(probe("a"));
  ASSERT_NE(history, nullptr);
  EXPECT_FALSE(history->tracks.empty());
  EXPECT_EQ(history->tracks.front()->name, "2") << "as the configuration calls it";
  EXPECT_EQ(history_of(probe("b")), nullptr);
  EXPECT_EQ(pool_.recorded_bytes(), history->memory);
}

TEST_F(TargetMemoryTest, AChangeOfTheTargetLeavesItsPast) {
  record("[a]");
  pass(3s, 1);
  const auto before = history_of(probe("a"))->reach();
  record("[a]", "3MiB", "[{host: a, interval: 2s}]");
  pass(5s, 1);
  EXPECT_GT(history_of(probe("a"))->reach(), before + 3s);
}

TEST_F(TargetMemoryTest, WithoutItsName_ItIsForgotten) {
  record("[a]");
  pass(3s, 1);
  record("[]");
  pass(3s, 1);
  EXPECT_EQ(history_of(probe("a")), nullptr);
  EXPECT_EQ(pool_.recorded_bytes(), 0U);
  record("[a]", "0B");
  pass(3s, 1);
  EXPECT_EQ(history_of(probe("a")), nullptr) << "nothing is recorded at all";
}

TEST_F(TargetMemoryTest, AChangeOfWhatIsRecorded_RestartsNoTarget) {
  record("[a]");
  pass(3s, 1);
  record("[b]");
  EXPECT_NE(probe("a").machine, nullptr);
  EXPECT_EQ(state("a").is_up, true);
  pass(2s, 1);
  EXPECT_EQ(history_of(probe("a")), nullptr);
  EXPECT_NE(history_of(probe("b")), nullptr);
}

TEST_F(TargetMemoryTest, WhatWasNeverRead_IsToldWithThePage) {
  network_.set("b", testing::FakeNetwork::Conduct::kHangs);
  record("[b]", "3MiB", "[{host: [a, b], interval: 8s}]");
  pass(3s, 1);
  network_.clock().advance(1s);
  ASSERT_TRUE(network_.clock().settle(2)) << "b has a lane of its own after its ten seconds";
  const ProbeAnswer answer = probe("b");
  ASSERT_NE(answer.machine, nullptr) << "its page says that it is down";
  EXPECT_THAT(answer.reason, HasSubstr("this target could not be read yet: "));
  EXPECT_EQ(history_of(answer), nullptr);
  EXPECT_EQ(probe("a").reason, "");
}

TEST(RecordedTargets, AreTheNamedOnesThatANameOrPatternMatches) {
  const auto config = testing::config_with_targets(
      "[{host: [web-1, WEB-2.corp., 'lab-*']}, {host: web-1, module: iis}, {host: db-1}]",
      ", recorder: {targets: ['web-?', web-2.corp]}");
  EXPECT_THAT(recorded_targets(config),
              ElementsAre(RecordedTarget{"web-1", "default"},
                          RecordedTarget{"web-2.corp", "default"}, RecordedTarget{"web-1", "iis"}));
  EXPECT_THAT(recorded_targets(testing::config_with_targets(kHosts, "")), IsEmpty());
}

TEST(RecordedTargets, ShareTheMemoryWithThisMachine) {
  const auto share = [](const std::string& targets) {
    return recorder_share(testing::config_with_targets(
        kHosts, ", recorder: {memory: 6MiB, targets: " + targets + "}"));
  };
  EXPECT_EQ(share("[]"), 6 * recorder::kMebibyte);
  EXPECT_EQ(share("[a]"), 3 * recorder::kMebibyte);
  EXPECT_EQ(share("['*']"), 2 * recorder::kMebibyte);
}

}  // namespace
}  // namespace winperf
