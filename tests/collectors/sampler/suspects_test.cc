// Whose query was lost, or took too long, is asked alone and last, until it is seen who it was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/sampler/sampler.h"
#include "tests/collectors/sampling/fake_source.h"
#include "tests/support/block_builder.h"

namespace winperf {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::BlockBuilder;
using ::testing::ElementsAre;
using testing::FakeSource;
using ::testing::IsEmpty;
using testing::ObjectBuilder;

constexpr Error kTimedOut{.code = ErrorCode::kTimedOut, .where = "query"};
constexpr Error kCrashed{.code = ErrorCode::kWorkerCrashed, .where = "query", .os_code = 11};

Bytes block_with(const std::vector<std::uint32_t>& objects) {
  BlockBuilder block;
  for (const std::uint32_t object : objects)
    block.add(ObjectBuilder(object).counter({.index = 8}).single({object}));
  return block.bytes();
}

// A live source whose queries take time: the clock is moved on by it.
class SlowSource final : public FakeSource {
 public:
  explicit SlowSource(std::chrono::steady_clock::time_point& now) : now_(now) { live = true; }

  std::map<std::string, milliseconds, std::less<>> takes;  // by value name
  StopSource* stop_while_asked = nullptr;

  std::expected<Reply, Error> query(std::string_view value_name, StopToken token) override {
    if (const auto found = takes.find(value_name); found != takes.end()) now_ += found->second;
    if (stop_while_asked != nullptr) stop_while_asked->request_stop();
    return FakeSource::query(value_name, std::move(token));
  }

 private:
  std::chrono::steady_clock::time_point& now_;
};

class SuspectsTest : public ::testing::Test {
 protected:
  SuspectsTest() {
    source_.names = {{2, u"System"}, {8, u"Things"}, {238, u"Processor"}};
    for (const std::uint32_t object : {2U, 8U, 238U}) answers(std::to_string(object), {object});
    answers("2 8", {2, 8});
    answers("2 8 238", {2, 8, 238});
  }

  void answers(const std::string& value_name, const std::vector<std::uint32_t>& objects) {
    source_.replies[value_name] = {block_with(objects)};
    source_.takes.erase(value_name);
  }
  void fails(const std::string& value_name, const Error& error, milliseconds after) {
    source_.replies[value_name] = {std::unexpected(error)};
    source_.takes[value_name] = after;
  }

  // The countersets, of these intervals.
  Sampler make(milliseconds system = seconds(10), milliseconds things = seconds(10),
               milliseconds processor = seconds(10)) {
    std::vector<PlannedCounterset> plan;
    for (const auto& [name, interval] : {std::pair("System", system), std::pair("Things", things),
                                         std::pair("Processor", processor)})
      plan.push_back({.label = name, .names = {name}, .interval = interval});
    return Sampler({.registry = source_}, slot_, std::move(plan),
                   {.steady_now = [this] { return now_; },
                    .wall_now = [] { return Ticks100ns{kUnixEpoch100ns}; }},
                   [this](const CountersetState& state, StateChange change) {
                     if (change == StateChange::kStale || change == StateChange::kFresh) return;
                     observed_.push_back(state.name + (state.success ? " ok" : " failed"));
                   });
  }

  // What one step asks for.
  std::vector<std::string> asked_in_a_step(Sampler& sampler, const StopToken& stop = {}) {
    source_.asked.clear();
    sampler.step(stop);
    return source_.asked;
  }
  // A step in which each is asked alone, so that the next query is a shared one.
  void get_to_know(Sampler& sampler) {
    ASSERT_THAT(asked_in_a_step(sampler), ElementsAre("2", "8", "238"));
    now_ += seconds(10);
  }
  // "Processor" is one, 7.5 s before all of them are due.
  void make_suspect(Sampler& sampler) {
    get_to_know(sampler);
    fails("2 8 238", kTimedOut, seconds(2));
    fails("238", kTimedOut, milliseconds(500));
    for (int step = 0; step < 4; ++step) sampler.step({});
  }
  // What is published: "System ok 2, Things timed_out 2", with the attempts.
  std::vector<std::string> published() {
    std::vector<std::string> all;
    for (const auto latest = slot_.latest(); const CountersetState& state : latest->countersets)
      all.push_back(state.name + ' ' +
                    (state.error ? std::string(name_of(state.error->code)) : "ok") + ' ' +
                    std::to_string(state.attempts));
    return all;
  }

  std::chrono::steady_clock::time_point now_;
  SlowSource source_{now_};
  SampleSlot slot_;
  std::vector<std::string> observed_;
};

TEST_F(SuspectsTest, ASharedQueryThatTakesTooLongFailsAllThatSharedItAtOnce) {
  Sampler sampler = make();
  get_to_know(sampler);
  fails("2 8 238", kTimedOut, seconds(2));
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2 8 238")) << "nothing else in this round";
  EXPECT_THAT(published(),
              ElementsAre("System timed_out 2", "Things timed_out 2", "Processor timed_out 2"));
  const auto sample = slot_.latest();
  EXPECT_EQ(sample->sequence, 2U);
  for (const CountersetState& state : sample->countersets) {
    EXPECT_FALSE(state.success);
    EXPECT_EQ(state.failures, 1U);
    EXPECT_EQ(state.error, kTimedOut);
    EXPECT_DOUBLE_EQ(state.duration_seconds, 2.0);
    EXPECT_NE(state.sample, nullptr) << "the last good one stays";
  }
  EXPECT_THAT(observed_, IsEmpty()) << "it isn't known yet who it was";
  ASSERT_EQ(sample->problems.size(), 1U);
  EXPECT_EQ(sample->problems[0].counterset, "");
  EXPECT_EQ(sample->problems[0].code, ErrorCode::kTimedOut);
  EXPECT_EQ(sample->problems[0].count, 1U);
}

TEST_F(SuspectsTest, AfterwardsEachIsAskedAloneAtOnceAndOnlyTheOneThatFailsIsTold) {
  Sampler sampler = make();
  get_to_know(sampler);
  fails("2 8 238", kTimedOut, seconds(2));
  fails("8", kTimedOut, seconds(2));
  sampler.step({});
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2"));
  EXPECT_THAT(published(),
              ElementsAre("System ok 3", "Things timed_out 2", "Processor timed_out 2"));
  EXPECT_THAT(observed_, IsEmpty()) << "what worked before and works now is no news";
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("8"));
  EXPECT_THAT(published(),
              ElementsAre("System ok 3", "Things timed_out 3", "Processor timed_out 2"));
  EXPECT_THAT(observed_, ElementsAre("Things failed"));
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("238"));
  EXPECT_THAT(published(), ElementsAre("System ok 3", "Things timed_out 3", "Processor ok 3"));
  EXPECT_THAT(asked_in_a_step(sampler), IsEmpty()) << "all have had their turn";

  answers("8", {8});
  now_ += seconds(10);
  answers("2 238", {2, 238});
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2 238")) << "those that are trusted";
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("8"));
  EXPECT_THAT(observed_, ElementsAre("Things failed", "Things ok"));
}

TEST_F(SuspectsTest, TheStepIsDueAtOnceWhileOneOfThemHasNotBeenAsked) {
  Sampler sampler = make();
  get_to_know(sampler);
  const auto due = now_;
  fails("2 8 238", kTimedOut, seconds(2));
  EXPECT_EQ(sampler.step({}), due);
  EXPECT_EQ(sampler.step({}), due);
  EXPECT_EQ(sampler.step({}), due);
  EXPECT_EQ(sampler.step({}), due + seconds(10));
}

TEST_F(SuspectsTest, TheOneThatStillFailsIsNotTrustedUntilItAnswers) {
  Sampler sampler = make();
  make_suspect(sampler);
  for (int round = 0; round < 3; ++round) {
    now_ += seconds(10);
    EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2 8"));
    EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("238"));
    EXPECT_THAT(asked_in_a_step(sampler), IsEmpty());
  }
  EXPECT_THAT(observed_, ElementsAre("Processor failed")) << "once";
  answers("238", {238});
  now_ += seconds(10);
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2 8"));
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("238"));
  EXPECT_THAT(observed_, ElementsAre("Processor failed", "Processor ok"));
  answers("2 8 238", {2, 8, 238});
  now_ += seconds(20);
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2 8 238")) << "as before";
}

TEST_F(SuspectsTest, WaitLessThanTenSecondsForARoundOfTheirOwn) {
  Sampler sampler = make();
  make_suspect(sampler);
  now_ += milliseconds(17'499);  // due for 9,999 ms
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2 8"));
}

TEST_F(SuspectsTest, AfterTenSecondsAreAskedInTheRoundOfTheOthers) {
  Sampler sampler = make();
  make_suspect(sampler);
  now_ += milliseconds(17'500);
  const std::uint64_t published = slot_.latest()->sequence;
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2 8", "238"));
  EXPECT_EQ(slot_.latest()->sequence, published + 2) << "the others are published before it";
}

TEST_F(SuspectsTest, OfSeveralSuspectsTheOneThatWaitsLongestIsFirst) {
  // At 12 s, System has been due for 2 s, Things for none, and Processor for 4 s.
  Sampler sampler = make(seconds(5), seconds(6), seconds(4));
  for (const char* const name : {"2", "8", "238"}) fails(name, kCrashed, {});
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2", "8", "238")) << "none is suspect yet";
  now_ += seconds(12);
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("238"));
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2"));
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("8"));
  EXPECT_THAT(asked_in_a_step(sampler), IsEmpty());
}

TEST_F(SuspectsTest, TheyAreAskedOnlyWhenNoTrustedOneIsDue) {
  Sampler sampler = make(seconds(1), seconds(1), seconds(1));
  fails("238", kCrashed, {});
  sampler.step({});
  for (int round = 0; round < 2; ++round) {
    now_ += seconds(1);
    EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2 8"));
    EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("238"));
  }
  EXPECT_THAT(published(), ElementsAre("System ok 3", "Things ok 3", "Processor worker_crashed 3"));
  EXPECT_THAT(observed_, ElementsAre("Processor failed"));
}

TEST_F(SuspectsTest, EveryLostQueryMakesASuspectAndOtherFailuresDoNot) {
  for (std::size_t i = 0; i < kErrorCodeCount; ++i) {
    const auto code = static_cast<ErrorCode>(i);
    if (code == ErrorCode::kCancelled) continue;  // a stop, after which nobody is asked
    now_ = {};
    fails("238", {.code = code, .where = "query"}, {});
    Sampler sampler = make();
    sampler.step({});
    now_ += seconds(10);
    const auto asked = asked_in_a_step(sampler);
    const auto next = asked_in_a_step(sampler);
    const bool is_suspect = next == std::vector<std::string>{"238"};
    EXPECT_EQ(is_suspect, is_lost(code)) << name_of(code);
    EXPECT_EQ(asked.size() + next.size(), 2U) << name_of(code);
  }
}

TEST_F(SuspectsTest, ASharedQueryThatCrashesFailsNobody) {
  Sampler sampler = make();
  get_to_know(sampler);
  fails("2 8 238", kCrashed, seconds(2));
  fails("8", kCrashed, seconds(2));
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2 8 238", "2", "8", "238"));
  EXPECT_THAT(published(), ElementsAre("System ok 2", "Things worker_crashed 2", "Processor ok 2"));
  EXPECT_THAT(observed_, ElementsAre("Things failed"));
}

TEST_F(SuspectsTest, ASharedTimeoutAtOnceFailsNobody) {
  for (const auto& [took, fails_all] :
       {std::pair(milliseconds(0), false), std::pair(milliseconds(99), false),
        std::pair(milliseconds(100), true)}) {
    now_ = {};
    answers("2 8 238", {2, 8, 238});
    Sampler sampler = make();
    get_to_know(sampler);
    fails("2 8 238", kTimedOut, took);
    const auto asked = asked_in_a_step(sampler);
    if (fails_all) {
      EXPECT_THAT(asked, ElementsAre("2 8 238")) << took.count();
    } else {
      EXPECT_THAT(asked, ElementsAre("2 8 238", "2", "8", "238")) << took.count();
      EXPECT_THAT(published(), ElementsAre("System ok 2", "Things ok 2", "Processor ok 2"));
    }
  }
  EXPECT_THAT(observed_, IsEmpty());
}

TEST_F(SuspectsTest, OnlyThoseThatSharedTheQueryFailWithIt) {
  Sampler sampler = make(seconds(1), seconds(1), seconds(10));
  ASSERT_THAT(asked_in_a_step(sampler), ElementsAre("2", "8", "238"));
  now_ += seconds(1);
  fails("2 8", kTimedOut, seconds(2));
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2 8"));
  EXPECT_THAT(published(),
              ElementsAre("System timed_out 2", "Things timed_out 2", "Processor ok 1"));
}

TEST_F(SuspectsTest, WhoSharesNoQueryIsAskedInTheNextRoundInstead) {
  Sampler sampler = make();
  fails("238", {.code = ErrorCode::kBusy, .where = "query"}, {});
  get_to_know(sampler);
  answers("238", {238});
  fails("2 8", kTimedOut, seconds(2));
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2 8"));
  EXPECT_THAT(published(),
              ElementsAre("System timed_out 2", "Things timed_out 2", "Processor busy 1"));
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("238")) << "it is trusted";
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2"));
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("8"));
}

TEST_F(SuspectsTest, ALoneQueryThatTakesTooLongEndsTheRound) {
  Sampler sampler = make();
  fails("8", kTimedOut, milliseconds(100));
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2", "8"));
  EXPECT_THAT(published(), ElementsAre("System ok 1", "Things timed_out 1", "Processor ok 0"));
  EXPECT_EQ(slot_.latest()->sequence, 1U);
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("238")) << "what was left over";
  EXPECT_EQ(slot_.latest()->sequence, 2U);
  EXPECT_THAT(asked_in_a_step(sampler), IsEmpty());
  EXPECT_THAT(observed_, ElementsAre("Things failed"));
}

TEST_F(SuspectsTest, ALoneFailureThatIsShortOrNoTimeoutDoesNot) {
  for (const auto& [error, took] :
       {std::pair(kTimedOut, milliseconds(99)), std::pair(kCrashed, milliseconds(5'000)),
        std::pair(Error{.code = ErrorCode::kBusy, .where = "query"}, milliseconds(5'000))}) {
    now_ = {};
    fails("8", error, took);
    Sampler sampler = make();
    EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2", "8", "238")) << name_of(error.code);
  }
}

TEST_F(SuspectsTest, AStopIsNoLossAndLeavesTheSuspectsAlone) {
  Sampler sampler = make();
  fails("2", kCrashed, {});
  sampler.step({});
  now_ += seconds(10);
  StopSource stop;
  source_.stop_while_asked = &stop;
  fails("8 238", {.code = ErrorCode::kCancelled, .where = "query"}, seconds(2));
  EXPECT_THAT(asked_in_a_step(sampler, stop.token()), ElementsAre("8 238"));
  EXPECT_THAT(published(), ElementsAre("System worker_crashed 1", "Things ok 1", "Processor ok 1"));
  source_.stop_while_asked = nullptr;
  answers("8 238", {8, 238});
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("8 238"));
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2"));
}

TEST_F(SuspectsTest, WhatAStopInterruptsIsNoNews) {
  Sampler sampler = make();
  StopSource stop;
  source_.stop_while_asked = &stop;
  fails("2", {.code = ErrorCode::kCancelled, .where = "query"}, seconds(2));
  EXPECT_THAT(asked_in_a_step(sampler, stop.token()), ElementsAre("2"));
  EXPECT_THAT(observed_, IsEmpty());
}

TEST_F(SuspectsTest, WhatTheObserverMissesIsKeptWhenThePlanChanges) {
  Sampler sampler = make();
  get_to_know(sampler);
  fails("2 8 238", kTimedOut, seconds(2));
  sampler.step({});
  std::vector<PlanStep> steps;
  steps.push_back({.planned = {.label = "System", .names = {"System"}, .interval = seconds(10)},
                   .continues = 0});
  sampler.change_plan(std::move(steps));
  EXPECT_THAT(asked_in_a_step(sampler), ElementsAre("2"));
  EXPECT_THAT(published(), ElementsAre("System ok 3"));
  EXPECT_THAT(observed_, IsEmpty());
}

}  // namespace
}  // namespace winperf
