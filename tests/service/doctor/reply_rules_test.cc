// What was delivered: the limits of each rule.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/service/doctor/world.h"

namespace winperf::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(ObjectCostly, IsAQueryOfMoreThanHalfOfTheInterval) {
  using std::chrono::milliseconds;
  for (const int took : {0, 2'499, 2'500, 2'501, 60'000}) {
    World world = healthy_world();
    world.request.interval = milliseconds(5'000);
    world.facts.trial->took = milliseconds(took);
    EXPECT_EQ(world.finds(Reason::kObjectCostly), took > 2'500) << took;
  }
}

TEST(ObjectCostly, IsNotedOfAProviderWithoutAListIfItsKeyCouldBeRead) {
  World world = healthy_world();
  world.provider().object_list.reset();
  EXPECT_TRUE(world.finds(Reason::kObjectCostly));
  EXPECT_EQ(world.diagnosis().status, Severity::kOk);
  const std::vector<Finding> also = world.diagnosis().also;
  const auto noted = std::ranges::find(also, Reason::kObjectCostly, &Finding::reason);
  ASSERT_NE(noted, also.end());
  EXPECT_THAT(noted->evidence.back(), ::testing::EndsWith("Object List is not set"));
  world.provider().access = Access::kDenied;
  EXPECT_FALSE(world.finds(Reason::kObjectCostly));
  world = healthy_world();
  world.provider().object_list.reset();
  world.facts.trial->took.reset();
  EXPECT_FALSE(world.finds(Reason::kObjectCostly)) << "a recording has no time";
}

TEST(DeliveredCorrupt, ShowsFiveProblemsAndTheNumberOfTheOthers) {
  for (std::size_t problems = 0; problems <= 8; ++problems) {
    World world = healthy_world();
    for (std::uint32_t i = 0; i < problems; ++i)
      world.facts.trial->problems.push_back({.code = ErrorCode::kTruncated, .offset = i});
    const Diagnosis diagnosis = world.diagnosis();
    if (problems == 0) {
      EXPECT_EQ(diagnosis.status, Severity::kOk);
      continue;
    }
    const std::vector<std::string>& lines = diagnosis.cause.evidence;
    EXPECT_EQ(lines.size(), problems > 5 ? 6U : problems);
    EXPECT_EQ(lines.front(), describe(world.facts.trial->problems.front()));
    if (problems > 5) {
      EXPECT_EQ(lines.back(), std::to_string(problems - 5) + " more");
    }
  }
}

TEST(DeliveredCorrupt, IsDamageOnlyAndTheTrialsErrorIsPartOfIt) {
  World world = healthy_world();
  world.facts.trial->problems = {{.code = ErrorCode::kPaddingLeftOut},
                                 {.code = ErrorCode::kUnknownIndex}};
  EXPECT_FALSE(world.finds(Reason::kDeliveredCorrupt));
  world.failed(ErrorCode::kBadSignature);
  const Diagnosis diagnosis = world.diagnosis();
  EXPECT_EQ(diagnosis.cause.reason, Reason::kDeliveredCorrupt);
  EXPECT_THAT(diagnosis.cause.sentence, HasSubstr("the data delivered for"));
  EXPECT_THAT(diagnosis.cause.evidence, ElementsAre(describe(*world.facts.trial->error)));
  EXPECT_FALSE(world.finds(Reason::kQueryFailed));
}

TEST(V2ProviderNotRunning, IsOneThatIsKnownNotToRun) {
  for (const std::optional<bool> running :
       {std::optional<bool>(), std::optional(true), std::optional(false)}) {
    World world = healthy_world();
    world.absent().machine.v2 = {
        {.name = "Things", .guid = {}, .provider = "P", .running = running}};
    EXPECT_EQ(world.finds(Reason::kV2ProviderNotRunning), running == false);
  }
}

TEST(Filters, MatchNothingOnlyIfThereIsSomething) {
  World world = healthy_world();
  world.object().matching_instances = 0;
  EXPECT_TRUE(world.finds(Reason::kInstanceFilterMatchesNothing));
  EXPECT_THAT(world.diagnosis().cause.evidence, ElementsAre(HasSubstr("\"one\" or \"_Total\"")));
  world.object().instances = 0;
  EXPECT_FALSE(world.finds(Reason::kInstanceFilterMatchesNothing));
  EXPECT_TRUE(world.finds(Reason::kNoInstances));
  world.object().multi_instance = false;
  EXPECT_FALSE(world.finds(Reason::kNoInstances));
  world.object().matching_counters = 0;
  EXPECT_TRUE(world.finds(Reason::kCounterFilterMatchesNothing));
  world.object().counter_names.clear();
  EXPECT_THAT(world.diagnosis().cause.evidence, IsEmpty());
  world.object().counters = 0;
  EXPECT_FALSE(world.finds(Reason::kCounterFilterMatchesNothing));
}

TEST(TimedOut, ShowsTheProvidersTimeouts) {
  World world = healthy_world();
  world.failed(ErrorCode::kTimedOut).provider().open_timeout_ms = 10'000;
  const std::string key = "HKLM\\SYSTEM\\CurrentControlSet\\Services\\thingsvc\\Performance";
  EXPECT_THAT(world.diagnosis().cause.evidence,
              ElementsAre(key + ": Open Timeout = 10000", key + ": Collect Timeout is not set",
                          describe(*world.facts.trial->error)));
  world.machine.providers.clear();
  world.facts.names[0].indices = {ObjectIndex{238}};  // one of Windows' own
  EXPECT_THAT(world.diagnosis().cause.evidence, ElementsAre(describe(*world.facts.trial->error)));
}

std::vector<std::string> commands_of(const World& world) {
  std::vector<std::string> commands;
  for (const RepairStep& step : world.diagnosis().cause.repair)
    if (!step.command.empty() && !step.command.starts_with("powershell"))
      commands.push_back(step.command);
  return commands;
}

constexpr const char* kSetDisabled =
    "reg add \"HKLM\\SYSTEM\\CurrentControlSet\\Services\\thingsvc\\Performance\" /v "
    "\"Disable Performance Counters\" /t REG_DWORD /d ";

TEST(Harm, IsStoppedByTheNameOfTheService) {
  for (const ErrorCode code : {ErrorCode::kTimedOut, ErrorCode::kWorkerCrashed,
                               ErrorCode::kWorkerLimit, ErrorCode::kTruncated}) {
    World world = healthy_world();
    world.failed(code);
    EXPECT_THAT(
        commands_of(world),
        ElementsAre("winperf_exporter providers --try \"thingsvc\"", "lodctr /D:\"thingsvc\"",
                    std::string(kSetDisabled) + "1 /f", "unlodctr \"thingsvc\""))
        << name_of(code);
    world.machine.providers.clear();
    world.facts.names[0].indices = {ObjectIndex{238}};  // one of Windows' own
    EXPECT_THAT(commands_of(world), ElementsAre("winperf_exporter providers --try"))
        << name_of(code);
  }
}

TEST(QueryFailed, OfAProviderAloneIsRepairedByItsName) {
  World world = healthy_world();
  world.failed(ErrorCode::kOsError, 126).facts.trial->error->where =
      "provider \"thingsvc\" in load";
  EXPECT_THAT(commands_of(world),
              ElementsAre("net helpmsg 126", "winperf_exporter providers --try \"thingsvc\"",
                          "lodctr /Q:\"thingsvc\"", "unlodctr \"thingsvc\""));
  EXPECT_THAT(
      world.diagnosis().cause.evidence,
      ElementsAre(describe(*world.facts.trial->error),
                  "HKLM\\SYSTEM\\CurrentControlSet\\Services\\thingsvc\\Performance: Library = "
                  "\"%SystemRoot%\\System32\\things.dll\", which is "
                  "C:\\Windows\\System32\\things.dll"));
  world.facts.trial->error->where = "provider \"thingsvc2\" in load";
  EXPECT_THAT(commands_of(world), ElementsAre("net helpmsg 126"));
}

TEST(ProviderFailed, IsLookedAtByTheNameOfItsService) {
  World world = healthy_world();
  world.absent();
  EXPECT_THAT(commands_of(world),
              ElementsAre("sc query \"thingsvc\"", "lodctr /Q:\"thingsvc\"",
                          "winperf_exporter providers --try \"thingsvc\"",
                          "winperf_exporter list --costly", "unlodctr \"thingsvc\""));
}

TEST(ProviderDisabled, IsEnabledByTheNameOfItsService) {
  World world = healthy_world();
  world.absent().provider().disable_performance_counters = 1;
  EXPECT_THAT(commands_of(world), ElementsAre("lodctr /Q:\"thingsvc\"", "lodctr /E:\"thingsvc\"",
                                              std::string(kSetDisabled) + "0 /f"));
}

TEST(QueryFailed, ExplainsASystemErrorIfThereIsOne) {
  World world = healthy_world();
  EXPECT_EQ(world.failed(ErrorCode::kOsError, 1450).diagnosis().cause.repair.front().command,
            "net helpmsg 1450");
  EXPECT_EQ(world.failed(ErrorCode::kOsError).diagnosis().cause.repair.size(), 1U);
}

TEST(NotDelivered, CountsProvidersOnlyWhereTheyWereLookedFor) {
  World world = healthy_world();
  world.absent().facts.names[0].indices = {ObjectIndex{238}};
  world.machine.providers.clear();
  EXPECT_THAT(world.diagnosis().cause.evidence,
              ElementsAre("0 registered V1 providers; none claims the index"));
  world.machine.registry_known = false;
  EXPECT_THAT(world.diagnosis().cause.evidence,
              ElementsAre("the registered providers there were not read"));
}

}  // namespace
}  // namespace winperf::testing
