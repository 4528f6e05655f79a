// An answer that nobody waits for is looked for until it is there, and costs nobody else anything.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "collectors/sampler/sampler.h"
#include "collectors/sources/value_names.h"
#include "tests/collectors/sampler/two_paths.h"
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

constexpr Error kPending{.code = ErrorCode::kPending, .where = "provider \"x\""};

// A live source that has every object but those whose answer is late, or lost.
class LateSource final : public FakeSource {
 public:
  LateSource() {
    live = true;
    names = {{2, u"System"}, {8, u"Things"}, {238, u"Processor"}};
  }

  std::map<std::uint32_t, Error> missing;

  std::expected<Reply, Error> query(std::string_view value_name, StopToken) override {
    asked.emplace_back(value_name);
    Reply reply;
    BlockBuilder block;
    std::optional<Error> last;
    const auto objects = indices_in(value_name).value();
    for (const ObjectIndex object : objects) {
      if (const auto found = missing.find(value_of(object)); found != missing.end()) {
        last = found->second;
        reply.missing.push_back({object, *last});
      } else {
        block.add(ObjectBuilder(value_of(object)).counter({.index = 8}).single({value_of(object)}));
      }
    }
    if (reply.missing.size() == objects.size()) return std::unexpected(*last);
    reply.blocks.push_back(block.bytes());
    return reply;
  }
};

class WaitingTest : public ::testing::Test {
 protected:
  Sampler make(const std::vector<std::string>& names = {"System", "Things", "Processor"},
               milliseconds interval = seconds(1)) {
    std::vector<PlannedCounterset> plan;
    for (const std::string& name : names)
      plan.push_back({.label = name, .names = {name}, .interval = interval});
    return Sampler({.registry = source_}, slot_, std::move(plan),
                   {.steady_now = [this] { return now_; },
                    .wall_now = [] { return Ticks100ns{kUnixEpoch100ns}; }},
                   [this](const CountersetState& state, StateChange) {
                     observed_.push_back(state.name + (state.success ? " ok" : " failed"));
                   });
  }
  // What one step asks for; how long it is until the next one is kept.
  std::vector<std::string> step(Sampler& sampler) {
    source_.asked.clear();
    next_ = std::chrono::duration_cast<milliseconds>(sampler.step({}) - now_);
    return source_.asked;
  }
  // All are sampled once, so that they are asked for together from now on.
  Sampler known() {
    Sampler sampler = make();
    step(sampler);
    now_ += seconds(1);
    return sampler;
  }
  CountersetState state(std::size_t index) const { return slot_.latest()->countersets.at(index); }
  std::vector<std::uint64_t> attempts() const {
    std::vector<std::uint64_t> all;
    for (const auto latest = slot_.latest(); const CountersetState& state : latest->countersets)
      all.push_back(state.attempts);
    return all;
  }

  std::chrono::steady_clock::time_point now_;
  LateSource source_;
  SampleSlot slot_;
  milliseconds next_{};
  std::vector<std::string> observed_;
};

TEST_F(WaitingTest, AnAnswerThatIsLateIsLookedForAloneAndOthersArePublished) {
  Sampler sampler = known();
  source_.missing = {{8, kPending}};
  EXPECT_THAT(step(sampler), ElementsAre("2 8 238"));
  EXPECT_EQ(next_, milliseconds(100));
  EXPECT_THAT(attempts(), ElementsAre(2, 1, 2));
  EXPECT_TRUE(state(1).success) << "its attempt isn't over";
  EXPECT_EQ(state(1).failures, 0U);

  now_ += milliseconds(100);
  const auto before = slot_.latest();
  EXPECT_THAT(step(sampler), ElementsAre("8"));
  EXPECT_EQ(next_, milliseconds(100));
  EXPECT_EQ(slot_.latest(), before) << "there is nothing to publish";

  source_.missing.clear();
  now_ += milliseconds(100);
  EXPECT_THAT(step(sampler), ElementsAre("8"));
  EXPECT_EQ(next_, milliseconds(800)) << "as if it had been in time";
  EXPECT_THAT(attempts(), ElementsAre(2, 2, 2));
  EXPECT_DOUBLE_EQ(state(1).duration_seconds, 0.2);
  EXPECT_EQ(state(1).skipped_ticks, 0U);

  now_ += milliseconds(800);
  EXPECT_THAT(step(sampler), ElementsAre("2 8 238"));
  EXPECT_DOUBLE_EQ(state(1).duration_seconds, 0);
  EXPECT_THAT(observed_, IsEmpty());
  EXPECT_THAT(slot_.latest()->problems, IsEmpty());
}

TEST_F(WaitingTest, IfAllAreLateNobodyIsAskedAlone) {
  Sampler sampler = known();
  source_.missing = {{2, kPending}, {8, kPending}, {238, kPending}};
  EXPECT_THAT(step(sampler), ElementsAre("2 8 238"));
  now_ += milliseconds(100);
  EXPECT_THAT(step(sampler), ElementsAre("2 8 238"));
  source_.missing.clear();
  now_ += milliseconds(100);
  EXPECT_THAT(step(sampler), ElementsAre("2 8 238"));
  EXPECT_THAT(attempts(), ElementsAre(2, 2, 2));
  EXPECT_THAT(slot_.latest()->problems, IsEmpty());
}

TEST_F(WaitingTest, WhatMissesItsDeadlineFailsWithTheTimeThatItTook) {
  Sampler sampler = known();
  source_.missing = {{8, kPending}};
  step(sampler);
  now_ += milliseconds(900);
  step(sampler);
  source_.missing = {{8, {.code = ErrorCode::kTimedOut, .where = "provider \"x\""}}};
  now_ += milliseconds(100);
  EXPECT_THAT(step(sampler), ElementsAre("2 8 238"));
  EXPECT_THAT(attempts(), ElementsAre(3, 2, 3));
  EXPECT_EQ(state(1).error.value().code, ErrorCode::kTimedOut);
  EXPECT_DOUBLE_EQ(state(1).duration_seconds, 1);
  EXPECT_EQ(state(1).skipped_ticks, 1U) << "the one that is due just now";
  EXPECT_THAT(observed_, ElementsAre("Things failed"));
}

TEST_F(WaitingTest, TheOneThatWasLostIsLookedForToo) {
  Sampler sampler = known();
  source_.missing = {{8, {.code = ErrorCode::kTimedOut, .where = "provider \"x\""}}};
  step(sampler);
  source_.missing = {{8, kPending}};
  now_ += milliseconds(1'000);
  EXPECT_THAT(step(sampler), ElementsAre("2 238"));
  EXPECT_THAT(step(sampler), ElementsAre("8")) << "it is a suspect, in a round of its own";
  EXPECT_EQ(next_, milliseconds(100));
  EXPECT_EQ(state(1).error.value().code, ErrorCode::kTimedOut) << "still the last outcome";
  source_.missing.clear();
  now_ += milliseconds(100);
  EXPECT_THAT(step(sampler), ElementsAre("8"));
  EXPECT_TRUE(state(1).success);
  EXPECT_THAT(observed_, ElementsAre("Things failed", "Things ok"));
}

TEST_F(WaitingTest, TheFirstSampleIsPublishedThoughNoAnswerIsThere) {
  Sampler sampler = make({"Things"});
  source_.missing = {{8, kPending}};
  step(sampler);
  ASSERT_NE(slot_.latest(), nullptr);
  EXPECT_THAT(attempts(), ElementsAre(0));
  EXPECT_FALSE(state(0).error);
}

TEST_F(WaitingTest, AStopEndsTheAttempt) {
  Sampler sampler = known();
  source_.missing = {{8, kPending}};
  step(sampler);
  source_.missing = {{8, {.code = ErrorCode::kCancelled, .where = "query"}}};
  now_ += milliseconds(100);
  step(sampler);
  EXPECT_EQ(state(1).error.value().code, ErrorCode::kCancelled);
  EXPECT_THAT(observed_, IsEmpty());
}

// What is asked of PerfLib is due with its own countersets alone.
TEST(Waiting, IsNoReasonToAskPerflib) {
  testing::TwoPaths machine;
  SampleSlot slot;
  machine.source.replies["200"] = {std::unexpected(kPending)};
  Sampler sampler({.registry = machine.source, .perflib = &machine.perflib.source}, slot,
                  {{.label = "Shop", .names = {"Shop"}, .interval = seconds(1)},
                   {.label = "Bakery", .names = {"Bakery"}, .interval = seconds(1)}},
                  machine.clocks(), {});
  sampler.step({});
  const auto asked = machine.perflib.asked;
  EXPECT_EQ(slot.latest()->countersets.at(0).attempts, 1U);
  machine.now += milliseconds(100);
  sampler.step({});
  EXPECT_EQ(machine.source.asked, (std::vector<std::string>{"200", "200"}));
  EXPECT_EQ(machine.perflib.asked, asked);
}

}  // namespace
}  // namespace winperf
