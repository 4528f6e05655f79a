// A recording of a simulated machine gives the samples that the machine gave.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "collectors/base/os_code.h"
#include "collectors/capture/recorder.h"
#include "collectors/capture/replay_perflib.h"
#include "collectors/sources/perflib_client.h"
#include "collectors/sources/replay.h"
#include "collectors/wire/v2/data_view.h"
#include "collectors/wire/v2/identifier.h"
#include "service/plan/setup.h"
#include "tests/simulator/codes.h"
#include "tests/simulator/path_pair.h"
#include "tests/simulator/standard_machine.h"

namespace winperf::simulator {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::uint64_t kMaxBytes = 64U << 20;

class Capture : public ::testing::Test {
 protected:
  Capture() { furnish(machine_); }
  void TearDown() override { fs::remove_all(folder_); }

  // Records `samples` samples, a second apart, and calls `beside` with each.
  template <class Beside>
  void record(int samples, Beside beside) {
    PerflibFace perflib(machine_);
    PerflibClient perflib_source(perflib, "");
    RegistrySource registry(machine_, {});
    auto store = capture::Store::create(folder_, kMaxBytes);
    ASSERT_TRUE(store) << store.error();
    capture::Recorder recorder(registry, &perflib_source, {"Global"}, *store);
    ASSERT_TRUE(recorder.record_names());
    for (int i = 0; i < samples; ++i) {
      ASSERT_TRUE(*recorder.record_sample({}));
      beside();
      machine_.advance(1);
    }
    EXPECT_THAT(recorder.problems(), SizeIs(0)) << recorder.problems().front();
    ASSERT_TRUE(store->finish());
  }

  struct Replayed {
    std::unique_ptr<ReplaySource> registry;
    std::unique_ptr<PerflibSource> perflib;
  };
  Replayed replay(std::uint32_t samples) const {
    return {*ReplaySource::open(open_directory(folder_)),
            capture::replay_perflib(open_directory(folder_), samples)};
  }

  Machine machine_;
  const fs::path folder_ =
      fs::temp_directory_path() /
      ("winperf-capture-" +
       std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
};

std::vector<PlannedCounterset> whole_plan() {
  std::vector<PlannedCounterset> plan;
  for (const char* name : {"Processor Information", "Every Type", "Every Type Sum"})
    plan.push_back(planned(name, CounterPath::kPerflib));
  for (const char* name : {"System", "Thing", "Every Type Single"})
    plan.push_back(planned(name, CounterPath::kRegistry));
  return plan;
}

void expect_same(const CountersetState& live, const CountersetState& replayed) {
  SCOPED_TRACE(live.name);
  ASSERT_NE(live.sample, nullptr);
  ASSERT_TRUE(replayed.success) << describe(*replayed.error);
  EXPECT_EQ(replayed.sample->schema->path, live.sample->schema->path);
  EXPECT_EQ(replayed.sample->instances->instances, live.sample->instances->instances);
  EXPECT_EQ(replayed.sample->raw, live.sample->raw);
  EXPECT_EQ(replayed.sample->more, live.sample->more);
  EXPECT_EQ(replayed.sample->reason, live.sample->reason);
  for (std::size_t i = 0; i < live.sample->cooked.size(); ++i) {
    if (live.sample->reason[i] != NoValue::kNone) continue;
    EXPECT_DOUBLE_EQ(replayed.sample->cooked[i], live.sample->cooked[i]) << i;
  }
}

class CaptureInEveryForm : public Capture, public ::testing::WithParamInterface<Padding> {};

INSTANTIATE_TEST_SUITE_P(Padding, CaptureInEveryForm, ::testing::ValuesIn(kEveryPadding));

TEST_P(CaptureInEveryForm, GivesTheSamplesOfTheMachineByBothPaths) {
  constexpr int kSamples = 4;
  machine_.v2_padding = GetParam();
  SimulatedSampler live(machine_, whole_plan());
  std::vector<std::shared_ptr<const Sample>> expected;
  record(kSamples, [&] { expected.push_back(live.round()); });

  const Replayed source = replay(kSamples);
  ASSERT_NE(source.perflib, nullptr);
  SampleSlot slot;
  std::chrono::steady_clock::time_point now;
  Sampler sampler({.registry = *source.registry, .perflib = source.perflib.get()}, slot,
                  whole_plan(),
                  {.steady_now = [&] { return now; }, .wall_now = [] { return Ticks100ns{}; }}, {});
  for (const auto& sample : expected) {
    sampler.step({});
    now += std::chrono::seconds(1);
    for (std::size_t i = 0; i < sample->countersets.size(); ++i)
      expect_same(sample->countersets[i], slot.latest()->countersets[i]);
  }
  sampler.step({});
  for (const auto latest = slot.latest(); const CountersetState& state : latest->countersets)
    EXPECT_FALSE(state.success) << "the recording is over";
}

std::vector<v2::CounterRequest> requests_in(std::span<const std::byte> order) {
  std::vector<v2::CounterRequest> requests;
  for (const v2::Identifier& identifier : v2::parse_identifiers(order).all)
    requests.push_back(identifier.request);
  return requests;
}

TEST_P(CaptureInEveryForm, GivesARecordedReplyToTheByte) {
  machine_.v2_padding = GetParam();
  record(1, [] {});
  const auto recorded = *open_directory(folder_)->read(capture::v2_data_file(0), "test");
  const auto order = *open_directory(folder_)->read(capture::kOrder, "test");
  const Replayed source = replay(1);
  const PerflibSet set = source.perflib->new_set();
  const auto places = source.perflib->open(set, requests_in(order));
  ASSERT_TRUE(places);
  EXPECT_EQ(source.perflib->collect(set), recorded);
  const auto expected = v2::parse_identifiers(order).all;
  ASSERT_EQ(places->size(), expected.size());
  ASSERT_FALSE(expected.empty());
  for (std::size_t i = 0; i < places->size(); ++i) EXPECT_EQ((*places)[i], expected[i].index) << i;
}

// What a sample lacks follows what it has; what the capture does not know comes last.
TEST_F(Capture, ResultsThatASampleLacksAreThere) {
  record(2, [] {});
  fs::remove(folder_ / capture::v2_data_file(0));
  const auto order = *open_directory(folder_)->read(capture::kOrder, "test");
  const std::size_t recorded = v2::parse_identifiers(order).all.size();
  const Replayed source = replay(2);
  const PerflibSet set = source.perflib->new_set();
  ASSERT_TRUE(source.perflib->open(set, requests_in(order)));
  const auto answer = source.perflib->collect(set);
  ASSERT_TRUE(answer);
  const auto data = v2::DataView::parse(*answer);
  ASSERT_TRUE(data.has_value());
  v2::ResultWalk results = data->results();
  std::size_t count = 0;
  for (; const auto result = results.next(); ++count) {
    ASSERT_TRUE(result->has_value());
    EXPECT_EQ((*result)->kind(), v2::ResultKind::kError);
    EXPECT_EQ((*result)->status(), value_of(OsCode::kInvalidData));
  }
  EXPECT_EQ(count, recorded);
}

TEST_F(Capture, NarrowerRequestsFindWhatTheyWant) {
  record(2, [] {});
  const Replayed source = replay(2);
  PlannedCounterset one = planned("Processor Information", CounterPath::kPerflib);
  one.selection.instances = [](std::string_view name) { return name == "0,1"; };
  one.selection.instance_pattern = "0,1";
  one.selection.counters = [](const CounterSchema& counter) {
    return counter.name == "% Idle Time";
  };
  one.selection.one_counter = "% Idle Time";
  SampleSlot slot;
  Sampler sampler({.registry = *source.registry, .perflib = source.perflib.get()}, slot, {one},
                  system_clocks(), {});
  sampler.step({});
  const CountersetState state = slot.latest()->countersets.front();
  ASSERT_TRUE(state.success) << describe(*state.error);
  ASSERT_THAT(state.sample->instances->instances, SizeIs(1));
  EXPECT_EQ(state.sample->instances->instances[0].name, "0,1");
  ASSERT_THAT(state.sample->schema->counters, SizeIs(1));
}

// A recording holds all instances, as a provider may deliver more than it was asked for.
TEST_F(Capture, AnInstanceIsChosenByItsId) {
  record(1, [] {});
  const Replayed source = replay(1);
  PlannedCounterset one = planned("Processor Information", CounterPath::kPerflib);
  one.selection.instance_id = 3;
  SampleSlot slot;
  Sampler sampler({.registry = *source.registry, .perflib = source.perflib.get()}, slot, {one},
                  system_clocks(), {});
  sampler.step({});
  const CountersetState state = slot.latest()->countersets.front();
  ASSERT_TRUE(state.success) << describe(*state.error);
  ASSERT_THAT(state.sample->instances->instances, SizeIs(1));
  EXPECT_EQ(state.sample->instances->instances[0].name, "1,0");
}

TEST_F(Capture, DamagedFilesCostThemselvesAlone) {
  record(2, [] {});
  const std::string data = capture::v2_data_file(0);
  for (const std::uintmax_t bytes : {0u, 47u, 48u, 63u, 100u}) {
    fs::resize_file(folder_ / data, bytes);
    const Replayed source = replay(2);
    SampleSlot slot;
    std::chrono::steady_clock::time_point now;
    Sampler sampler(
        {.registry = *source.registry, .perflib = source.perflib.get()}, slot,
        {planned("Every Type", CounterPath::kPerflib), planned("System", CounterPath::kRegistry)},
        {.steady_now = [&] { return now; }, .wall_now = [] { return Ticks100ns{}; }}, {});
    sampler.step({});
    EXPECT_FALSE(slot.latest()->countersets[0].success) << bytes;
    EXPECT_TRUE(slot.latest()->countersets[1].success) << bytes;
    now += std::chrono::seconds(1);
    sampler.step({});
    EXPECT_TRUE(slot.latest()->countersets[0].success) << bytes;
  }
  fs::remove(folder_ / capture::kCountersets);
  EXPECT_EQ(capture::replay_perflib(open_directory(folder_), 2), nullptr);
}

TEST_F(Capture, MissingSamplesAreNamedAndTheOthersReplayed) {
  record(4, [] {});
  EXPECT_EQ(open_source({.replay = folder_, .blg = {}}, {})->notice, "");
  for (const fs::directory_entry& file : fs::directory_iterator(folder_))
    if (file.path().filename().string().starts_with("sample-0001")) fs::remove(file);
  const auto opened = open_source({.replay = folder_, .blg = {}}, {});
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->notice, folder_.string() + " lacks sample 1");
  for (int sample = 0; sample < 3; ++sample) EXPECT_TRUE(opened->source->query("Global", {}));
  EXPECT_EQ(opened->source->query("Global", {}).error().code, ErrorCode::kEndOfCapture);
}

TEST_F(Capture, OfAMachineWithoutV2_HasV1Alone) {
  RegistrySource registry(machine_, {});
  auto store = capture::Store::create(folder_, kMaxBytes);
  capture::Recorder recorder(registry, nullptr, {"Global"}, *store);
  ASSERT_TRUE(recorder.record_names());
  ASSERT_TRUE(*recorder.record_sample({}));
  ASSERT_TRUE(store->finish());
  EXPECT_EQ(replay(1).perflib, nullptr);
  EXPECT_TRUE(replay(1).registry->query("Global", {}));
}

TEST_F(Capture, ProvidersThatFail_AreNamed) {
  PerflibFace perflib(machine_);
  PerflibClient perflib_source(perflib, "");
  RegistrySource registry(machine_, {});
  auto store = capture::Store::create(folder_, kMaxBytes);
  capture::Recorder recorder(registry, &perflib_source, {"Global"}, *store);
  ASSERT_TRUE(recorder.record_names());
  machine_.faults.fail(Point::kData, kAccessDenied, 2);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(*recorder.record_sample({}));
  ASSERT_THAT(recorder.problems(), SizeIs(1)) << "once, though it failed twice";
  EXPECT_THAT(recorder.problems()[0], HasSubstr("V2 data"));
  EXPECT_EQ(recorder.samples(), 3u);
}

TEST_F(Capture, AResultThatSeveralCountersetsClaim_IsTheFirstOnes) {
  record(1, [] {});
  auto order = *open_directory(folder_)->read(capture::kOrder, "test");
  const auto claims = v2::parse_identifiers(order).all;
  ASSERT_GT(claims.size(), 1u);
  const auto last = static_cast<std::uint32_t>(claims.size() - 1);
  std::vector<v2::CounterRequest> requests;
  std::size_t at = 0;
  for (const v2::Identifier& claim : claims) {
    requests.push_back(claim.request);
    std::memcpy(&order.at(at + 32), &last, sizeof last);
    at += v2::build_identifiers(std::span(&claim.request, 1)).size();
  }
  ASSERT_EQ(at, order.size());
  std::ofstream(folder_ / capture::kOrder, std::ios::binary)
      .write(reinterpret_cast<const char*>(order.data()),
             static_cast<std::streamsize>(order.size()));
  const Replayed source = replay(1);
  const PerflibSet set = source.perflib->new_set();
  ASSERT_TRUE(source.perflib->open(set, requests));
  const auto answer = source.perflib->collect(set);
  ASSERT_TRUE(answer);
  // An error result each for the others, and no result twice.
  EXPECT_LE(answer->size(), fs::file_size(folder_ / capture::v2_data_file(0)) +
                                requests.size() * v2::counter_header::kBytes);
}

TEST_F(Capture, Store_LeavesAloneWhatIsUnderTheUnfinishedName) {
  const fs::path other = folder_.string() + ".partial";
  fs::create_directory(other);
  std::ofstream(other / "notes.txt") << "precious";
  EXPECT_THAT(capture::Store::create(folder_, 10).error(), HasSubstr(".partial already exists"));
  EXPECT_TRUE(fs::exists(other / "notes.txt"));
  fs::remove_all(other);
}

TEST_F(Capture, Store_AppearsWholeOrNotAtAll) {
  {
    auto store = capture::Store::create(folder_, 10);
    ASSERT_TRUE(store);
    const std::string text = "123456";
    EXPECT_TRUE(store->put("a", std::as_bytes(std::span(text))));
    EXPECT_THAT(store->put("b", std::as_bytes(std::span(text))).error(), HasSubstr("10 bytes"));
    EXPECT_FALSE(fs::exists(folder_));
  }
  EXPECT_FALSE(fs::exists(folder_));
  EXPECT_FALSE(fs::exists(folder_.string() + ".partial"));
  EXPECT_THAT(capture::Store::create("", 10).error(), HasSubstr("needs a file or folder name"));
  ASSERT_TRUE(capture::Store::create(folder_ / "", 10)->finish());
  EXPECT_TRUE(fs::is_directory(folder_)) << "a separator at the end means the folder";
  EXPECT_THAT(capture::Store::create(folder_, 10).error(), HasSubstr("already exists"));
}

}  // namespace
}  // namespace winperf::simulator
