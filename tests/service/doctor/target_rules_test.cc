// Another machine: what decides between reasons that Windows has one code for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/service/doctor/world.h"

namespace winperf::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string all_commands(const Finding& finding) {
  std::string all;
  for (const RepairStep& step : finding.repair) all += step.command + '\n';
  return all;
}

TEST(TargetRules, AnOpenPortAndNoRegistryIsTheServiceThere) {
  for (const std::uint32_t os_code : {53U, 1722U}) {
    World world = healthy_world();
    world.unreachable(os_code).target().answers_smb = true;
    const Finding cause = world.diagnosis().cause;
    EXPECT_EQ(cause.reason, Reason::kTargetNotServed);
    EXPECT_THAT(all_commands(cause), HasSubstr("sc start RemoteRegistry"));
    EXPECT_THAT(all_commands(cause), Not(HasSubstr("FirewallRule")));
    EXPECT_THAT(cause.evidence, Contains("its TCP port 445 accepts connections: yes"));
  }
}

TEST(TargetRules, AClosedPortIsTheWayThereOrTheService) {
  World world = healthy_world();
  world.unreachable(53).target().answers_smb = false;
  const Finding cause = world.diagnosis().cause;
  EXPECT_EQ(cause.reason, Reason::kTargetUnreachable);
  EXPECT_THAT(all_commands(cause), HasSubstr("Test-NetConnection SQL01 -Port 445"));
  EXPECT_THAT(all_commands(cause), HasSubstr("Enable-NetFirewallRule -Name FPS-SMB-In-TCP*"));
  EXPECT_THAT(all_commands(cause), HasSubstr("sc start RemoteRegistry"));
}

TEST(TargetRules, ANameWithoutAnAddressIsTheOnlyReason) {
  for (const std::uint32_t os_code : {53U, 1722U, 1450U}) {
    World world = healthy_world();
    world.unreachable(os_code).target().has_address = false;
    EXPECT_THAT(reasons_of(world.diagnosis()), ElementsAre(Reason::kTargetNameUnknown));
    EXPECT_THAT(all_commands(world.diagnosis().cause), HasSubstr("nslookup SQL01"));
  }
}

TEST(TargetRules, OfAnUnreachableMachineNothingElseIsJudged) {
  for (std::uint32_t os_code = 0; os_code < 2'000; ++os_code) {
    World world = healthy_world();
    world.unreachable(os_code);
    const std::optional<TargetFacts> target = world.machine.target;
    world.machine = MachineFacts{.target = target};  // nothing was read, no name table either
    const Diagnosis diagnosis = world.diagnosis();
    ASSERT_EQ(diagnosis.status, Severity::kFailed) << os_code;
    ASSERT_TRUE(name_of(diagnosis.cause.reason).starts_with("target_")) << os_code;
    ASSERT_TRUE(diagnosis.also.empty()) << os_code;
  }
}

TEST(TargetRules, NoAnswerInTimeIsTheWayThere) {
  World world = healthy_world();
  world.unreachable(0).target().connection = Error{.code = ErrorCode::kTimedOut};
  EXPECT_EQ(world.diagnosis().cause.reason, Reason::kTargetUnreachable);
  EXPECT_EQ(world.diagnosis().cause.sentence, "SQL01 does not respond in time");
}

TEST(TargetRules, DeniedIsRepairedThereAndNotHere) {
  World world = healthy_world();
  world.unreachable(5).target().account = "CORP\\it's me";
  const Finding connecting = world.diagnosis().cause;
  world = healthy_world();
  world.failed(ErrorCode::kAccessDenied, 5).target().account = "CORP\\it's me";
  const Finding reading = world.diagnosis().cause;
  for (const Finding& cause : {connecting, reading}) {
    EXPECT_EQ(cause.reason, Reason::kTargetAccessDenied);
    const std::string commands = all_commands(cause);
    EXPECT_THAT(commands, HasSubstr("-SID S-1-5-32-558 -Member 'CORP\\it''s me'"));
    EXPECT_THAT(commands, HasSubstr("SecurePipeServers\\winreg"));
    EXPECT_THAT(commands, HasSubstr("LocalAccountTokenFilterPolicy"));
    for (const RepairStep& step : cause.repair) EXPECT_THAT(step.text, HasSubstr("on SQL01: "));
  }
  EXPECT_FALSE(world.finds(Reason::kAccessDenied));
}

TEST(TargetRules, AnAccountThatIsNobodyExplainsARefusal) {
  World world = healthy_world();
  world.unreachable(1326).target().account = "NT AUTHORITY\\LOCAL SERVICE";
  world.target().identity = NetworkIdentity::kAnonymous;
  const Diagnosis diagnosis = world.diagnosis();
  EXPECT_THAT(reasons_of(diagnosis),
              ElementsAre(Reason::kTargetLogonFailed, Reason::kTargetAccount));
  EXPECT_THAT(diagnosis.also.at(0).sentence,
              HasSubstr("LOCAL SERVICE is anonymous on the network"));
  world.target().identity = NetworkIdentity::kMachine;
  EXPECT_THAT(world.diagnosis().also.at(0).sentence,
              HasSubstr("uses this machine's computer account"));
  world.unreachable(53);
  EXPECT_THAT(reasons_of(world.diagnosis()), ElementsAre(Reason::kTargetUnreachable))
      << "no account was asked for";
}

TEST(TargetRules, AClockMayDifferByLessThanFiveMinutes) {
  for (const int seconds : {0, 299, -299, 300, -300, 100'000}) {
    World world = healthy_world();
    world.target().ahead = std::chrono::seconds(seconds);
    const bool differs = seconds >= 300 || seconds <= -300;
    ASSERT_EQ(world.finds(Reason::kTargetClockDiffers), differs) << seconds;
    if (differs) {
      EXPECT_THAT(world.diagnosis().cause.sentence,
                  HasSubstr(seconds > 0 ? "seconds ahead of this" : "seconds behind this"));
    }
  }
}

TEST(TargetRules, AMachineThatIsWellHasNoFindings) {
  World world = healthy_world();
  world.target().has_address = true;
  world.target().answers_smb = true;
  world.target().ahead = std::chrono::seconds(1);
  EXPECT_EQ(world.diagnosis().status, Severity::kOk);
  EXPECT_TRUE(world.diagnosis().also.empty());
}

TEST(TargetRules, ListsOfCountersetsAreThoseOfThatMachine) {
  World world = healthy_world();
  world.unknown().target();
  EXPECT_THAT(all_commands(world.diagnosis().cause),
              HasSubstr("winperf_exporter list --target SQL01"));
}

}  // namespace
}  // namespace winperf::testing
