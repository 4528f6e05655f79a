#include "collectors/sampler/sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "collectors/base/stop.h"
#include "tests/collectors/sampler/two_paths.h"

namespace winperf {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::BlockBuilder;
using ::testing::ElementsAre;
using testing::FakeSource;
using ::testing::IsEmpty;
using testing::ObjectBuilder;

Bytes block_with(std::uint32_t object, std::uint64_t value) {
  return BlockBuilder().add(ObjectBuilder(object).counter({.index = 8}).single({value})).bytes();
}

PlannedCounterset planned(std::vector<std::string> names, milliseconds interval = seconds(5)) {
  PlannedCounterset counterset;
  counterset.label = names.front();
  counterset.names = std::move(names);
  counterset.interval = interval;
  return counterset;
}

class SamplerTest : public ::testing::Test {
 protected:
  SamplerTest() {
    source_.names = {
        {8, u"Things"}, {2, u"System"}, {238, u"Processor"}, {238 + 1'000, u"processor"}};
  }

  Sampler make(std::vector<PlannedCounterset> plan) {
    return Sampler({.registry = source_}, slot_, std::move(plan),
                   {.steady_now = [this] { return now_; },
                    .wall_now = [] { return Ticks100ns{kUnixEpoch100ns}; }},
                   [this](const CountersetState& state, StateChange change) {
                     const char* const said = change == StateChange::kStale   ? " stale"
                                              : change == StateChange::kFresh ? " fresh"
                                              : state.success                 ? " ok"
                                                                              : " failed";
                     observed_.push_back(state.name + said);
                   });
  }

  const CountersetState& state(std::size_t i = 0) {
    latest_ = slot_.latest();
    return latest_->countersets.at(i);
  }

  FakeSource source_;
  SampleSlot slot_;
  std::shared_ptr<const Sample> latest_;
  std::chrono::steady_clock::time_point now_;
  std::vector<std::string> observed_;
};

TEST_F(SamplerTest, PublishesWhatIsDueAndNothingElse) {
  source_.replies["2"] = {block_with(2, 1)};
  source_.replies["238"] = {block_with(238, 1)};
  source_.replies["238 1238"] = {block_with(238, 1)};
  Sampler sampler = make({planned({"System"}, seconds(1)), planned({"Processor"}, seconds(5))});
  sampler.step({});
  EXPECT_EQ(slot_.latest()->sequence, 1u);
  EXPECT_EQ(sampler.step({}), now_ + seconds(1)) << "nothing is due";
  EXPECT_EQ(slot_.latest()->sequence, 1u);
  now_ += seconds(1);
  sampler.step({});
  EXPECT_EQ(slot_.latest()->sequence, 2u);
  EXPECT_THAT(source_.asked, ElementsAre("2", "238 1238", "2"));
}

TEST_F(SamplerTest, WhatIsAbsentIsNoFailureIfThePlanSaysSo) {
  source_.replies["2"] = {block_with(238, 1)};  // another object
  struct Row {
    Absence absence;
    bool unnamed, undelivered;  // are absent
  };
  for (const Row& row :
       {Row{Absence::kFailure, false, false}, Row{Absence::kFailureIfKnown, true, false},
        Row{Absence::kNoFailure, true, true}}) {
    observed_.clear();
    std::vector<PlannedCounterset> plan{planned({"Nothing", "No More"}, seconds(1)),
                                        planned({"System"}, seconds(1)),
                                        planned({"Things"}, seconds(1))};
    for (PlannedCounterset& one : plan) one.absence = row.absence;
    Sampler sampler = make(plan);
    for (int i = 0; i < 2; ++i) {
      sampler.step({});
      now_ += seconds(1);
    }
    EXPECT_EQ(state(0).is_absent, row.unnamed);
    EXPECT_EQ(state(1).is_absent, row.undelivered);
    EXPECT_FALSE(state(2).is_absent) << "it could not be read";
    for (const std::size_t i : {0U, 1U}) {
      EXPECT_FALSE(state(i).success);
      EXPECT_TRUE(state(i).error) << "which is why it has no values";
      EXPECT_EQ(state(i).attempts, 2U);
      EXPECT_EQ(state(i).failures, state(i).is_absent ? 0U : 2U);
    }
    std::vector<std::string> failed;
    if (!row.unnamed) failed.emplace_back("Nothing failed");
    if (!row.undelivered) failed.emplace_back("System failed");
    failed.emplace_back("Things failed");
    EXPECT_EQ(observed_, failed);
    std::set<std::string> counted;
    for (const auto latest = slot_.latest(); const ProblemCount& problem : latest->problems)
      counted.insert(problem.counterset);
    EXPECT_EQ(counted.contains("Nothing"), !row.unnamed);
    EXPECT_EQ(counted.contains("System"), !row.undelivered);
  }
}

TEST_F(SamplerTest, WhatIsAbsentIsTriedAgainAndMissedOnceItWasThere) {
  source_.replies["2"] = {block_with(238, 1), block_with(2, 1), block_with(238, 1)};
  PlannedCounterset plan = planned({"System"}, seconds(1));
  plan.absence = Absence::kNoFailure;
  Sampler sampler = make({plan});
  sampler.step({});
  EXPECT_TRUE(state().is_absent);
  now_ += seconds(1);
  sampler.step({});
  EXPECT_TRUE(state().success);
  EXPECT_FALSE(state().is_absent);
  EXPECT_THAT(observed_, IsEmpty()) << "as if it had been there from the start";
  now_ += seconds(1);
  sampler.step({});
  EXPECT_FALSE(state().is_absent);
  EXPECT_EQ(state().failures, 1U);
  EXPECT_THAT(observed_, ElementsAre("System failed"));
}

TEST_F(SamplerTest, WhatIsKnownToBeAbsentChangesWithThePlan) {
  source_.replies["2"] = {block_with(238, 1)};
  PlannedCounterset plan = planned({"System"}, seconds(1));
  plan.absence = Absence::kNoFailure;
  Sampler sampler = make({plan});
  sampler.step({});
  EXPECT_TRUE(state().is_absent);
  plan.absence = Absence::kFailureIfKnown;
  sampler.change_plan({{.planned = plan, .continues = 0}});
  now_ += seconds(1);
  sampler.step({});
  EXPECT_FALSE(state().is_absent);
  EXPECT_EQ(state().attempts, 2U);
  EXPECT_EQ(state().failures, 1U);
  EXPECT_THAT(observed_, ElementsAre("System failed"));
}

TEST_F(SamplerTest, PublishesWhichRegistrationsThereAre) {
  source_.providers = 5;
  source_.replies["2"] = {block_with(2, 1)};
  Sampler sampler = make({planned({"System"}, seconds(1))});
  sampler.step({});
  EXPECT_EQ(slot_.latest()->registrations, 5U);
  source_.providers = 6;
  now_ += seconds(1);
  sampler.step({});
  EXPECT_EQ(slot_.latest()->registrations, 6U);
}

TEST_F(SamplerTest, WithoutAnythingToSampleItPublishesThatAndWaitsForAPlan) {
  Sampler sampler = make({});
  EXPECT_GT(sampler.step({}), now_);
  ASSERT_NE(slot_.latest(), nullptr);
  EXPECT_THAT(slot_.latest()->countersets, IsEmpty());
  source_.replies["2"] = {block_with(2, 1)};
  sampler.change_plan({{.planned = planned({"System"}, seconds(1))}});
  EXPECT_EQ(sampler.step({}), now_ + seconds(1));
  EXPECT_TRUE(state().success);
}

PlannedCounterset found(const std::string& name, std::uint32_t object, milliseconds interval) {
  PlannedCounterset counterset = planned({name}, interval);
  counterset.object = ObjectIndex{object};
  counterset.is_of_everything = true;
  return counterset;
}

TEST_F(SamplerTest, EverythingIsAskedForByOneName) {
  source_.live = true;
  source_.replies["Global"] = {BlockBuilder()
                                   .add(ObjectBuilder(2).counter({.index = 8}).single({1}))
                                   .add(ObjectBuilder(8).counter({.index = 8}).single({2}))
                                   .bytes()};
  Sampler sampler = make({found("System", 2, seconds(1)), found("Things", 8, seconds(1))});
  sampler.step({});
  EXPECT_THAT(source_.asked, ElementsAre("Global")) << "in the first round, too";
  EXPECT_TRUE(state(0).success && state(1).success);
  now_ += seconds(1);
  sampler.step({});
  EXPECT_THAT(source_.asked, ElementsAre("Global", "Global"));
}

// Otherwise a thousand objects that go at once would be a thousand messages.
TEST_F(SamplerTest, WhatDiscoveryHasFoundIsNotToldToBeAbsent) {
  source_.live = true;
  source_.replies["2"] = {block_with(2, 1), block_with(9, 1), block_with(9, 1),
                          std::unexpected(Error{.code = ErrorCode::kTimedOut})};
  Sampler sampler = make({found("System", 2, seconds(1))});
  for (int i = 0; i < 2; ++i) {
    sampler.step({});
    now_ += seconds(1);
  }
  EXPECT_EQ(state().error->code, ErrorCode::kNoSuchObject);
  EXPECT_THAT(observed_, IsEmpty());
  sampler.step({});
  now_ += seconds(1);
  sampler.step({});
  EXPECT_THAT(observed_, ElementsAre("System failed")) << "another reason is";
}

// The system then doesn't translate V2 data, which is read via PerfLib.
TEST_F(SamplerTest, WithPerfLibEverythingIsWhatV1ProvidersHave) {
  source_.live = true;
  for (const char* name : {"Global", "OLD_Global"})
    source_.replies[name] = {BlockBuilder()
                                 .add(ObjectBuilder(2).counter({.index = 8}).single({1}))
                                 .add(ObjectBuilder(8).counter({.index = 8}).single({2}))
                                 .bytes()};
  testing::FakePerflib perflib;
  std::vector<PlannedCounterset> plan{found("System", 2, seconds(1)),
                                      found("Things", 8, seconds(1))};
  const auto asked = [&] {
    source_.asked.clear();
    Sampler sampler(
        {.registry = source_, .perflib = &perflib.source}, slot_, plan,
        {.steady_now = [this] { return now_; }, .wall_now = [] { return Ticks100ns{}; }}, {});
    sampler.step({});
    return source_.asked;
  };
  EXPECT_THAT(asked(), ElementsAre("OLD_Global"));
  for (PlannedCounterset& planned : plan) planned.path = CounterPath::kRegistry;
  EXPECT_THAT(asked(), ElementsAre("Global")) << "V2 countersets may be among them";
}

TEST_F(SamplerTest, APartOfEverythingIsAskedForByAList) {
  source_.live = true;
  const Bytes both = BlockBuilder()
                         .add(ObjectBuilder(2).counter({.index = 8}).single({1}))
                         .add(ObjectBuilder(8).counter({.index = 8}).single({2}))
                         .bytes();
  source_.replies["2 8"] = {both};
  source_.replies["238"] = {block_with(238, 1)};
  source_.names = {{8, u"Things"}, {2, u"System"}, {238, u"Processor"}};
  Sampler sampler = make({found("System", 2, seconds(1)), found("Things", 8, seconds(1)),
                          found("Processor", 238, seconds(5))});
  source_.replies["Global"] = {both};
  sampler.step({});
  EXPECT_THAT(source_.asked, ElementsAre("Global", "238")) << "it wasn't in the reply";
  now_ += seconds(1);
  source_.asked.clear();
  sampler.step({});
  EXPECT_THAT(source_.asked, ElementsAre("Global")) << "what isn't shared doesn't count";
  Sampler other = make({found("System", 2, seconds(1)), found("Things", 8, seconds(1)),
                        found("Processor", 238, seconds(5))});
  source_.replies["Global"] = {BlockBuilder()
                                   .add(ObjectBuilder(2).counter({.index = 8}).single({1}))
                                   .add(ObjectBuilder(8).counter({.index = 8}).single({2}))
                                   .add(ObjectBuilder(238).counter({.index = 8}).single({3}))
                                   .bytes()};
  other.step({});
  now_ += seconds(1);
  source_.asked.clear();
  other.step({});
  EXPECT_THAT(source_.asked, ElementsAre("2 8")) << "one of them isn't due";
}

TEST_F(SamplerTest, AsksEveryMachineOfARecording) {
  FakeSource other;
  other.names = {{7, u"System"}};
  other.named = "TWO";
  source_.named = "ONE";
  source_.replies["2"] = {block_with(2, 1)};
  other.replies["7"] = {block_with(7, 5)};
  Sampler sampler({.registry = source_, .other_machines = {&other}}, slot_,
                  {planned({"System"}, seconds(1)), planned({"Processor"}, seconds(5))},
                  {.steady_now = [this] { return now_; }, .wall_now = [] { return Ticks100ns{}; }},
                  {});
  sampler.step({});
  const auto first = slot_.latest();
  ASSERT_EQ(first->countersets.size(), 4U);
  const auto told = [](const CountersetState& state) {
    return state.name + " on " + state.machine + (state.success ? " ok" : " failed");
  };
  EXPECT_EQ(told(first->countersets[0]), "System on ONE ok");
  EXPECT_EQ(told(first->countersets[1]), "System on TWO ok");
  EXPECT_EQ(first->countersets[1].sample->raw[0], 5U);
  EXPECT_EQ(first->countersets[1].sample->schema->machine, "TWO");
  EXPECT_EQ(told(first->countersets[3]), "Processor on TWO failed");
  EXPECT_EQ(first->countersets[3].error->code, ErrorCode::kNoSuchName);

  // The second counterset goes, the first one goes on at both machines.
  PlanStep step{.planned = planned({"System"}, seconds(9)), .continues = 0};
  sampler.change_plan({step});
  EXPECT_EQ(sampler.step({}), now_ + seconds(1));
  const auto second = slot_.latest();
  ASSERT_EQ(second->countersets.size(), 2U);
  EXPECT_EQ(told(second->countersets[1]), "System on TWO ok");
  EXPECT_EQ(second->countersets[1].attempts, 1U);
  sampler.release();
  EXPECT_EQ(other.releases, 1);
}

TEST_F(SamplerTest, ANameThatNothingHasIsAnsweredWithTheNearest) {
  source_.replies["2"] = {block_with(2, 1)};
  Sampler sampler = make({planned({"Sytem"}), planned({"Procesor", "Other"}), planned({"System"}),
                          planned({"Processor"}), planned({"Nothing of the kind"})});
  sampler.step({});
  EXPECT_EQ(state(0).nearest, "System");
  EXPECT_EQ(describe_failure(state(0)),
            "counterset is not in the name table; did you mean \"System\"?");
  EXPECT_EQ(state(1).nearest, "Processor");
  EXPECT_EQ(state(2).nearest, "");
  EXPECT_EQ(state(3).nearest, "") << "it is known, but not delivered";
  EXPECT_EQ(state(4).nearest, "");
  EXPECT_EQ(describe_failure(state(4)), "counterset is not in the name table");
}

TEST_F(SamplerTest, OfSeveralIndicesWithOneNameTheDeliveredOneIsMeant) {
  source_.replies["238 1238"] = {block_with(1238, 5)};
  source_.replies["1238"] = {block_with(1238, 6)};
  Sampler sampler = make({planned({"Processor"})});
  sampler.step({});
  EXPECT_EQ(state().sample->raw[0], 5u);
  now_ += seconds(5);
  sampler.step({});
  EXPECT_EQ(source_.asked.back(), "1238") << "once known, only that one is asked for";
  EXPECT_EQ(state().sample->raw[0], 6u);
}

TEST_F(SamplerTest, TakesTheFirstAlternativeThatIsDelivered) {
  source_.replies["238 1238"] = {BlockBuilder().bytes()};
  source_.replies["2"] = {block_with(2, 1)};
  Sampler sampler = make({planned({"Nowhere", "Processor", "System"})});
  sampler.step({});
  EXPECT_TRUE(state().success);
  EXPECT_EQ(state().sample->schema->name, "System");
}

TEST_F(SamplerTest, TakesATitleIndexForAName) {
  source_.replies["2"] = {block_with(2, 1)};
  Sampler sampler = make({planned({"2"})});
  sampler.step({});
  EXPECT_TRUE(state().success);
}

TEST_F(SamplerTest, AFailureKeepsTheLastGoodSampleAndItsReason) {
  source_.replies["2"] = {block_with(2, 1),
                          std::unexpected(Error{.code = ErrorCode::kTimedOut, .where = "query"}),
                          block_with(2, 3)};
  Sampler sampler = make({planned({"System"})});
  sampler.step({});
  now_ += seconds(5);
  sampler.step({});
  EXPECT_FALSE(state().success);
  EXPECT_EQ(state().error->code, ErrorCode::kTimedOut);
  EXPECT_EQ(state().sample->raw[0], 1u);
  EXPECT_EQ(state().failures, 1u);
  ASSERT_EQ(latest_->problems.size(), 1u);
  EXPECT_EQ(latest_->problems[0].code, ErrorCode::kTimedOut);
  now_ += seconds(5);
  sampler.step({});
  EXPECT_TRUE(state().success);
  EXPECT_THAT(observed_, ElementsAre("System failed", "System ok"));
}

// The series have ended by then, and whoever reads the log learns when.
TEST_F(SamplerTest, TellsOnceThatASampleIsTooOld) {
  const auto well = [this] { source_.replies["2"] = {block_with(2, 1)}; };
  well();
  auto system = planned({"System"});
  system.stale_after = seconds(12);
  Sampler sampler = make({system});
  sampler.step({});
  EXPECT_EQ(state().sampled_at.steady, now_);
  EXPECT_EQ(state().stale_after, seconds(12));
  source_.replies["2"] = {Bytes(200)};
  for (int i = 0; i < 5; ++i) {
    now_ += seconds(5);
    sampler.step({});
    EXPECT_EQ(observed_.size(), i < 2 ? 1U : 2U) << i;
  }
  well();
  now_ += seconds(5);
  sampler.step({});
  source_.replies["2"] = {Bytes(200)};
  now_ += seconds(15);
  sampler.step({});
  EXPECT_THAT(observed_, ElementsAre("System failed", "System stale", "System ok", "System failed",
                                     "System stale"));
}

// The pages have noticed meanwhile that there was nothing new.
TEST_F(SamplerTest, TellsOfASampleThatWasTooOldUntilTheNextOneCame) {
  source_.replies["2"] = {block_with(2, 1)};
  Sampler sampler = make({planned({"System"})});
  sampler.step({});
  now_ += milliseconds(12'500);
  sampler.step({});
  EXPECT_THAT(observed_, IsEmpty());
  now_ += milliseconds(12'501);
  sampler.step({});
  EXPECT_THAT(observed_, ElementsAre("System stale", "System fresh"));
  now_ += seconds(5);
  sampler.step({});
  EXPECT_EQ(observed_.size(), 2U);
}

TEST_F(SamplerTest, OneBadCountersetCostsItselfAlone) {
  source_.replies["2"] = {Bytes(200)};
  source_.replies["238 1238"] = {block_with(238, 9)};
  Sampler sampler = make({planned({"System"}), planned({"Processor"}), planned({"Unheard of"})});
  sampler.step({});
  EXPECT_EQ(state(0).error->code, ErrorCode::kBadSignature);
  EXPECT_TRUE(state(1).success);
  EXPECT_EQ(state(2).error->code, ErrorCode::kNoSuchName);
}

Bytes blocks_with(std::vector<std::uint32_t> objects) {
  BlockBuilder block;
  for (const std::uint32_t object : objects)
    block.add(ObjectBuilder(object).counter({.index = 8}).single({object}));
  return block.bytes();
}

// The system is asked once for what is due together and was well the last time.
class SharingSamplerTest : public SamplerTest {
 protected:
  SharingSamplerTest() {
    source_.live = true;
    for (const std::uint32_t object : {2U, 8U, 238U})
      source_.replies[std::to_string(object)] = {block_with(object, object)};
    source_.replies["238 1238"] = {block_with(238, 238)};
    source_.replies["2 8"] = {blocks_with({2, 8})};
  }
  std::vector<std::string> asked_in_a_step(Sampler& sampler) {
    source_.asked.clear();
    sampler.step({});
    return source_.asked;
  }
};

TEST_F(SharingSamplerTest, AsksOnceForWhatIsDueTogether) {
  Sampler sampler = make({planned({"System"}, seconds(1)), planned({"Things"}, seconds(1)),
                          planned({"Processor"}, seconds(3))});
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2", "8", "238 1238")) << "to get to know them";
  now_ += seconds(1);
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2 8"));
  EXPECT_EQ(state(0).sample->raw[0], 2U);
  EXPECT_EQ(state(1).sample->raw[0], 8U);
  EXPECT_EQ(state(1).attempts, 2U);
  now_ += seconds(2);
  source_.replies["2 8 238"] = {blocks_with({2, 8, 238})};
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2 8 238"));
  EXPECT_EQ(state(2).sample->raw[0], 238U);
}

TEST_F(SharingSamplerTest, TheTimeOfTheCommonQueryIsThatOfEach) {
  Sampler sampler({.registry = source_}, slot_,
                  {planned({"System"}, seconds(1)), planned({"Things"}, seconds(1))},
                  {.steady_now = [this] { return now_ += milliseconds(10); },
                   .wall_now = [] { return Ticks100ns{}; }},
                  {});
  sampler.step({});
  const double alone = state(0).duration_seconds;
  now_ += seconds(1);
  sampler.step({});
  EXPECT_DOUBLE_EQ(state(0).duration_seconds, alone + 0.01);
  EXPECT_DOUBLE_EQ(state(1).duration_seconds, alone + 0.01);
}

TEST_F(SharingSamplerTest, WhatFailedIsAskedAloneUntilItIsWellAgain) {
  Sampler sampler = make({planned({"System"}, seconds(1)), planned({"Things"}, seconds(1)),
                          planned({"Processor"}, seconds(1))});
  source_.replies["238 1238"] = {std::unexpected(Error{.code = ErrorCode::kBusy, .where = "query"}),
                                 block_with(238, 238)};
  sampler.step({});
  EXPECT_FALSE(state(2).success);
  now_ += seconds(1);
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2 8", "238 1238"));
  EXPECT_TRUE(state(2).success);
  source_.replies["2 8 238"] = {blocks_with({2, 8, 238})};
  now_ += seconds(1);
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2 8 238"));
}

TEST_F(SharingSamplerTest, IfTheCommonQueryFailsEachIsAskedAlone) {
  Sampler sampler = make({planned({"System"}, seconds(1)), planned({"Things"}, seconds(1))});
  sampler.step({});
  source_.replies["2 8"] = {std::unexpected(Error{.code = ErrorCode::kBufferLimit, .where = "q"})};
  now_ += seconds(1);
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2 8", "2", "8"));
  EXPECT_TRUE(state(0).success);
  EXPECT_TRUE(state(1).success);
  ASSERT_EQ(latest_->problems.size(), 1U);
  EXPECT_EQ(latest_->problems[0].counterset, "");
  EXPECT_EQ(latest_->problems[0].code, ErrorCode::kBufferLimit);
  now_ += seconds(1);
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2", "8")) << "for a while";
}

// The corrupt part is of another object, which comes with the one that was asked for.
TEST_F(SharingSamplerTest, WhatComesWithACorruptPartIsAskedAlone) {
  Sampler sampler = make({planned({"System"}, seconds(1)), planned({"Things"}, seconds(1)),
                          planned({"Processor"}, seconds(1))});
  const auto built = BlockBuilder()
                         .add(ObjectBuilder(238).counter({.index = 8}).single({238}))
                         .add(ObjectBuilder(7).counter({.index = 8}).single({7}))
                         .build();
  source_.replies["238 1238"] = {built.with(built.objects[1].offset, 0)};
  source_.replies["238"] = source_.replies["238 1238"];
  sampler.step({});
  EXPECT_TRUE(state(2).success);
  now_ += seconds(1);
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2 8", "238"));
}

TEST_F(SharingSamplerTest, WhatIsSharedWasSampledWhenTheQueryWasOver) {
  std::int64_t wall = 100;
  Sampler sampler(
      {.registry = source_}, slot_,
      {planned({"System"}, seconds(1)), planned({"Things"}, seconds(1))},
      {.steady_now = [this] { return now_; }, .wall_now = [&wall] { return Ticks100ns{wall++}; }},
      {});
  sampler.step({});
  EXPECT_NE(state(0).sampled_at, state(1).sampled_at);
  now_ += seconds(1);
  sampler.step({});
  EXPECT_EQ(state(0).sampled_at, state(1).sampled_at);
}

TEST_F(SharingSamplerTest, EachMachineIsAskedForItsOwnObjects) {
  FakeSource other;
  other.live = true;
  other.names = {{7, u"System"}, {8, u"Open"}, {9, u"Things"}};
  other.replies["7"] = {block_with(7, 7)};
  other.replies["9"] = {block_with(9, 9)};
  other.replies["7 9"] = {blocks_with({7, 9})};
  Sampler sampler({.registry = source_, .other_machines = {&other}}, slot_,
                  {planned({"System"}, seconds(1)), planned({"Things"}, seconds(1))},
                  {.steady_now = [this] { return now_; }, .wall_now = [] { return Ticks100ns{}; }},
                  {});
  sampler.step({});
  now_ += seconds(1);
  other.asked.clear();
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2 8"));
  EXPECT_THAT(other.asked, ElementsAre("7 9"));
}

TEST_F(SharingSamplerTest, ARecordingIsAskedForEach) {
  source_.live = false;
  Sampler sampler = make({planned({"System"}, seconds(1)), planned({"Things"}, seconds(1))});
  sampler.step({});
  now_ += seconds(1);
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2", "8"));
}

TEST_F(SharingSamplerTest, WhatIsNamedTwiceIsAskedForOnce) {
  PlannedCounterset other = planned({"System"}, seconds(1));
  other.label = "other";
  Sampler sampler = make({planned({"System"}, seconds(1)), other, planned({"Things"}, seconds(1))});
  sampler.step({});
  now_ += seconds(1);
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2 8"));
  EXPECT_EQ(state(1).sample->raw[0], 2U);
}

TEST_F(SamplerTest, SkipsAndCountsTicksThatComeTooLate) {
  source_.replies["2"] = {block_with(2, 1)};
  Sampler sampler = make({planned({"System"}, seconds(5))});
  sampler.step({});
  now_ += seconds(23);
  EXPECT_EQ(sampler.step({}), now_ + seconds(2)) << "the raster of ticks stays";
  EXPECT_EQ(state().skipped_ticks, 3u);
  EXPECT_FALSE(state().late_seconds) << "of a recording";
}

TEST_F(SamplerTest, TellsHowLateASampleIs) {
  source_.live = true;
  source_.replies["2"] = {block_with(2, 1), block_with(2, 2)};
  Sampler sampler = make({planned({"System"}, seconds(5))});
  sampler.step({});
  EXPECT_EQ(state().late_seconds, 0);
  now_ += milliseconds(6'250);
  sampler.step({});
  EXPECT_EQ(state().late_seconds, 1.25);
  source_.replies.clear();
  now_ += seconds(8);
  sampler.step({});
  EXPECT_FALSE(state().success);
  EXPECT_EQ(state().late_seconds, 1.25) << "of the current sample";
}

TEST_F(SamplerTest, ReloadsTheCatalogWhenProvidersChange) {
  source_.replies["2"] = {block_with(2, 1)};
  source_.replies["300"] = {block_with(300, 4)};
  Sampler sampler = make({planned({"New One"})});
  sampler.step({});
  EXPECT_EQ(state().error->code, ErrorCode::kNoSuchName);
  source_.names.push_back({300, u"New One"});
  source_.providers = 7;
  now_ += seconds(5);
  sampler.step({});
  EXPECT_TRUE(state().success);
  EXPECT_EQ(source_.releases, 1);
}

TEST_F(SamplerTest, AnUnknownNameReloadsTheCatalogAtMostOnceAMinute) {
  Sampler sampler = make({planned({"New One"}, seconds(1))});
  for (int second = 0; second < 130; ++second) {
    sampler.step({});
    now_ += seconds(1);
  }
  EXPECT_EQ(source_.table_loads, 3);
}

TEST_F(SamplerTest, ForgetsProvidersWhereAnObjectStaysAbsent) {
  source_.replies["2"] = {BlockBuilder().bytes()};
  Sampler sampler = make({planned({"System"})});
  sampler.step({});
  EXPECT_EQ(source_.releases, 0);
  now_ += std::chrono::minutes(5);
  sampler.step({});
  EXPECT_EQ(source_.releases, 1);
}

TEST_F(SamplerTest, ProvidersAreForgottenAtMostOnceInFiveMinutes) {
  source_.replies["2"] = {BlockBuilder().bytes()};
  Sampler sampler = make({planned({"System"}, seconds(10))});
  std::vector<int> released;
  for (int second = 0; second <= 900; second += 10) {
    const int before = source_.releases;
    sampler.step({});
    if (source_.releases != before) released.push_back(second);
    now_ += seconds(10);
  }
  EXPECT_THAT(released, ElementsAre(300, 600, 900));
}

TEST_F(SamplerTest, ProvidersAreForgottenForAnAbsentObjectOnly) {
  source_.replies["2"] = {block_with(2, 1),
                          std::unexpected(Error{.code = ErrorCode::kTimedOut, .where = "query"})};
  Sampler sampler = make({planned({"System"}), planned({"Unheard of"})});
  sampler.step({});
  now_ += std::chrono::minutes(5);
  sampler.step({});
  now_ += std::chrono::minutes(5);
  sampler.step({});
  EXPECT_EQ(state().error->code, ErrorCode::kTimedOut);
  EXPECT_EQ(source_.releases, 0) << "neither a timeout nor an unknown name";
}

TEST_F(SamplerTest, ATickThatIsDueJustNowIsMissed) {
  source_.replies["2"] = {block_with(2, 1)};
  // The clock goes on by `took` while the counterset is read.
  const auto skipped = [this](milliseconds took) {
    now_ = {};
    bool reading = false;
    Sampler sampler({.registry = source_}, slot_, {planned({"System"}, seconds(5))},
                    {.steady_now = [this] { return now_; },
                     .wall_now =
                         [&] {
                           if (std::exchange(reading, false)) now_ += took;
                           return Ticks100ns{};
                         }},
                    {});
    reading = true;
    const auto next = sampler.step({});
    return std::pair(state().skipped_ticks, next - std::chrono::steady_clock::time_point{});
  };
  using Result = std::pair<std::uint64_t, std::chrono::steady_clock::duration>;
  EXPECT_EQ(skipped(milliseconds(4'999)), Result(0, seconds(5)));
  EXPECT_EQ(skipped(milliseconds(5'000)), Result(1, seconds(10)));
  EXPECT_EQ(skipped(milliseconds(5'001)), Result(1, seconds(10)));
  EXPECT_EQ(skipped(milliseconds(10'000)), Result(2, seconds(15)));
}

TEST_F(SamplerTest, ProblemsAreCountedByCountersetAndReason) {
  source_.replies["2"] = {Bytes(200), Bytes(200), Bytes(10)};
  source_.replies["8"] = {Bytes(10), Bytes(20), Bytes(30)};
  Sampler sampler = make({planned({"Things"}), planned({"System"})});
  for (int round = 0; round < 3; ++round) {
    sampler.step({});
    now_ += seconds(5);
  }
  std::vector<std::string> counted;
  for (const auto latest = slot_.latest(); const ProblemCount& problem : latest->problems)
    counted.push_back(problem.counterset + " " + std::string(name_of(problem.code)) + " " +
                      std::to_string(problem.count));
  EXPECT_THAT(counted,
              ElementsAre("System truncated 1", "System bad_signature 2", "Things truncated 3"));
  EXPECT_EQ(slot_.latest()->problems[0].last.limit, 10u);
  EXPECT_EQ(slot_.latest()->problems[2].last.limit, 30u) << "the last one";
}

TEST_F(SamplerTest, AStopLeavesTheRestOfTheRoundAlone) {
  source_.replies["2"] = {block_with(2, 1)};
  source_.replies["8"] = {block_with(8, 1)};
  Sampler sampler = make({planned({"Things"}), planned({"System"})});
  StopSource stop;
  stop.request_stop();
  sampler.step(stop.token());
  EXPECT_THAT(source_.asked, ElementsAre());
}

TEST_F(SamplerTest, TheNextRoundIsWhenTheFirstCountersetIsDue) {
  source_.replies["2"] = {block_with(2, 1)};
  source_.replies["8"] = {block_with(8, 1)};
  Sampler sampler = make({planned({"Things"}, seconds(7)), planned({"System"}, seconds(3)),
                          planned({"Things"}, seconds(5))});
  EXPECT_EQ(sampler.step({}), now_ + seconds(3));
}

TEST_F(SamplerTest, ALongerIntervalHoldsAfterTheTickThatWasDue) {
  source_.replies["2"] = {block_with(2, 1)};
  Sampler sampler = make({planned({"System"}, seconds(5))});
  sampler.step({});
  sampler.change_plan({{.planned = planned({"System"}, seconds(60)), .continues = 0}});
  EXPECT_EQ(sampler.step({}), now_ + seconds(5));
  now_ += seconds(5);
  EXPECT_EQ(sampler.step({}), now_ + seconds(55)) << "its ticks have the same start";
}

// What the observer is told of each change from one attempt to the next.
TEST(ChangeBetween, TellsWhatIsNewToAnOperator) {
  const Error denied{.code = ErrorCode::kAccessDenied}, slow{.code = ErrorCode::kTimedOut};
  CountersetState never, works, fails, fails_otherwise;
  works.success = true;
  fails.error = denied;
  fails_otherwise.error = slow;
  for (CountersetState* const state : {&works, &fails, &fails_otherwise}) state->attempts = 1;
  CountersetState falls_back = works;
  falls_back.preferred_path_error = denied;
  struct Row {
    const CountersetState& before;
    const CountersetState& after;
    std::optional<StateChange> change;
  };
  const std::optional<StateChange> none;
  for (const Row& row :
       {Row{never, works, none}, Row{never, fails, StateChange::kFails},
        Row{never, falls_back, StateChange::kFallsBack}, Row{works, works, none},
        Row{works, fails, StateChange::kFails}, Row{works, falls_back, StateChange::kFallsBack},
        Row{fails, fails, none}, Row{fails, fails_otherwise, StateChange::kFailsOtherwise},
        Row{fails, works, StateChange::kWorks}, Row{fails, falls_back, StateChange::kFallsBack},
        Row{falls_back, falls_back, none}, Row{falls_back, works, StateChange::kPathRestored},
        Row{falls_back, fails, StateChange::kFails}})
    EXPECT_EQ(change_between(row.before, row.after), row.change);
}

TEST(DamageBetween, TellsWhatTheSamplesLack) {
  const auto state_with = [](std::optional<ErrorCode> damage) {
    auto sample = std::make_shared<CountersetSample>();
    if (damage) sample->damage = Error{.code = *damage};
    CountersetState state;
    state.sample = std::move(sample);
    return state;
  };
  const CountersetState never, whole = state_with({}), shorter = state_with(ErrorCode::kTruncated),
                               other = state_with(ErrorCode::kBadLength);
  EXPECT_EQ(damage_between(never, whole), std::nullopt);
  EXPECT_EQ(damage_between(never, shorter), StateChange::kDamaged);
  EXPECT_EQ(damage_between(whole, shorter), StateChange::kDamaged);
  EXPECT_EQ(damage_between(shorter, shorter), std::nullopt);
  EXPECT_EQ(damage_between(shorter, other), StateChange::kDamaged);
  EXPECT_EQ(damage_between(other, whole), StateChange::kWhole);
}

// Losing some instances is not failing, losing all of them is, and neither goes untold.
TEST_F(SamplerTest, InstancesThatCannotBeReadAreCountedAndTold) {
  const auto built = BlockBuilder()
                         .add(ObjectBuilder(2)
                                  .counter({.index = 8})
                                  .instance({.name = u"a", .values = {1}})
                                  .instance({.name = u"b", .values = {2}}))
                         .build();
  const auto& instances = built.objects[0].instances;
  source_.replies["2"] = {built.bytes, built.with(instances[1].offset, 0),
                          built.with(instances[0].offset, 0), built.with(instances[1].offset, 0),
                          built.bytes};
  std::vector<std::string> told;
  const auto note = [&](const CountersetState& state, StateChange change) {
    told.push_back(std::to_string(state.attempts) + (change == StateChange::kDamaged ? " damaged"
                                                     : change == StateChange::kWhole ? " whole"
                                                     : change == StateChange::kFails ? " fails"
                                                                                     : " works"));
  };
  Sampler sampler({.registry = source_}, slot_, {planned({"System"})},
                  {.steady_now = [this] { return now_; },
                   .wall_now = [] { return Ticks100ns{kUnixEpoch100ns}; }},
                  note);
  for (const std::size_t rows : {2U, 1U, 0U, 1U, 2U}) {
    sampler.step({});
    now_ += seconds(5);
    EXPECT_EQ(state().success, rows != 0);
    if (rows == 0) {
      EXPECT_EQ(state().error->code, ErrorCode::kBadLength);
      EXPECT_EQ(state().sample->rows(), 1u) << "the last good one stays";
    } else {
      EXPECT_EQ(state().sample->rows(), rows);
      EXPECT_EQ(state().sample->damage.has_value(), rows == 1);
    }
  }
  EXPECT_THAT(told, ElementsAre("2 damaged", "3 fails", "4 works", "5 whole"));
  ASSERT_EQ(latest_->problems.size(), 1u);
  EXPECT_EQ(latest_->problems[0].counterset, "System");
  EXPECT_EQ(latest_->problems[0].code, ErrorCode::kBadLength);
  EXPECT_EQ(latest_->problems[0].count, 3u);
}

TEST_F(SamplerTest, ACountersetThatStaysInThePlanGoesOn) {
  source_.replies["2"] = {block_with(2, 1), block_with(2, 5)};
  source_.replies["8"] = {block_with(8, 1)};
  Sampler sampler = make({planned({"Things"}), planned({"System"})});
  sampler.step({});
  sampler.change_plan({{.planned = planned({"System"}), .continues = 1}});
  EXPECT_EQ(slot_.latest()->countersets.size(), 2u) << "nothing is published before the next round";
  now_ += seconds(1);
  EXPECT_EQ(sampler.step({}), now_ + seconds(4)) << "when it was due before";
  ASSERT_EQ(slot_.latest()->countersets.size(), 1u);
  EXPECT_EQ(state().name, "System");
  EXPECT_EQ(state().attempts, 1u) << "it was not due";
  EXPECT_NE(state().sample, nullptr);
  now_ += seconds(4);
  sampler.step({});
  EXPECT_EQ(state().attempts, 2u);
  EXPECT_THAT(source_.asked, ElementsAre("8", "2", "2"));
}

TEST_F(SamplerTest, ANewCountersetIsSampledWithTheNextStep) {
  source_.replies["2"] = {block_with(2, 1)};
  source_.replies["8"] = {block_with(8, 1)};
  Sampler sampler = make({planned({"System"})});
  sampler.step({});
  sampler.change_plan(
      {{.planned = planned({"Things"})}, {.planned = planned({"System"}), .continues = 0}});
  now_ += seconds(1);
  sampler.step({});
  EXPECT_TRUE(state(0).success);
  EXPECT_EQ(state(0).name, "Things");
  EXPECT_EQ(state(1).attempts, 1u);
  EXPECT_EQ(slot_.latest()->sequence, 2u);
}

// One query serves both from then on, whenever the second one came.
TEST_F(SamplerTest, ANewCountersetJoinsTheTicksOfTheOthers) {
  for (const int late : {1, 2, 3, 4}) {
    source_.replies["2"] = {block_with(2, 1)};
    source_.replies["8"] = {block_with(8, 1)};
    const auto start = now_;
    Sampler sampler = make({planned({"System"})});
    sampler.step({});
    now_ = start + seconds(late);
    sampler.change_plan(
        {{.planned = planned({"System"}), .continues = 0}, {.planned = planned({"Things"})}});
    EXPECT_EQ(sampler.step({}), start + seconds(5));
    now_ = start + seconds(5);
    EXPECT_EQ(sampler.step({}), start + seconds(10));
    // Its first interval is at least half of one, and at most one and a half.
    EXPECT_EQ(state(1).attempts, late < 3 ? 2U : 1U) << late;
    now_ = start + seconds(10);
    EXPECT_EQ(sampler.step({}), start + seconds(15));
    EXPECT_EQ(state(0).attempts, 3U);
    EXPECT_EQ(state(1).attempts, late < 3 ? 3U : 2U) << late;
    EXPECT_EQ(state(1).skipped_ticks, 0U);
  }
}

// So that its series don't end for the first interval.
TEST_F(SamplerTest, WhatIsTooOldForAShorterIntervalIsSampledAtOnce) {
  source_.replies["2"] = {block_with(2, 1)};
  auto rare = planned({"System"}, seconds(60));
  rare.stale_after = seconds(150);
  Sampler sampler = make({rare});
  sampler.step({});
  now_ += seconds(13);
  sampler.change_plan({{.planned = planned({"System"}, seconds(5)), .continues = 0}});
  EXPECT_EQ(sampler.step({}), now_ + seconds(7)) << "the tick nearest to 5 s later";
  EXPECT_EQ(state().attempts, 2U);
  EXPECT_EQ(state().sampled_at.steady, now_);
  EXPECT_THAT(observed_, IsEmpty());
}

TEST_F(SamplerTest, ALongerStaleAfterHoldsAtOnceAndAShorterOneFromTheNextAttemptOn) {
  source_.replies["2"] = {block_with(2, 1)};
  Sampler sampler = make({planned({"System"})});
  sampler.step({});
  const auto change = [&](seconds stale_after) {
    auto next = planned({"System"});
    next.stale_after = stale_after;
    sampler.change_plan({{.planned = next, .continues = 0}});
    sampler.step({});
    return state().stale_after;
  };
  EXPECT_EQ(change(seconds(70)), seconds(70));
  EXPECT_EQ(change(seconds(7)), seconds(70));
  EXPECT_EQ(state().attempts, 1U);
  now_ += seconds(5);
  sampler.step({});
  EXPECT_EQ(state().stale_after, seconds(7));
}

TEST_F(SamplerTest, AShorterIntervalHoldsAtOnce) {
  source_.replies["2"] = {block_with(2, 1)};
  Sampler sampler = make({planned({"System"}, seconds(3'600))});
  sampler.step({});
  sampler.change_plan({{.planned = planned({"System"}, seconds(2)), .continues = 0}});
  EXPECT_EQ(sampler.step({}), now_ + seconds(2));
  now_ += seconds(2);
  sampler.step({});
  EXPECT_EQ(state().attempts, 2u);
}

TEST_F(SamplerTest, AllMachinesProvidersAreForgottenTogether) {
  FakeSource other;
  other.names = {{7, u"System"}};
  source_.replies["2"] = {block_with(2, 1)};
  other.replies["7"] = {BlockBuilder().bytes()};
  Sampler sampler(
      {.registry = source_, .other_machines = {&other}}, slot_, {planned({"System"}, seconds(1))},
      {.steady_now = [this] { return now_; }, .wall_now = [] { return Ticks100ns{}; }}, {});
  now_ += std::chrono::minutes(5);
  sampler.step({});
  EXPECT_EQ(source_.releases, 1);
  EXPECT_EQ(other.releases, 1);
}

// The same machine with PerfLib.
TEST(SamplerOfTwoPaths, AsksPerflibOncePerRoundAndClosesItsHandles) {
  testing::TwoPaths machine;
  auto market = machine.perflib.countersets[0];
  market.guid = {{2}};
  market.name = u"Market";
  machine.perflib.countersets.push_back(market);
  SampleSlot slot;
  Sampler sampler({.registry = machine.source, .perflib = &machine.perflib.source}, slot,
                  {planned({"Shop"}), planned({"Market"})}, machine.clocks(), {});
  for (int round = 1; round <= 3; ++round) {
    sampler.step({});
    for (const auto latest = slot.latest(); const CountersetState& state : latest->countersets)
      EXPECT_EQ(state.sample->raw.at(0), testing::kPerflibValue);
    // In the first round the second counterset joins the query after it was asked.
    EXPECT_EQ(machine.perflib.asked, round + 1);
    machine.now += seconds(5);
  }
  sampler.change_plan({{.planned = planned({"Market"}), .continues = 1}});
  sampler.step({});
  EXPECT_EQ(machine.perflib.requests().size(), 1u) << "what left the plan isn't requested";
  sampler.release();
  EXPECT_EQ(machine.perflib.closed, 1);
  EXPECT_EQ(machine.source.releases, 1);
}

TEST(SamplerOfTwoPaths, CountsProblemsWithNamesOfCountersets) {
  testing::TwoPaths machine;
  machine.perflib.registration_status = OsCode::kRpcServerUnavailable;
  SampleSlot slot;
  Sampler sampler({.registry = machine.source, .perflib = &machine.perflib.source}, slot,
                  {planned({"Bakery"})}, machine.clocks(), {});
  sampler.step({});
  const auto problem_of = [](const Sample& sample, std::string_view counterset) {
    for (const ProblemCount& problem : sample.problems)
      if (problem.counterset == counterset) return problem.count;
    return std::uint64_t{0};
  };
  EXPECT_EQ(problem_of(*slot.latest(), ""), 1u);
  machine.now += seconds(5);
  sampler.step({});
  EXPECT_EQ(problem_of(*slot.latest(), ""), 2u) << "the name was requested again";
}

TEST_F(SamplerTest, OtherSourcesBeginAnewAndTheOldOnesAreReleased) {
  source_.replies["2"] = {block_with(2, 1)};
  Sampler sampler = make({planned({"System"})});
  sampler.step({});
  FakeSource other;
  other.names = source_.names;
  other.replies["2"] = {block_with(2, 7)};
  sampler.change_sources({.registry = other}, {planned({"System"})});
  EXPECT_EQ(source_.releases, 1);
  sampler.step({});
  EXPECT_THAT(source_.asked, ElementsAre("2"));
  EXPECT_THAT(other.asked, ElementsAre("2"));
  EXPECT_EQ(slot_.latest()->sequence, 2u) << "one slot, one sequence";
  EXPECT_EQ(state().attempts, 1u);
}

}  // namespace
}  // namespace winperf
