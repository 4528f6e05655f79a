#include "collectors/facts/fact_keeper.h"

#include <gmock/gmock.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace winperf {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr auto kBesideSamples = FactKeeper::kBesideSamples;

// Answers what it is told to, and notes what it was asked for.
class ToldFacts final : public FactSource {
 public:
  std::expected<FactTable, Error> read(const FactRequest& request, const StopToken&) override {
    asked.emplace_back(name_of(request.topic));
    return answer(request);
  }

  bool rest_until(SteadyTime next) override {
    rests_until = next;
    return ends_a_process;
  }

  std::vector<std::string> asked;
  SteadyTime rests_until{};
  bool ends_a_process = false;
  std::function<std::expected<FactTable, Error>(const FactRequest&)> answer =
      [](const FactRequest&) { return FactTable{}; };
};

FactTable rows(std::initializer_list<const char*> names) {
  FactTable table;
  for (const char* const name : names) table.add().text("name", name);
  return table;
}

class FactKeeperTest : public ::testing::Test {
 protected:
  FactKeeper keeper(std::vector<PlannedFacts> plan) {
    return {source_, slot_, std::move(plan), [this] { return now_; },
            [this](FactTopic topic, const Error* error) {
              news_.push_back(std::string(name_of(topic)) + (error ? " fails" : " works"));
            }};
  }
  std::vector<std::string> asked() { return std::exchange(source_.asked, {}); }
  FactState state(std::size_t index = 0) { return slot_.latest()->topics.at(index); }

  SteadyTime now_{seconds(1000)};
  ToldFacts source_;
  FactSlot slot_;
  std::vector<std::string> news_;
};

PlannedFacts plan(FactTopic topic, seconds interval) {
  return {.request = {.topic = topic}, .interval = interval, .stale_after = 3 * interval};
}

TEST_F(FactKeeperTest, ReadsEachTopicInItsInterval) {
  FactKeeper facts =
      keeper({plan(FactTopic::kOs, seconds(60)), plan(FactTopic::kServices, seconds(15))});
  EXPECT_EQ(facts.step({}), now_ + seconds(15) + kBesideSamples);
  EXPECT_THAT(asked(), ElementsAre("os", "services"));
  now_ += seconds(15) + kBesideSamples;
  facts.step({});
  EXPECT_THAT(asked(), ElementsAre("services"));
  now_ += seconds(45);
  EXPECT_EQ(facts.step({}), now_ + seconds(0)) << "what was missed isn't made up for";
  EXPECT_THAT(asked(), ElementsAre("os", "services"));
}

TEST_F(FactKeeperTest, ReportsToTheSourceHowLongItRests) {
  FactKeeper facts =
      keeper({plan(FactTopic::kOs, seconds(60)), plan(FactTopic::kServices, seconds(15))});
  facts.step({});
  EXPECT_EQ(source_.rests_until, now_ + seconds(15) + kBesideSamples);
  const auto before = slot_.latest();
  facts.step({});
  EXPECT_EQ(slot_.latest(), before);
  source_.ends_a_process = true;
  facts.step({});
  EXPECT_NE(slot_.latest(), before) << "the state of its worker is another one";
}

TEST_F(FactKeeperTest, KeepsWhatWasKnownUntilItIsTooOld) {
  FactKeeper facts = keeper({plan(FactTopic::kServices, seconds(10))});
  source_.answer = [](const FactRequest&) { return rows({"a"}); };
  facts.step({});
  EXPECT_TRUE(state().success);
  source_.answer = [](const FactRequest&) {
    return std::unexpected(Error{.code = ErrorCode::kTimedOut});
  };
  now_ += seconds(10) + kBesideSamples;
  facts.step({});
  EXPECT_FALSE(state().success);
  EXPECT_EQ(state().error->code, ErrorCode::kTimedOut);
  EXPECT_TRUE(is_fresh(state(), now_));
  EXPECT_FALSE(is_fresh(state(), now_ + seconds(21)));
}

TEST_F(FactKeeperTest, TellsOnceThatATopicFailsAndThatItWorks) {
  FactKeeper facts = keeper({plan(FactTopic::kServices, seconds(10))});
  const auto next = [&](std::optional<ErrorCode> code) {
    source_.answer = [code](const FactRequest&) -> std::expected<FactTable, Error> {
      if (code) return std::unexpected(Error{.code = *code});
      return FactTable{};
    };
    facts.step({});
    now_ += seconds(10) + kBesideSamples;
    return std::exchange(news_, {});
  };
  EXPECT_THAT(next({}), IsEmpty());
  EXPECT_THAT(next(ErrorCode::kTimedOut), ElementsAre("services fails"));
  EXPECT_THAT(next(ErrorCode::kTimedOut), IsEmpty());
  EXPECT_THAT(next(ErrorCode::kAccessDenied), ElementsAre("services fails"));
  EXPECT_THAT(next({}), ElementsAre("services works"));
}

TEST_F(FactKeeperTest, OneTopicThatFails_CostsNoOther) {
  FactKeeper facts =
      keeper({plan(FactTopic::kOs, seconds(60)), plan(FactTopic::kServices, seconds(15))});
  source_.answer = [](const FactRequest& request) -> std::expected<FactTable, Error> {
    if (request.topic == FactTopic::kOs) return std::unexpected(Error{});
    return rows({"a"});
  };
  facts.step({});
  EXPECT_FALSE(state(0).success);
  ASSERT_TRUE(state(1).success);
  EXPECT_EQ(state(1).table->rows.size(), 1U);
}

TEST_F(FactKeeperTest, WhatStaysInThePlan_GoesOnWithoutAGap) {
  FactKeeper facts = keeper({plan(FactTopic::kOs, seconds(60))});
  facts.step({});
  asked();
  facts.change_plan({plan(FactTopic::kOs, seconds(60)), plan(FactTopic::kTime, seconds(60))});
  EXPECT_NE(state(0).table, nullptr);
  EXPECT_EQ(state(1).table, nullptr);
  facts.step({});
  EXPECT_THAT(asked(), ElementsAre("time"));
  facts.change_plan({plan(FactTopic::kOs, seconds(30))});
  facts.step({});
  EXPECT_THAT(asked(), ElementsAre("os")) << "its interval is another one";
}

TEST_F(FactKeeperTest, AStop_EndsReading) {
  FactKeeper facts = keeper({plan(FactTopic::kOs, seconds(60))});
  StopSource stop;
  stop.request_stop();
  facts.step(stop.token());
  EXPECT_THAT(asked(), IsEmpty());
}

TEST_F(FactKeeperTest, FiltersLookAtTheNameOfARow) {
  PlannedFacts services = plan(FactTopic::kServices, seconds(15));
  services.request.rows.include = {*Pattern::compile("a.*"), *Pattern::compile("b")};
  services.request.rows.exclude = {*Pattern::compile("ab")};
  FactKeeper facts = keeper({services});
  source_.answer = [](const FactRequest&) { return rows({"a", "ab", "b", "cb"}); };
  facts.step({});
  std::vector<std::string> names;
  for (const FactRow& row : state().table->rows) names.push_back(row.text_of("name"));
  EXPECT_THAT(names, ElementsAre("a", "b"));
}

}  // namespace
}  // namespace winperf
