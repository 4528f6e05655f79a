// What a sampler shows of the processes that make its queries, and how a stop reaches them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/sampler/sampler.h"
#include "tests/collectors/sampling/fake_source.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class FakeWorker final : public WorkerView {
 public:
  FakeWorker(const char* name, std::uint64_t process_id) {
    state_.name = name;
    state_.process_id = process_id;
  }
  const WorkerState& state() const override { return state_; }
  std::vector<WorkerEvent> take_events() override { return std::exchange(events, {}); }

  void crash(const char* call) {
    events.push_back({.worker = state_.name,
                      .process_id = state_.process_id++,
                      .end = WorkerEnd::kCrashed,
                      .call = call});
  }
  std::vector<WorkerEvent> events;

 private:
  WorkerState state_;
};

class WorkersSource final : public CounterSource, public SourceHealth {
 public:
  std::optional<FakeWorker> process;
  std::optional<StopToken> stop;  // the last one that was set

  bool is_live() const override { return true; }
  std::expected<Reply, Error> query(std::string_view, StopToken) override {
    return std::unexpected(Error{.code = ErrorCode::kBusy, .where = "query"});
  }
  std::vector<std::expected<Bytes, Error>> text_tables(TextTable, Language) override { return {}; }
  bool supports_metadata() override { return false; }
  std::uint64_t provider_generation() override { return 0; }
  void release() override {}
  void set_stop(StopToken token) override { stop = std::move(token); }
  SourceHealth* health() override { return this; }
  std::vector<WorkerView*> workers() override {
    return process ? std::vector<WorkerView*>{&*process} : std::vector<WorkerView*>();
  }
};

class WorkersPerflib final : public PerflibSource {
 public:
  std::optional<FakeWorker> process;
  std::optional<StopToken> stop;

  std::expected<std::vector<Guid>, Error> countersets() override { return refused(); }
  std::expected<Bytes, Error> instances(const Guid&) override { return refused(); }
  std::expected<Bytes, Error> registration(const Guid&, RegistrationInfo, std::uint32_t) override {
    return refused();
  }
  PerflibSet new_set() override { return {}; }
  std::expected<std::vector<ResultPlace>, Error> open(
      PerflibSet, std::span<const v2::CounterRequest>) override {
    return refused();
  }
  std::expected<Bytes, Error> collect(PerflibSet) override { return refused(); }
  void close(PerflibSet) override {}
  void set_stop(StopToken token) override { stop = std::move(token); }
  WorkerView* worker() override { return process ? &*process : nullptr; }

 private:
  static std::unexpected<Error> refused() {
    return std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = "perflib"});
  }
};

class SamplerWorkersTest : public ::testing::Test {
 protected:
  // `perflib`: nothing if there is no PerfLib.
  Sampler make(PerflibSource* perflib, std::vector<CounterSource*> others = {}) {
    return Sampler({.registry = source_, .other_machines = std::move(others), .perflib = perflib},
                   slot_,
                   {{.label = "System", .names = {"2"}, .interval = std::chrono::seconds(1)}},
                   {.steady_now = [this] { return now_; },
                    .wall_now = [] { return Ticks100ns{kUnixEpoch100ns}; }},
                   {});
  }
  // "registry 1": the workers of the last sample with their processes.
  std::vector<std::string> published() {
    std::vector<std::string> all;
    for (const auto latest = slot_.latest(); const WorkerState& worker : latest->workers)
      all.push_back(worker.name + ' ' + std::to_string(worker.process_id));
    return all;
  }
  static std::vector<std::string> taken_from(Sampler& sampler) {
    std::vector<std::string> all;
    for (const WorkerEvent& event : sampler.take_worker_events())
      all.push_back(event.worker + ": " + describe(event));
    return all;
  }

  WorkersSource source_;
  WorkersPerflib perflib_;
  SampleSlot slot_;
  std::chrono::steady_clock::time_point now_;
};

TEST_F(SamplerWorkersTest, EachRoundsStopReachesTheSourceAndPerflib) {
  Sampler sampler = make(&perflib_);
  for (int round = 0; round < 2; ++round) {
    StopSource stop;
    sampler.step(stop.token());
    ASSERT_TRUE(source_.stop && perflib_.stop);
    EXPECT_FALSE(source_.stop->stop_requested() || perflib_.stop->stop_requested()) << round;
    stop.request_stop();
    EXPECT_TRUE(source_.stop->stop_requested()) << round;
    EXPECT_TRUE(perflib_.stop->stop_requested()) << round;
    now_ += std::chrono::seconds(1);
  }
}

TEST_F(SamplerWorkersTest, WithoutPerflibTheStopReachesTheSource) {
  Sampler sampler = make(nullptr);
  StopSource stop;
  sampler.step(stop.token());
  stop.request_stop();
  EXPECT_TRUE(source_.stop.value().stop_requested());
  EXPECT_FALSE(perflib_.stop.has_value());
}

TEST_F(SamplerWorkersTest, HasTheNewsOfAllSourcesAboutWhoSharesAProcess) {
  testing::FakeSource first;
  testing::FakeSource second;
  testing::FakeSource third;
  first.news = {{.text = "one"}};
  third.news = {{.text = "two"}, {.text = "three"}};
  Sampler sampler({.registry = first, .other_machines = {&second, &third}}, slot_,
                  {{.label = "System", .names = {"2"}, .interval = std::chrono::seconds(1)}},
                  system_clocks(), {});
  const auto news = sampler.take_sharing_news();
  ASSERT_THAT(news, ::testing::SizeIs(3));
  EXPECT_EQ(news[0].text + news[1].text + news[2].text, "onetwothree");
  EXPECT_THAT(sampler.take_sharing_news(), IsEmpty());
}

TEST_F(SamplerWorkersTest, ASampleShowsTheProvidersOfAllSources) {
  testing::FakeSource first;
  testing::FakeSource second;
  first.hosted.resize(2);
  first.hosted[0].provider = "a";
  first.hosted[1].provider = "b";
  second.hosted.resize(1);
  second.hosted[0].provider = "c";
  Sampler sampler({.registry = first, .other_machines = {&second}}, slot_,
                  {{.label = "System", .names = {"2"}, .interval = std::chrono::seconds(1)}},
                  system_clocks(), {});
  sampler.step({});
  ASSERT_NE(slot_.latest(), nullptr);
  std::vector<std::string> names;
  for (const auto latest = slot_.latest(); const ProviderState& provider : latest->providers)
    names.push_back(provider.provider);
  EXPECT_THAT(names, ElementsAre("a", "b", "c"));
}

TEST_F(SamplerWorkersTest, ASampleShowsTheWorkersAsTheyAreWhenItIsPublished) {
  source_.process.emplace("registry", 10);
  perflib_.process.emplace("perflib", 20);
  Sampler sampler = make(&perflib_);
  sampler.step({});
  EXPECT_THAT(published(), ElementsAre("registry 10", "perflib 20"));
  const auto before = slot_.latest();
  perflib_.process->crash("");
  now_ += std::chrono::seconds(1);
  sampler.step({});
  EXPECT_THAT(published(), ElementsAre("registry 10", "perflib 21"));
  EXPECT_EQ(before->workers.at(1).process_id, 20U) << "a sample doesn't change";
}

TEST_F(SamplerWorkersTest, SourcesWithoutAWorkerShowNone) {
  Sampler sampler = make(&perflib_);
  sampler.step({});
  EXPECT_THAT(published(), IsEmpty());
  EXPECT_THAT(taken_from(sampler), IsEmpty());
  perflib_.process.emplace("perflib", 20);
  now_ += std::chrono::seconds(1);
  sampler.step({});
  EXPECT_THAT(published(), ElementsAre("perflib 20"));
}

TEST_F(SamplerWorkersTest, EventsOfAllWorkersAreTakenOnce) {
  source_.process.emplace("registry", 10);
  perflib_.process.emplace("perflib", 20);
  WorkersSource other;
  other.process.emplace("other", 30);
  Sampler sampler = make(&perflib_, {&other});
  sampler.step({});
  EXPECT_THAT(published(), ElementsAre("registry 10", "perflib 20", "other 30"));
  EXPECT_THAT(taken_from(sampler), IsEmpty());
  perflib_.process->crash("perflib.open_query");
  source_.process->crash("a");
  source_.process->crash("b");
  EXPECT_THAT(taken_from(sampler), ElementsAre("registry: process 10 crashed during a",
                                               "registry: process 11 crashed during b",
                                               "perflib: process 20 crashed during "
                                               "perflib.open_query"));
  EXPECT_THAT(taken_from(sampler), IsEmpty());
}

}  // namespace
}  // namespace winperf
