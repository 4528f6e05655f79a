// Names and name tables: the limits of each rule.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/service/doctor/world.h"

namespace winperf::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(NameTableGap, IsATableThatEndsBeforeTheLastCounter) {
  for (const std::uint32_t last : {1'859U, 1'860U, 1'861U}) {
    World world = healthy_world();
    world.unknown().machine.perflib.last_counter = last;
    EXPECT_EQ(world.diagnosis().cause.reason == Reason::kNameTableGap, last > 1'860) << last;
  }
}

TEST(NameTableGap, IsLessThanHalfOfWindowsOwnNamesInTheLargestTable) {
  for (const std::size_t names : {460U, 461U, 462U}) {
    World world = healthy_world();
    world.unknown().machine.name_tables[0].names = names;
    const Reason expected = names < 1'847 / 4 ? Reason::kNameTableGap : Reason::kNameUnknown;
    EXPECT_EQ(world.diagnosis().cause.reason, expected) << names;
    world.machine.name_tables.push_back({.names = 900, .highest_index = 1'860});
    EXPECT_EQ(world.diagnosis().cause.reason, Reason::kNameUnknown) << "another one has them";
    std::ranges::reverse(world.machine.name_tables);
    EXPECT_EQ(world.diagnosis().cause.reason, Reason::kNameUnknown) << "whichever it is";
  }
}

TEST(NameTableGap, IsAProviderWithMoreNamelessThanNamedIndices) {
  for (const std::uint32_t nameless : {4U, 5U, 6U}) {
    World world = healthy_world();
    world.unknown().provider().named = 5;
    world.provider().nameless = nameless;
    EXPECT_EQ(world.diagnosis().cause.reason == Reason::kNameTableGap, nameless > 5) << nameless;
  }
}

TEST(NameTableGap, NamesTheProvidersThatHaveLostTheirNamesAlone) {
  World world = healthy_world();
  world.unknown();
  ProviderFacts lost = world.provider();
  lost.service = "lostsvc";
  lost.first_counter = 2'000;
  lost.last_counter = 2'010;
  lost.named = 1;
  lost.nameless = 5;
  world.machine.providers.push_back(lost);
  EXPECT_THAT(world.diagnosis().cause.evidence,
              ElementsAre(HasSubstr("English name table"),
                          "service \"lostsvc\", indices 2000 to 2010: 5 without a name"));
}

TEST(NameTableGap, OfAKnownIndexIsOneWithoutAText) {
  World world = healthy_world();
  world.object().name.clear();
  EXPECT_EQ(world.diagnosis().cause.reason, Reason::kNameTableGap);
  EXPECT_EQ(world.diagnosis().status, Severity::kWarning);
  world.absent();
  EXPECT_EQ(world.diagnosis().cause.reason, Reason::kProviderFailed) << "it has its text";
  world.facts.names[0].text.clear();
  EXPECT_THAT(reasons_of(world.diagnosis()),
              ElementsAre(Reason::kProviderFailed, Reason::kNameTableGap));
  world.machine.v2 = {{.name = "Things", .guid = {}, .provider = "P", .running = false}};
  EXPECT_THAT(reasons_of(world.diagnosis()), ElementsAre(Reason::kV2ProviderNotRunning))
      << "a V2 counterset has its name elsewhere";
}

TEST(NameTable, IsDamagedByCorruptPartsOnly) {
  for (const ErrorCode code : {ErrorCode::kBadNumber, ErrorCode::kNoSuchFile}) {
    World world = healthy_world();
    world.unknown().machine.name_tables[0].problems = {{{.code = code}, 1}};
    EXPECT_EQ(world.diagnosis().cause.reason,
              code == ErrorCode::kBadNumber ? Reason::kNameTableCorrupt : Reason::kNameUnknown);
  }
}

TEST(NameTable, ThatIsDamagedIsReadAgainFirstUnlessItIsRecorded) {
  World here = healthy_world(), recorded = healthy_world();
  here.unknown();
  recorded.replayed().unknown();
  for (World* const world : {&here, &recorded}) {
    world->machine.name_tables[0].problems = {{{.code = ErrorCode::kBadNumber}, 1}};
    const Finding cause = world->diagnosis().cause;
    ASSERT_EQ(cause.reason, Reason::kNameTableCorrupt);
    ASSERT_FALSE(cause.repair.empty());
    EXPECT_EQ(cause.repair[0].text.starts_with("run the doctor again: "), world == &here);
  }
}

TEST(NameTable, IsUnreadableIfNoneOfThemHasANameWhateverIsKnown) {
  World world = healthy_world();
  world.machine.name_tables.push_back({.names = 0});
  EXPECT_EQ(world.diagnosis().status, Severity::kOk);
  world.machine.name_tables[0].names = 0;
  EXPECT_EQ(world.diagnosis().cause.reason, Reason::kNameTableUnreadable);
  EXPECT_EQ(world.diagnosis().status, Severity::kWarning) << "found by its index";
  world.machine.name_tables.clear();
  EXPECT_EQ(world.diagnosis().cause.reason, Reason::kNameTableUnreadable);
}

constexpr auto make_foreign = [](World& world) {
  world.machine.name_tables[0].foreign = {
      {.index = 4, .text = "Speicher", .english = "Memory"},
      {.index = 238, .text = "Prozessor", .english = "Processor"}};
};

TEST(NameTableForeign, SaysWhatIsInTheTableAndHowItBecomesEnglishAgain) {
  World world = healthy_world();
  make_foreign(world.unknown());
  const Finding cause = world.diagnosis().cause;
  ASSERT_EQ(cause.reason, Reason::kNameTableForeign);
  EXPECT_THAT(cause.sentence, HasSubstr("is in another language"));
  EXPECT_THAT(cause.sentence, HasSubstr("none is called \"Things\""));
  EXPECT_THAT(cause.evidence,
              ::testing::Contains("index 238 is \"Prozessor\" instead of \"Processor\""));
  const auto commands = [](const Finding& finding) {
    std::string all;
    for (const RepairStep& step : finding.repair) all += step.command + '\n';
    return all;
  };
  EXPECT_THAT(commands(cause), HasSubstr("lodctr /R"));
  EXPECT_THAT(commands(cause), HasSubstr("sfc /scannow"));
  for (const RepairStep& step : cause.repair)
    EXPECT_THAT(step.text, Not(HasSubstr("install that")));
}

TEST(NameTableForeign, IsRepairedWhereItIs) {
  World recorded = healthy_world(), elsewhere = healthy_world();
  make_foreign(recorded.replayed().unknown());
  make_foreign(elsewhere.unknown());
  elsewhere.target().host = "SRV01";
  for (const RepairStep& step : recorded.diagnosis().cause.repair)
    EXPECT_THAT(step.text, ::testing::StartsWith("on the recorded machine"));
  const Finding cause = elsewhere.diagnosis().cause;
  ASSERT_EQ(cause.reason, Reason::kNameTableForeign);
  for (const RepairStep& step : cause.repair)
    EXPECT_THAT(step.text, ::testing::StartsWith("on SRV01: "));
}

TEST(NameTableForeign, HarmsWhatIsNamedByTheTableAlone) {
  const auto status = [](World& world) {
    make_foreign(world);
    return world.diagnosis().status;
  };
  World product = healthy_world(), windows = healthy_world();
  EXPECT_EQ(status(product), Severity::kWarning) << "its metrics are named in another language";
  windows.facts.names[0].indices = {ObjectIndex{238}};
  windows.object().index = ObjectIndex{238};
  EXPECT_NE(status(windows), Severity::kFailed);
  EXPECT_THAT(reasons_of(windows.diagnosis()),
              ::testing::Not(::testing::Contains(Reason::kNameTableForeign)))
      << "only a note";
}

TEST(NameUnknown, IsAnAbsenceWhereItNeedNotBeThere) {
  World world = healthy_world();
  world.unknown().request.absence = Absence::kFailureIfKnown;
  world.facts.names.front().nearest.clear();
  EXPECT_EQ(world.diagnosis().status, Severity::kAbsent);
  EXPECT_THAT(reasons_of(world.diagnosis()), ElementsAre(Reason::kNameUnknown));
  world.facts.names.front().nearest = "Thinks";
  EXPECT_EQ(world.diagnosis().status, Severity::kFailed) << "that was probably meant";
  world.facts.names.front().nearest.clear();
  world.request.absence = Absence::kFailure;
  EXPECT_EQ(world.diagnosis().status, Severity::kFailed) << "somebody named it";
}

TEST(NameUnknown, NamesEveryNameThatWasTried) {
  World world = healthy_world();
  world.unknown();
  world.facts.names.push_back({});
  world.facts.names.back().name = "Stuff";
  world.facts.names.push_back({});
  world.facts.names.back().name = "Bits";
  EXPECT_EQ(world.diagnosis().cause.sentence,
            "no counterset on this machine is called \"Things\", \"Stuff\" or \"Bits\"");
  EXPECT_THAT(world.diagnosis().cause.evidence,
              ElementsAre("English name table, source 1: 900 names, the last with index 1860"));
}

TEST(Replaced, SaysHowToSeeWhatThereIsInstead) {
  World world = healthy_world();
  world.absent().facts.names[0].replacement = "Things V2";
  const Finding cause = world.diagnosis().cause;
  ASSERT_EQ(cause.reason, Reason::kReplaced);
  EXPECT_EQ(cause.repair.back().command, "winperf_exporter list \"Things V2\"");
}

}  // namespace
}  // namespace winperf::testing
