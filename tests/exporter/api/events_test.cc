#include "exporter/api/events.h"

#include <gmock/gmock.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/collectors/recorder/recorded.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf::api {
namespace {

using namespace winperf::testing;  // NOLINT: builders of this room's tests
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Json = nlohmann::json;

constexpr char kTime[] = "\\Process(*)\\% Processor Time";
constexpr char kThreads[] = "\\Process(*)\\Thread Count";

Query paths(const std::vector<std::string>& all) {
  Query query;
  for (const std::string& path : all) query.emplace("path", path);
  return query;
}

// Processes that come and go, second by second.
class EventsTest : public ::testing::Test {
 protected:
  static constexpr std::int64_t kBegin = 1'000;

  std::shared_ptr<const Sample> sampled(std::int64_t second, bool success = true) {
    CountersetState state = state_of(success ? next(second) : last_, instant_at(second), "Process");
    if (success) at_ = state.sampled_at;
    state.sampled_at = at_;
    state.success = success;
    state.attempts = 1;
    if (!success) state.error = Error{.code = ErrorCode::kTimedOut};
    auto sample = std::make_shared<Sample>();
    sample->countersets = {std::move(state)};
    recorder_.add(*sample);
    return sample;
  }

  static EventSelection opened(const std::shared_ptr<const Sample>& sample,
                               const std::vector<std::string>& all) {
    auto selection = EventSelection::open(sample, paths(all));
    EXPECT_TRUE(selection) << selection.error().detail;
    return *std::move(selection);
  }
  static std::string problem(const std::shared_ptr<const Sample>& sample,
                             const std::vector<std::string>& all) {
    const auto selection = EventSelection::open(sample, paths(all));
    return selection ? "" : selection.error().detail;
  }

  static std::shared_ptr<const CountersetSchema> schema() {
    auto schema = std::make_shared<CountersetSchema>(*schema_of(
        {{.index = 2, .type = CounterType{0x20510500}, .size = 8, .name = "% Processor Time"},
         {.index = 4, .type = kGauge, .size = 4, .name = "Thread Count"}},
        true));
    schema->name = "Process";
    return schema;
  }

  recorder::Recorder recorder_{kLargeBudget};

 private:
  std::shared_ptr<const CountersetSample> next(std::int64_t second) {
    std::vector<std::string> names{"System"};
    if (second % 7 < 4) names.push_back("worker" + std::to_string(second / 7));
    if (second % 3 == 0) names.emplace_back("svchost");
    auto raw = make_raw_sample(schema_, instances_named(names), at_second(second));
    for (std::size_t row = 0; row < names.size(); ++row) {
      raw->raw[raw->cell(row, 0)] = static_cast<std::uint64_t>(second * second) * (row + 1) * 1'000;
      raw->raw[raw->cell(row, 1)] = static_cast<std::uint64_t>(second) % 5 + row;
    }
    last_ = chain_.append(std::move(raw));
    return last_;
  }

  Chained chain_;
  std::shared_ptr<const CountersetSchema> schema_ = schema();
  std::shared_ptr<const CountersetSample> last_;
  Instant at_;
};

TEST_F(EventsTest, TheFirstEventHasTheSample_AndTheNextOnesWhatIsNew) {
  const auto first = sampled(kBegin);
  EventSelection selection = opened(first, {"\\Process(Sys*)\\Thread Count"});
  const Event event = selection.event(first);
  EXPECT_EQ(event.at, instant_at(kBegin).steady);
  EXPECT_EQ(Json::parse(event.document),
            Json::parse(R"({"values": [{"path": "\\Process(Sys*)\\Thread Count",
                "counterset": "Process", "sampled_at": "1601-01-01T00:16:40.0000000Z",
                "instances": [{"name": "System"}],
                "counters": [{"name": "Thread Count", "cooked": [0]}]}]})"));
  EXPECT_THAT(selection.event(first).document, IsEmpty()) << "nothing is new";
  EXPECT_THAT(selection.event(sampled(kBegin + 1)).document, HasSubstr("\"cooked\":[1]"));
}

TEST_F(EventsTest, InstancesThatBeginAreShown_WithTheReasonOfWhatTheyLack) {
  const auto first = sampled(1'000);
  EventSelection selection = opened(first, {kTime});
  static_cast<void>(selection.event(first));
  for (std::int64_t second = 1'001; second < 1'030; ++second) {
    const Json part = Json::parse(selection.event(sampled(second)).document)["values"][0];
    const bool has_worker = part["instances"].dump().contains("worker");
    EXPECT_EQ(has_worker, second % 7 < 4) << second;
    ASSERT_EQ(part["instances"].size(), part["counters"][0]["cooked"].size());
    if (second % 7 == 0) {
      EXPECT_EQ(part["counters"][0]["reasons"][1], "first_sample") << part;
    }
  }
}

TEST_F(EventsTest, WhatWasMissedIsWhatWasShown) {
  const auto first = sampled(kBegin);
  EventSelection selection = opened(first, {kTime, kThreads});
  static_cast<void>(selection.event(first));
  std::vector<Event> shown;
  for (std::int64_t second = kBegin + 1; second < kBegin + 200; ++second)
    shown.push_back(selection.event(sampled(second)));
  const Instant now = instant_at(kBegin + 200);
  for (const std::size_t known : {0U, 1U, 100U, 198U}) {
    const auto missed = missed_events(*recorder_.history(), selection, shown[known].at, now);
    EXPECT_EQ(missed.lost, "");
    ASSERT_THAT(missed.events, SizeIs(shown.size() - known - 1));
    for (std::size_t i = 0; i < missed.events.size(); ++i) {
      EXPECT_EQ(missed.events[i].at, shown[known + 1 + i].at);
      ASSERT_EQ(Json::parse(missed.events[i].document), Json::parse(shown[known + 1 + i].document));
    }
  }
}

TEST_F(EventsTest, OfWhatIsThinnedOut_TheClientIsTold) {
  std::shared_ptr<const Sample> sample;
  for (std::int64_t second = 0; second < 2'000; second += 5) sample = sampled(kBegin + second);
  EventSelection selection = opened(sample, {kThreads});
  const Instant now = instant_at(kBegin + 2'000);
  const auto missed =
      missed_events(*recorder_.history(), selection, instant_at(kBegin).steady, now);
  EXPECT_THAT(missed.lost, HasSubstr("one by one"));
  ASSERT_FALSE(missed.events.empty());
  EXPECT_GT(missed.events.front().at, now.steady - recorder::kAllFor);
  const auto none = missed_events(*recorder_.history(), selection, SteadyTime::max(), now);
  EXPECT_THAT(none.events, IsEmpty());
}

TEST_F(EventsTest, TooMuchIsNotSentAtOnce) {
  std::vector<std::string> names;
  for (int i = 0; i < 2'000; ++i) names.push_back("p" + std::to_string(i));
  Chained chain;
  std::shared_ptr<const Sample> sample;
  for (std::int64_t second = kBegin; second < kBegin + 20; ++second) {
    auto next = std::make_shared<Sample>();
    next->countersets = {
        state_of(chain.append(make_raw_sample(schema(), instances_named(names), at_second(second))),
                 instant_at(second), "Process")};
    recorder_.add(*next);
    sample = next;
  }
  EventSelection selection = opened(sample, {kThreads, kTime});
  const auto missed = missed_events(*recorder_.history(), selection, instant_at(kBegin).steady,
                                    instant_at(kBegin + 20));
  EXPECT_EQ(missed.lost, "too many values were missed");
}

TEST_F(EventsTest, ACountersetThatFailsIsShownOnce) {
  const auto first = sampled(kBegin);
  EventSelection selection = opened(first, {kThreads});
  static_cast<void>(selection.event(first));
  const Event failed = selection.event(sampled(kBegin + 1, false));
  EXPECT_THAT(failed.document, HasSubstr("\"error\":\""));
  EXPECT_EQ(failed.at, SteadyTime{}) << "no sample";
  EXPECT_THAT(selection.event(sampled(kBegin + 2, false)).document, IsEmpty());
  EXPECT_THAT(selection.event(sampled(kBegin + 3)).document, Not(HasSubstr("error")));
  EXPECT_THAT(selection.event(sampled(kBegin + 4, false)).document, HasSubstr("error"));
}

TEST_F(EventsTest, ACountersetThatIsGoneComesBack) {
  const auto first = sampled(kBegin);
  EventSelection selection = opened(first, {kThreads});
  static_cast<void>(selection.event(first));
  auto other = typical_sample(2);
  EXPECT_THAT(selection.event(other).document, HasSubstr("\"error\":\"is no longer sampled\""));
  EXPECT_THAT(selection.event(other).document, IsEmpty()) << "it is said once";
  auto both = std::make_shared<Sample>(*sampled(kBegin + 1));
  both->countersets.insert(both->countersets.begin(), other->countersets.begin(),
                           other->countersets.end());
  EXPECT_THAT(selection.event(both).document, HasSubstr("\"counterset\":\"Process\""));
}

TEST_F(EventsTest, WhatIsSkippedIsNotShown) {
  const auto first = sampled(kBegin);
  EventSelection selection = opened(first, {kThreads});
  selection.skip(instant_at(kBegin).steady);
  EXPECT_THAT(selection.event(first).document, IsEmpty());
  EXPECT_FALSE(selection.event(sampled(kBegin + 1)).document.empty());
}

TEST_F(EventsTest, NoEventHasTooManyValues) {
  std::vector<std::string> names;
  for (int i = 0; i < 3'000; ++i) names.push_back("p" + std::to_string(i));
  auto sample = std::make_shared<Sample>();
  Chained chain;
  sample->countersets = {
      state_of(chain.append(make_raw_sample(schema(), instances_named(names), at_second(kBegin))),
               instant_at(kBegin), "Process")};
  EventSelection selection = opened(sample, {kThreads, kTime});
  const Json parts = Json::parse(selection.event(sample).document)["values"];
  EXPECT_EQ(parts[0].count("left_out"), 0U);
  EXPECT_EQ(parts[1]["left_out"], 1'000);
  EXPECT_EQ(parts[1]["instances"].size(), kMostEventValues - 3'000);
}

TEST_F(EventsTest, WrongPathsAreRefused) {
  const auto sample = sampled(kBegin);
  EXPECT_EQ(problem(sample, {}), "the parameter path is needed");
  EXPECT_THAT(problem(sample, {"\\Proces(*)\\Thread Count"}), HasSubstr("did you mean 'Process'?"));
  EXPECT_THAT(problem(sample, {"\\Process(*)\\Thread Cuont"}), HasSubstr("'Thread Count'?"));
  EXPECT_THAT(problem(sample, {"Process"}), HasSubstr("is not a path"));
  EXPECT_EQ(problem(sample, std::vector<std::string>(50, kThreads)), "");
  EXPECT_EQ(problem(sample, {"\\Process(nobody)\\Thread Count"}), "") << "it may come";
}

}  // namespace
}  // namespace winperf::api
