// What the patterns of a configuration stand for while the program runs. The looks happen on a
// thread of their own, and find what a test says, when it says so.
#include "service/run/discovery.h"
#include "tests/exporter/support/own_series.h"

#include <gmock/gmock.h>
#include <spdlog/sinks/ostream_sink.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <functional>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace winperf {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Outcome = std::expected<Inventory, std::string>;

Config config(const std::string& text) { return parse_config(text, "test").value(); }

std::vector<std::string> labels(const Config& config) {
  std::vector<std::string> all;
  for (const CountersetConfig& entry : config.countersets) all.push_back(entry.label);
  return all;
}

Inventory machine(const std::vector<std::string>& names) {
  Inventory inventory{.supports_metadata = true, .asked = {"PerfLib", "OLD_MetadataGlobal"}};
  for (const std::string& name : names) {
    const std::size_t number = inventory.countersets.size();
    inventory.countersets.push_back({.name = name, .key = std::to_string(2 * number + 2)});
  }
  inventory.bytes = 1234;
  inventory.took = std::chrono::milliseconds(7);
  return inventory;
}

class BackgroundDiscoveryTest : public ::testing::Test {
 protected:
  ~BackgroundDiscoveryTest() override {
    keeper_.request_stop();
    EXPECT_TRUE(keeper_.ended_by(std::chrono::steady_clock::now() + std::chrono::minutes(1)));
  }

  static std::vector<Absence> absences(const Config& config) {
    std::vector<Absence> all;
    for (const CountersetConfig& entry : config.countersets) all.push_back(entry.absence);
    return all;
  }

  // The same with a look because of these registrations.
  std::optional<Config> after_registration(std::uint64_t registrations, const Outcome& outcome) {
    return after(outcome, [this, registrations] { keeper_.note_registrations(registrations); });
  }
  // What has changed with the next look.
  std::optional<Config> after(
      const Outcome& outcome, const std::function<void()>& each_time = [] {}) {
    const double before = discoveries();
    {
      const std::lock_guard lock(mutex_);
      found_.push_back(outcome);
    }
    changed_.notify_one();
    std::optional<Config> news;
    while (discoveries() == before) {
      std::this_thread::yield();
      each_time();
      news = keeper_.take_update();
    }
    return news;
  }

  Outcome next(const StopToken& stop) {
    bool is_stopped = false;  // the token has a lock of its own, under which it calls this
    const OnStop wake(stop, [&] {
      const std::lock_guard lock(mutex_);
      is_stopped = true;
      changed_.notify_one();
    });
    std::unique_lock lock(mutex_);
    ++begun_;
    changed_.wait(lock, [&] { return !found_.empty() || is_stopped; });
    if (found_.empty()) return std::unexpected("stopped");
    Outcome outcome = found_.front();
    found_.pop_front();
    return outcome;
  }
  int begun() {
    const std::lock_guard lock(mutex_);
    return begun_;
  }
  double discoveries() const { return own("discoveries_total"); }
  // Of all its series together.
  double own(const std::string& name) const {
    double sum = 0;
    for (const auto& family : testing::collected(registry_.metrics()))
      if (family.name == "winperf_exporter_" + name)
        for (const auto& metric : family.metric) sum += metric.counter.value + metric.gauge.value;
    return sum;
  }
  std::string logged() {
    std::string text = log_.str();
    std::erase(text, '\r');  // of the line ends on Windows
    log_.str("");
    return text;
  }
  Logger make_log() {
    auto lines = open_log_lines({}, {}).value();
    lines.sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(log_);
    return std::make_shared<Log>(lines, nullptr);
  }

  std::ostringstream log_;
  ExporterRegistry registry_{{}, {}};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Outcome> found_;
  int begun_ = 0;  // looks
  std::atomic<bool> pauses_ = false;
  BackgroundDiscovery keeper_{[this](const Config&, const StopToken& stop) { return next(stop); },
                              true,
                              {.steady_now = [] { return SteadyTime(); },
                               .wall_now = [] { return Ticks100ns{kUnixEpoch100ns + 50'000'000}; },
                               .pause_until =
                                   [this](SteadyTime, const StopToken& stop) {
                                     if (pauses_)
                                       system_clocks().pause_until(SteadyTime::max(), stop);
                                   }},
                              make_log(),
                              registry_};
};

TEST_F(BackgroundDiscoveryTest, WithoutCountersetsNothingHappens) {
  EXPECT_THAT(labels(keeper_.change(config("{countersets: [], facts: [os]}"))), ElementsAre());
  EXPECT_FALSE(keeper_.take_update());
  EXPECT_FALSE(keeper_.report());
  EXPECT_EQ(begun(), 0);
}

TEST_F(BackgroundDiscoveryTest, WithoutPatternsARecordingIsNotLookedAt) {
  BackgroundDiscovery keeper([](const Config&, const StopToken&) -> Outcome { std::abort(); },
                             false, system_clocks(), make_log(), registry_);
  EXPECT_EQ(*keeper.change(config("countersets: [A]")), config("countersets: [A]"));
  EXPECT_FALSE(keeper.report());
}

TEST_F(BackgroundDiscoveryTest, WithoutPatternsThereIsOneLook) {
  const Config before = keeper_.change(config("countersets: [A, B, {name: [C, D]}]"));
  EXPECT_THAT(absences(before), Each(Absence::kNoFailure)) << "nobody knows yet";
  EXPECT_FALSE(keeper_.report()->at);
  const auto after_look = after(machine({"A", "D", "X"}));
  ASSERT_TRUE(after_look);
  EXPECT_THAT(labels(*after_look), ElementsAre("A", "B", "C"));
  EXPECT_THAT(absences(*after_look),
              ElementsAre(Absence::kFailureIfKnown, Absence::kNoFailure, Absence::kFailureIfKnown));
  EXPECT_THAT(keeper_.report()->absent, ElementsAre("B"));
  EXPECT_THAT(keeper_.report()->sampled, ElementsAre("2", "4"));
  EXPECT_EQ(own("discovery_absent_countersets"), 1);
  EXPECT_THAT(
      logged(),
      HasSubstr("discovery found 3 countersets through PerfLib and OLD_MetadataGlobal in 7 ms; "
                "2 to sample; absent: B\n"));
  keeper_.note_registrations(7);
  keeper_.note_registrations(7);
  EXPECT_EQ(begun(), 1);
}

TEST_F(BackgroundDiscoveryTest, WithoutPatternsAnotherLookFollowsWhatIsRegistered) {
  keeper_.change(config("countersets: [A, B]"));
  keeper_.note_registrations(7);
  ASSERT_TRUE(after(machine({"A"})));
  const auto next = after_registration(8, machine({"A", "B"}));
  ASSERT_TRUE(next);
  EXPECT_THAT(absences(*next), Each(Absence::kFailureIfKnown));
  EXPECT_THAT(keeper_.report()->absent, IsEmpty());
  EXPECT_EQ(begun(), 2);
}

TEST_F(BackgroundDiscoveryTest, WithoutPatternsAnotherLookFollowsAReload) {
  keeper_.change(config("countersets: [A]"));
  EXPECT_TRUE(after(machine({"A"})));
  EXPECT_THAT(absences(keeper_.change(config("countersets: [A, B]"))),
              ElementsAre(Absence::kFailureIfKnown, Absence::kNoFailure))
      << "what the earlier look has found holds until the next one";
  const auto next = after(machine({"A", "B"}));
  ASSERT_TRUE(next);
  EXPECT_THAT(absences(*next), Each(Absence::kFailureIfKnown));
  EXPECT_EQ(begun(), 2);
}

// Otherwise a service that starts before Perflib answers would never know what is absent.
TEST_F(BackgroundDiscoveryTest, WithoutPatternsALookThatFailsOrIsNotWholeIsRepeated) {
  Inventory less = machine({"A"});
  less.gap = Error{.code = ErrorCode::kTimedOut, .where = "provider \"X\""};
  keeper_.change(config("countersets: [A, B]"));
  EXPECT_EQ(own("discovery_success"), 0);
  after(std::unexpected("no answer"));
  EXPECT_EQ(own("discovery_success"), 0);
  after(less);
  EXPECT_EQ(own("discovery_success"), 1);
  EXPECT_THAT(keeper_.report()->absent, IsEmpty());
  ASSERT_TRUE(after(machine({"A"})));
  EXPECT_THAT(keeper_.report()->absent, ElementsAre("B"));
  keeper_.note_registrations(7);
  EXPECT_EQ(begun(), 3);
}

TEST_F(BackgroundDiscoveryTest, ARegistrationIsFollowedByALookThoughOneIsToBeRepeated) {
  pauses_ = true;
  keeper_.change(config("countersets: [A]"));
  keeper_.note_registrations(7);
  after(std::unexpected("no answer"));
  ASSERT_TRUE(after_registration(8, machine({"B"})));
  EXPECT_EQ(begun(), 2);
}

TEST_F(BackgroundDiscoveryTest, NothingIsKnownToBeAbsentAfterALookThatWasNotWhole) {
  Inventory less = machine({"A"});
  less.gap = Error{.code = ErrorCode::kTimedOut, .where = "provider \"X\""};
  Inventory unknown;
  unknown.gap = Error{.code = ErrorCode::kUnsupported, .where = "metadata"};
  for (const Outcome& outcome : {Outcome(less), Outcome(unknown), Outcome(std::unexpected("no"))}) {
    keeper_.change(config("countersets: []\nfacts: [os]"));
    keeper_.change(config("countersets: [A, B]"));
    const auto next = after(outcome);
    ASSERT_TRUE(next);
    EXPECT_THAT(absences(*next), Each(Absence::kFailureIfKnown));
    EXPECT_THAT(keeper_.report()->absent, IsEmpty());
    const std::string told = logged();
    const bool is_decided = outcome && outcome->gap->code == ErrorCode::kUnsupported;
    EXPECT_EQ(told.empty(), is_decided) << told;
    EXPECT_THAT(told, Not(HasSubstr("countersets found before"))) << "there are no patterns";
  }
}

TEST_F(BackgroundDiscoveryTest, FollowsWhatComesAndGoes) {
  EXPECT_THAT(labels(keeper_.change(config("countersets: [X, 'A*']"))), ElementsAre("X"));
  ASSERT_TRUE(keeper_.report());
  EXPECT_FALSE(keeper_.report()->at) << "nobody knows yet";
  EXPECT_THAT(labels(*after(machine({"A1", "A2", "B"}))), ElementsAre("X", "A1", "A2"));
  EXPECT_THAT(logged(), HasSubstr("discovery found 3 countersets through PerfLib and "
                                  "OLD_MetadataGlobal in 7 ms; 2 to sample; absent: X\n"));
  EXPECT_FALSE(after(machine({"A1", "A2", "B"})));
  EXPECT_EQ(logged(), "");
  EXPECT_THAT(labels(*after(machine({"A1", "A2", "B", "A3"}))), ElementsAre("X", "A1", "A2", "A3"));
  EXPECT_THAT(logged(), HasSubstr("; new: A3; absent: X\n"));
  EXPECT_THAT(labels(*after(machine({"A1"}))), ElementsAre("X", "A1"));
  EXPECT_THAT(logged(), HasSubstr("; removed: A2, A3; absent: X\n"));
}

TEST_F(BackgroundDiscoveryTest, AFailureChangesNothingAndIsSaidOnce) {
  keeper_.change(config("countersets: ['A*']"));
  ASSERT_TRUE(after(machine({"A1"})));
  logged();
  EXPECT_FALSE(after(std::unexpected("no answer")));
  EXPECT_THAT(
      logged(),
      HasSubstr("discovery failed: no answer; the countersets found before are still sampled"));
  EXPECT_FALSE(after(std::unexpected("no answer")));
  EXPECT_EQ(logged(), "");
  EXPECT_EQ(keeper_.report()->error, "no answer");
  EXPECT_THAT(keeper_.report()->sampled, ElementsAre("2")) << "what was known";
  EXPECT_FALSE(after(machine({"A1"})));
  EXPECT_THAT(logged(), HasSubstr("discovery found 1 counterset"));
  EXPECT_EQ(keeper_.report()->error, "");
}

// Otherwise a provider that hangs would be gone without a word, instead of failing with a reason.
TEST_F(BackgroundDiscoveryTest, WhatAProviderHadThatDoesNotAnswerIsKept) {
  keeper_.change(config("countersets: ['A*']"));
  ASSERT_TRUE(after(machine({"A1", "A2"})));
  Inventory less = machine({"A1"});
  less.gap = Error{.code = ErrorCode::kTimedOut, .where = "provider \"X\"", .limit = 2};
  logged();
  EXPECT_FALSE(after(less));
  EXPECT_THAT(logged(), HasSubstr("discovery is incomplete: provider \"X\" timed out; the "
                                  "countersets found before are still sampled"));
  EXPECT_FALSE(after(less));
  EXPECT_EQ(logged(), "") << "it is said once";
  less.countersets.push_back({.name = "A3", .key = "6"});
  EXPECT_THAT(labels(*after(less)), ElementsAre("A1", "A2", "A3"));
  EXPECT_THAT(labels(*after(machine({"A1"}))), ElementsAre("A1"));
}

TEST_F(BackgroundDiscoveryTest, AnotherConfigurationBeginsWithWhatIsKnown) {
  keeper_.change(config("countersets: ['A*']"));
  ASSERT_TRUE(after(machine({"A1", "B1"})));
  const Config next = keeper_.change(config("countersets: ['B*']"));
  EXPECT_THAT(labels(next), ElementsAre("B1"));
  EXPECT_THAT(labels(keeper_.change(config("countersets: [C]"))), ElementsAre("C"));
  EXPECT_TRUE(keeper_.report()->at);
}

TEST_F(BackgroundDiscoveryTest, ALookGoesOnIfTheNextConfigurationNeedsTheSame) {
  keeper_.change(config("countersets: ['A*']"));
  for (int i = 0; i < 100; ++i) keeper_.change(config("countersets: ['B*']"));
  EXPECT_THAT(labels(*after(machine({"A1", "B1"}))), ElementsAre("B1"));
  const std::lock_guard lock(mutex_);
  EXPECT_LE(begun_, 2) << "the first one, and perhaps the next one, which waits";
}

// Which of the named objects may be expensive is asked by the look.
TEST_F(BackgroundDiscoveryTest, ALookForOtherNamesBeginsAnew) {
  keeper_.change(config("countersets: [A]"));
  while (begun() == 0) std::this_thread::yield();
  keeper_.change(config("countersets: [A, B]"));
  ASSERT_TRUE(after(machine({"A"})));
  EXPECT_EQ(begun(), 2);
}

TEST_F(BackgroundDiscoveryTest, SaysWhatItKnows) {
  keeper_.change(config("countersets: ['A*']"));
  ASSERT_TRUE(after(machine({"A1", "A2", "B"})));
  EXPECT_EQ(own("discovery_known_countersets"), 3);
  EXPECT_EQ(own("discovery_sampled_countersets"), 2);
  EXPECT_EQ(own("discovery_duration_seconds"), 0.007);
  EXPECT_EQ(own("discovery_reply_bytes"), 1234);
  EXPECT_EQ(own("discovery_metadata"), 1);
  EXPECT_EQ(own("discovery_problems"), 0);
  EXPECT_EQ(own("discovery_last_success_timestamp_seconds"), 5);
  EXPECT_THAT(keeper_.report()->sampled, ElementsAre("2", "4"));
}

}  // namespace
}  // namespace winperf
