// When and by which road the exporter's own counters are published, and what is told of failures.
#include "service/run/own_counters.h"

#include <gmock/gmock.h>

#include <atomic>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/service/run/running_server.h"

namespace winperf {
namespace {

using own::ExporterValue;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

// What a sink was given, and how many of them are open.
struct Shown {
  std::mutex mutex;
  std::vector<own::OwnState> states;
  std::vector<std::string> roads;
  int open = 0;
  int opened = 0;
  std::string trouble{};  // why no road can be opened
  bool has_no_memory = false;
  std::uint64_t had = 0;  // the number of a state that the place has
  std::vector<std::string> problems{};
  std::uint64_t missing = 0;

  void change(const auto& what) {
    const std::lock_guard lock(mutex);
    what();
  }
  std::size_t count() {
    const std::lock_guard lock(mutex);
    return states.size();
  }
};

class ShownSink final : public StateSink {
 public:
  ShownSink(Shown& shown, std::string road) : shown_(shown), road_(std::move(road)) {
    shown_.change([&] { ++shown_.open, ++shown_.opened; });
  }
  ~ShownSink() override {
    shown_.change([&] { --shown_.open; });
  }

  std::expected<ShownState, std::string> show(const own::OwnState& state) override {
    const std::lock_guard lock(shown_.mutex);
    if (shown_.has_no_memory) throw std::bad_alloc();
    shown_.states.push_back(state);
    shown_.roads.push_back(road_);
    return ShownState{.number = std::max(state.number, shown_.had + 1),
                      .problems = std::exchange(shown_.problems, {}),
                      .missing = shown_.missing};
  }

 private:
  Shown& shown_;
  const std::string road_;
};

OwnPlatform platform(Shown& shown) {
  const auto open = [&shown](const char* road) -> OwnPlatform::OpenSink {
    return [&shown, road]() -> std::expected<std::unique_ptr<StateSink>, std::string> {
      std::string trouble;
      shown.change([&] { trouble = shown.trouble; });
      if (!trouble.empty()) return std::unexpected(trouble);
      return std::make_unique<ShownSink>(shown, road);
    };
  };
  return {.v1 = open("v1"), .v2 = open("v2")};
}

class OwnCountersTest : public ::testing::Test {
 protected:
  std::unique_ptr<OwnCounters> on(OwnPlatform platform) {
    return std::make_unique<OwnCounters>(std::move(platform), slot_, registry_, Ticks100ns{5}, log_,
                                         [] { return OwnFacts{}; });
  }
  void sample(std::uint64_t sequence, std::uint64_t attempts) {
    auto sample = std::make_shared<Sample>();
    sample->sequence = sequence;
    CountersetState& memory = sample->countersets.emplace_back();
    memory.name = "Memory";
    memory.attempts = attempts;
    slot_.publish(std::move(sample));
  }
  // Of the log, by their names.
  std::vector<std::string> events() {
    std::vector<std::string> found;
    for (const LogMessage& message : log_->messages())
      found.push_back(std::string(kind_of(message.event).name) + ": " + message.text);
    return found;
  }
  double own(const char* name) {
    for (const auto& family : registry_.metrics().Collect())
      if (family.name == std::string("winperf_exporter_own_counters_") + name)
        return family.metric.at(0).counter.value;
    return -1;
  }

  Shown shown_;
  SampleSlot slot_;
  ExporterRegistry registry_{{}, Ticks100ns{5}};
  const Logger log_ = std::make_shared<Log>(LogLines{}, nullptr);
  const std::unique_ptr<OwnCounters> counters_ = on(platform(shown_));
};

TEST_F(OwnCountersTest, StatesAreNumberedAndCounted) {
  counters_->change(OwnCountersRoad::kV1);
  EXPECT_EQ(own("updates_total"), -1);
  counters_->publish();
  sample(1, 1);
  counters_->publish();
  ASSERT_EQ(shown_.states.size(), 2U);
  EXPECT_EQ(shown_.states[0].number, 1U);
  EXPECT_THAT(shown_.states[0][ExporterValue::kStateNumber], Optional(1U));
  EXPECT_THAT(shown_.states[0].countersets, IsEmpty());
  EXPECT_EQ(shown_.states[1].number, 2U);
  EXPECT_THAT(shown_.states[1][ExporterValue::kAttempts], Optional(1U));
  EXPECT_EQ(shown_.opened, 1);
  EXPECT_EQ(own("updates_total"), 2);
  EXPECT_EQ(own("failures_total"), 0);
  EXPECT_THAT(events(), IsEmpty());
}

TEST_F(OwnCountersTest, ANewRoad_ClosesTheOneBefore) {
  counters_->publish();
  EXPECT_EQ(shown_.count(), 0U) << "none was chosen";
  counters_->change(OwnCountersRoad::kV1);
  counters_->publish();
  counters_->change(OwnCountersRoad::kV2);
  EXPECT_EQ(shown_.open, 0);
  sample(1, 1);
  counters_->publish();
  counters_->change(OwnCountersRoad::kV2);
  counters_->publish();
  counters_->change(OwnCountersRoad::kNone);
  EXPECT_EQ(shown_.open, 0);
  sample(2, 2);
  counters_->publish();
  counters_->change(OwnCountersRoad::kV1);
  sample(3, 3);
  counters_->publish();
  EXPECT_THAT(shown_.roads, ElementsAre("v1", "v2", "v2", "v1"));
  EXPECT_EQ(shown_.states.back().number, 4U) << "numbers go on";
  EXPECT_THAT(shown_.states.back()[ExporterValue::kAttempts], Optional(3U));
  counters_->close();
  EXPECT_EQ(shown_.open, 0);
  counters_->publish();
  EXPECT_EQ(shown_.count(), 4U);
}

TEST_F(OwnCountersTest, AFailure_IsToldOnceForEachCauseAndTriedAgain) {
  counters_->change(OwnCountersRoad::kV1);
  shown_.trouble = "it exists";
  for (int i = 0; i < 3; ++i) counters_->publish();
  shown_.trouble = "access is denied";
  counters_->publish();
  EXPECT_EQ(own("updates_total"), 0);
  EXPECT_EQ(own("failures_total"), 4);
  shown_.trouble.clear();
  counters_->publish();
  counters_->publish();
  EXPECT_EQ(own("updates_total"), 2);
  EXPECT_EQ(own("failures_total"), 4);
  EXPECT_THAT(events(),
              ElementsAre("own_counters_fail: it exists", "own_counters_fail: access is denied",
                          "own_counters_work: the exporter's own counters are published"));
}

TEST_F(OwnCountersTest, WhatIsMissingOfAState_IsToldAndTheRestIsShown) {
  counters_->change(OwnCountersRoad::kV2);
  shown_.problems = {"one instance", "another one"};
  shown_.missing = 3;
  counters_->publish();
  counters_->publish();
  EXPECT_EQ(own("updates_total"), 2);
  EXPECT_EQ(own("failures_total"), 6) << "as long as something is missing";
  EXPECT_THAT(events(),
              ElementsAre("own_counters_fail: one instance", "own_counters_fail: another one"));
}

TEST_F(OwnCountersTest, WithoutMemory_TheCallerGoesOn) {
  counters_->change(OwnCountersRoad::kV2);
  shown_.has_no_memory = true;
  EXPECT_NO_THROW(counters_->publish());
  EXPECT_EQ(own("failures_total"), 1);
  shown_.has_no_memory = false;
  counters_->publish();
  EXPECT_EQ(own("updates_total"), 1);
}

TEST_F(OwnCountersTest, WhatThePlaceHasAlready_IsNotNumberedAgain) {
  counters_->change(OwnCountersRoad::kV1);
  shown_.had = 41;
  counters_->publish();
  EXPECT_EQ(own("updates_total"), 42);
  counters_->publish();
  EXPECT_EQ(shown_.states.back().number, 43U);
}

TEST_F(OwnCountersTest, WithoutARoad_NothingIsPublishedSilently) {
  const auto counters = on({});
  counters->change(OwnCountersRoad::kV1);
  counters->publish();
  const auto v1_only = on({.v1 = platform(shown_).v1});
  v1_only->change(OwnCountersRoad::kV2);
  v1_only->publish();
  EXPECT_EQ(shown_.opened, 0);
  EXPECT_EQ(own("updates_total"), -1);
  EXPECT_THAT(events(), IsEmpty());
}

TEST_F(OwnCountersTest, ThreadsPublishOneAfterTheOther) {
  counters_->change(OwnCountersRoad::kV1);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      for (int n = 0; n < 200; ++n) counters_->publish();
    });
  counters_->change(OwnCountersRoad::kV2);
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(shown_.states.size(), 600U);
  for (std::size_t i = 0; i < shown_.states.size(); ++i) ASSERT_EQ(shown_.states[i].number, i + 1);
}

Config on_loopback(OwnCountersRoad road) {
  Config config = parse_config("countersets: ['4']", "test").value();
  config.listen = {ListenConfig{.address = "127.0.0.1", .port = 0}};
  config.own_counters = road;
  return config;
}

TEST(OwnCountersOfAServer, ArePublishedAfterSamplesAndByTheMainThread) {
  Shown shown;
  testing::RunningServerOptions options;
  options.run.own_counters = platform(shown);
  testing::RunningServer running(on_loopback(OwnCountersRoad::kNone), options);
  running.server().maintain();
  EXPECT_EQ(shown.count(), 0U);
  EXPECT_TRUE(running.server().apply(on_loopback(OwnCountersRoad::kV2)));
  const std::size_t before = shown.count();
  running.server().maintain();
  EXPECT_GT(shown.count(), before);
  const auto is_sampled = [&] {
    const std::lock_guard lock(shown.mutex);
    return shown.states.back()[ExporterValue::kAttempts].value_or(0) > 0;
  };
  while (!is_sampled()) running.server().maintain();
  EXPECT_TRUE(running.server().apply(on_loopback(OwnCountersRoad::kNone)));
  const std::lock_guard lock(shown.mutex);
  EXPECT_EQ(shown.open, 0);
  EXPECT_EQ(shown.roads.front(), "v2");
  EXPECT_THAT(shown.states.back()[ExporterValue::kConnections], Optional(0U));
}

TEST(OwnCountersOfAServer, AreOnlyThoseOfTheOneWhoseNameIsRegistered) {
  for (const auto& [name, publishes] : {std::pair("", true),
                                        {"winperf_exporter", true},
                                        {"Winperf_Exporter", true},
                                        {"other", false}}) {
    Shown shown;
    testing::RunningServerOptions options;
    options.run.own_counters = platform(shown);
    options.place.service_name = name;
    testing::RunningServer running(on_loopback(OwnCountersRoad::kV1), options);
    running.server().maintain();
    EXPECT_EQ(shown.count() != 0, publishes) << name;
  }
}

}  // namespace
}  // namespace winperf
