// What is named as the cause where several things are wrong, and that there always is one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "tests/service/doctor/world.h"

namespace winperf::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Precedence, TheMoreSpecificReasonIsTheCauseAndTheOthersAreToldToo) {
  World world = healthy_world();
  world.absent();
  // From the least specific to the most.
  const std::vector<std::pair<Reason, std::function<void()>>> steps{
      {Reason::kProviderFailed, [] {}},
      {Reason::kTimedOut, [&] { world.failed(ErrorCode::kTimedOut); }},
      {Reason::kReplaced, [&] { world.facts.names[0].replacement = "Things V2"; }},
      {Reason::kNotPrivileged, [&] { world.machine.token.performance_monitor_users = false; }},
      {Reason::kAccessDenied, [&] { world.machine.perflib.access = Access::kDenied; }},
      {Reason::kProceduresNotExported, [&] { world.provider().file.exports->names.clear(); }},
      {Reason::kProceduresMissing, [&] { world.provider().collect.reset(); }},
      {Reason::kLibraryWrongBitness, [&] { world.provider().file.machine = PeMachine::kArm64; }},
      {Reason::kLibraryMissing,
       [&] { world.provider().file = {.access = Access::kAbsent, .machine = {}, .error = {}}; }},
      {Reason::kProviderDisabled, [&] { world.provider().disable_performance_counters = 4; }},
      {Reason::kAllV1Disabled, [&] { world.machine.perflib.disable_performance_counters = 1; }},
  };
  for (const auto& [reason, spoil] : steps) {
    spoil();
    EXPECT_EQ(world.diagnosis().cause.reason, reason) << name_of(reason);
  }
  EXPECT_THAT(
      reasons_of(world.diagnosis()),
      ElementsAre(Reason::kAllV1Disabled, Reason::kProviderDisabled, Reason::kLibraryMissing,
                  Reason::kProceduresMissing, Reason::kAccessDenied, Reason::kNotPrivileged,
                  Reason::kReplaced, Reason::kTimedOut));
}

TEST(Precedence, AFailureComesBeforeAMoreSpecificWarning) {
  World world = healthy_world();
  world.provider().disable_performance_counters = 1;
  world.object().matching_counters = 0;
  EXPECT_THAT(reasons_of(world.diagnosis()),
              ElementsAre(Reason::kCounterFilterMatchesNothing, Reason::kProviderDisabled));
}

TEST(Precedence, ASuggestedNameComesBeforeADamagedTable) {
  World world = healthy_world();
  world.unknown().facts.names[0].nearest = "Thing";
  world.machine.name_tables[0].problems = {{{.code = ErrorCode::kBadNumber}, 1}};
  const Diagnosis diagnosis = world.diagnosis();
  EXPECT_THAT(reasons_of(diagnosis), ElementsAre(Reason::kNameUnknown, Reason::kNameTableCorrupt));
  EXPECT_THAT(diagnosis.cause.sentence, HasSubstr("did you mean \"Thing\"?"));
}

TEST(Precedence, ATableThatEndsBeforeLastCounterHasAGap) {
  World world = healthy_world();
  world.unknown().machine.perflib.last_counter = 1'862;
  EXPECT_EQ(world.diagnosis().cause.reason, Reason::kNameTableGap);
}

TEST(Precedence, TheDeliveredAlternativeIsJudged) {
  World world = healthy_world();
  NameFacts first;
  first.name = "Things V2";
  world.facts.names.insert(world.facts.names.begin(), first);
  const Diagnosis diagnosis = world.diagnosis();
  EXPECT_EQ(diagnosis.status, Severity::kOk);
  EXPECT_EQ(diagnosis.object, "Things");
  EXPECT_EQ(diagnosis.service, "thingsvc");
}

TEST(Precedence, ATableWithoutWindowsOwnNamesHasAGap) {
  World world = healthy_world();
  world.unknown().machine.name_tables[0].names = 462;
  EXPECT_EQ(world.diagnosis().cause.reason, Reason::kNameUnknown);
  world.machine.name_tables[0].names = 400;
  const Diagnosis diagnosis = world.diagnosis();
  EXPECT_EQ(diagnosis.cause.reason, Reason::kNameTableGap);
  EXPECT_THAT(diagnosis.cause.evidence, ::testing::Contains(HasSubstr("index 1847")));
}

TEST(Precedence, AReplacementThatIsConfiguredAlreadyIsNotAdvised) {
  World world = healthy_world();
  NameFacts replacement;
  replacement.name = "things v2";
  world.absent().facts.names[0].replacement = "Things V2";
  EXPECT_EQ(world.diagnosis().cause.reason, Reason::kReplaced);
  world.facts.names.push_back(replacement);
  EXPECT_EQ(world.diagnosis().cause.reason, Reason::kProviderFailed);
}

TEST(Precedence, OfSeveralIndicesTheOneThatAProviderOwnsIsJudged) {
  World world = healthy_world();
  world.absent().facts.names[0].indices = {ObjectIndex{8}, kThings, ObjectIndex{9'000}};
  EXPECT_EQ(world.diagnosis().index, kThings);
  EXPECT_EQ(world.diagnosis().cause.reason, Reason::kProviderFailed);
}

TEST(Precedence, ACountersetWithoutAnIndexIsShownWithoutOne) {
  World world = healthy_world();
  world.facts.names[0].indices.clear();
  world.machine.v2 = {{.name = "Things", .provider = "P", .running = true}};
  world.object().index = ObjectIndex{0};
  const Diagnosis diagnosis = world.diagnosis();
  EXPECT_EQ(diagnosis.index, std::nullopt);
  EXPECT_EQ(diagnosis.cause.sentence, "\"Things\": 5 of 5 counters, 2 of 2 instances");
}

TEST(Precedence, AnObjectListOwnsMoreThanARange) {
  World world = healthy_world();
  ProviderFacts lister = world.provider();
  lister.service = "lister";
  lister.first_counter = lister.last_counter = 2;
  world.provider().object_list.reset();
  world.machine.providers.push_back(lister);
  const Diagnosis diagnosis = world.absent().diagnosis();
  EXPECT_EQ(diagnosis.service, "lister");
  EXPECT_EQ(diagnosis.cause.reason, Reason::kStaleRegistration);
}

TEST(Precedence, AnObjectListMayBeAnything) {
  World world = healthy_world();
  world.provider().first_counter.reset();
  for (const char* const list :
       {"", " ", "x", "18500", "185", "1850x", "-1850", "99999999999999"}) {
    world.provider().object_list = list;
    EXPECT_EQ(world.diagnosis().service, "") << list;
  }
  for (const char* const list : {"1850", " 1850", "2 1850 ", "x  1850 3"}) {
    world.provider().object_list = list;
    EXPECT_EQ(world.diagnosis().service, "thingsvc") << list;
  }
}

TEST(Precedence, WithAnUnreadableProviderNothingIsCalledStale) {
  World world = healthy_world();
  world.absent().provider() = {{.service = "secret", .access = Access::kDenied}};
  EXPECT_THAT(reasons_of(world.diagnosis()), ElementsAre(Reason::kNotDelivered));
}

TEST(Precedence, A32BitLibraryThatIsReadByItsHostIsANote) {
  World world = healthy_world();
  world.provider().file.machine = PeMachine::kX86;
  const Diagnosis diagnosis = world.diagnosis();
  EXPECT_EQ(diagnosis.status, Severity::kOk);
  ASSERT_EQ(diagnosis.also.size(), 1u);
  EXPECT_EQ(diagnosis.also[0].reason, Reason::kLibraryWrongBitness);
}

TEST(Precedence, AnAccountNameCanNotBreakOutOfTheRepair) {
  World world = healthy_world();
  world.failed(ErrorCode::kAccessDenied).machine.token.account = "HOST\\O'Brien";
  EXPECT_THAT(world.diagnosis().cause.repair.front().command, HasSubstr("'HOST\\O''Brien'"));
}

TEST(Precedence, FactsOfNothingAtAllHaveAReasonToo) {
  const Diagnosis diagnosis = diagnose({}, {}, {});
  EXPECT_EQ(diagnosis.status, Severity::kFailed);
  EXPECT_EQ(diagnosis.cause.reason, Reason::kNameTableUnreadable);
}

// Facts in all combinations: whatever is absent has a reason with a repair.
TEST(Precedence, EveryAbsenceHasAReason) {
  std::mt19937 random(20'240'924);
  const auto chance = [&](unsigned one_in) { return random() % one_in == 0; };
  for (int i = 0; i < 20'000; ++i) {
    World world = healthy_world();
    if (chance(2)) world.failed(static_cast<ErrorCode>(random() % kErrorCodeCount));
    if (chance(2)) world.absent().facts.trial->error.reset();
    if (chance(4)) world.facts.trial->problems = {{.code = ErrorCode::kTruncated}};
    if (chance(3)) world.replayed();
    if (chance(3)) world.machine.name_tables.clear();
    if (chance(3)) world.machine.perflib.last_counter = 5'000;
    if (chance(3)) world.machine.providers.clear();
    if (chance(3)) world.facts.names[0].replacement = "Things V2";
    if (chance(3)) world.facts.names[0].indices = {ObjectIndex{static_cast<unsigned>(random())}};
    if (chance(4)) world.machine.v2.emplace().push_back({.name = "Things"});
    if (chance(3)) world.unknown();
    const bool delivered = world.facts.trial && world.facts.trial->object;
    const Diagnosis diagnosis = world.diagnosis();
    ASSERT_EQ(diagnosis.status == Severity::kFailed, !delivered);
    if (!delivered) {
      ASSERT_THAT(diagnosis.cause.repair, ::testing::Not(IsEmpty()))
          << name_of(diagnosis.cause.reason);
    }
  }
}

}  // namespace
}  // namespace winperf::testing
