// What the recorder remembers, as a capture, read by the product's own parser and sampler.
#include "collectors/capture/history_capture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ranges>

#include "collectors/capture/replay_perflib.h"
#include "collectors/recorder/lives.h"
#include "collectors/recorder/windows.h"
#include "collectors/sources/replay.h"
#include "collectors/wire/text.h"
#include "tests/collectors/capture/memory_folder.h"
#include "tests/collectors/capture/random_countersets.h"
#include "tests/collectors/capture/replayed_samples.h"
#include "tests/collectors/recorder/recorded.h"

namespace winperf::capture {
namespace {

using recorder::History;
using recorder::Track;
using testing::MemoryFolder;
using testing::RandomCounterset;
using testing::Replayed;

constexpr Ticks100ns kAlways{0};
constexpr std::int64_t kEnd = 1'000'000;  // seconds

HistoryQuery everything() { return {.since = kAlways, .until = testing::wall_at(kEnd)}; }

struct Captured {
  std::shared_ptr<MemoryFolder> folder = std::make_shared<MemoryFolder>();
  CaptureSummary summary{};
};

Captured capture(const History& history, const HistoryQuery& query, Scrubber* scrubber = nullptr) {
  Captured captured;
  const auto done = capture_history(
      history, query, scrubber, [&](std::string_view name, std::span<const std::byte> bytes) {
        captured.folder->files[std::string(name)] = Bytes(bytes.begin(), bytes.end());
        return std::expected<void, std::string>();
      });
  EXPECT_TRUE(done.has_value()) << (done ? "" : done.error());
  if (done) captured.summary = *done;
  return captured;
}

// Some countersets of both kinds that are sampled at different intervals.
class Machine {
 public:
  explicit Machine(unsigned seed, bool with_resets = true) {
    for (std::uint32_t i = 0; i < states_.size(); ++i)
      countersets_.push_back(
          std::make_unique<RandomCounterset>(seed + 31 * i, i, i % 2 == 1, with_resets));
  }

  // `pace`: seconds from one sample to the next one.
  void run(recorder::Recorder& recorder, std::int64_t from, std::int64_t to, std::int64_t pace) {
    const std::int64_t intervals[] = {pace, pace, 2 * pace, 3 * pace, 6 * pace};
    for (std::int64_t now = from; now <= to; now += pace) {
      Sample sample;
      for (std::size_t i = 0; i < countersets_.size(); ++i)
        if (now % intervals[i] == 0 || states_[i].sample == nullptr)
          states_[i] = testing::state_of(countersets_[i]->next(now), testing::instant_at(now),
                                         countersets_[i]->name());
      for (const CountersetState& state : states_) sample.countersets.push_back(state);
      recorder.add(sample);
    }
  }

 private:
  std::vector<std::unique_ptr<RandomCounterset>> countersets_;
  std::array<CountersetState, 5> states_;
};

void expect_same_counter(const CounterSchema& replayed, const CounterSchema& recorded, bool is_v2) {
  EXPECT_EQ(replayed.index, recorded.index);
  EXPECT_EQ(replayed.name, recorded.name);
  EXPECT_EQ(replayed.help, recorded.help);
  EXPECT_EQ(replayed.type, recorded.type);
  EXPECT_EQ(replayed.default_scale, recorded.default_scale);
  EXPECT_EQ(replayed.detail_level, recorded.detail_level);
  EXPECT_EQ(replayed.has_base, recorded.has_base);
  EXPECT_EQ(replayed.base_type, recorded.base_type);
  if (is_v2) return;  // whose sizes come from the data
  EXPECT_EQ(replayed.size, recorded.size);
  EXPECT_EQ(replayed.base_size, recorded.base_size);
  EXPECT_EQ(replayed.help_index, recorded.help_index);
}

void expect_same_instances(const CountersetSample& replayed, const CountersetSample& recorded) {
  ASSERT_EQ(replayed.rows(), recorded.rows());
  if (!recorded.schema->multi_instance) return;
  for (std::size_t row = 0; row < recorded.rows(); ++row) {
    const InstanceSchema& now = replayed.instances->instances[row];
    const InstanceSchema& was = recorded.instances->instances[row];
    ASSERT_EQ(now.name, was.name);
    ASSERT_EQ(now.parent, was.parent);
    ASSERT_EQ(now.duplicate, was.duplicate);
    ASSERT_EQ(now.unique_id, was.unique_id);
    ASSERT_EQ(now.process_id, was.process_id);
    ASSERT_EQ(now.thread_id, was.thread_id);
    ASSERT_EQ(now.owner, was.owner);
    ASSERT_EQ(now.started, was.started);
  }
}

// Every cell that was recorded. A replay may have more columns, with identities.
void expect_same_cells(const CountersetSample& replayed, const CountersetSample& recorded) {
  for (std::size_t column = 0; column < recorded.columns(); ++column) {
    const CounterSchema& counter = recorded.schema->counters[column];
    const auto found =
        std::ranges::find(replayed.schema->counters, counter.name, &CounterSchema::name);
    ASSERT_NE(found, replayed.schema->counters.end()) << counter.name;
    const auto other = static_cast<std::size_t>(found - replayed.schema->counters.begin());
    for (std::size_t row = 0; row < recorded.rows(); ++row) {
      const std::size_t was = recorded.cell(row, column);
      const std::size_t now = replayed.cell(row, other);
      ASSERT_EQ(replayed.clocks_at(now), recorded.clocks_at(was)) << counter.name;
      ASSERT_EQ(has_raw(replayed.reason[now]), has_raw(recorded.reason[was])) << counter.name;
      if (!has_raw(recorded.reason[was])) continue;
      ASSERT_EQ(replayed.raw[now], recorded.raw[was]) << counter.name;
      const bool has_base = recorded.reason[was] != NoValue::kNoBase;
      ASSERT_EQ(replayed.reason[now] != NoValue::kNoBase, has_base) << counter.name;
      if (has_base) {
        ASSERT_EQ(replayed.base_at(now), recorded.base_at(was)) << counter.name;
      }
    }
  }
}

// Returns how many values were compared.
std::size_t expect_same_values(const Track& track, const Replayed::Samples& replayed) {
  std::size_t compared = 0;
  for (const CounterSchema& counter : track.chunks.back()->shape->schema->counters) {
    const auto lives = recorder::Lives::open(track, counter.name, kAlways, testing::wall_at(kEnd));
    if (!lives) continue;
    for (const recorder::Life& life : lives->lives())
      for (std::size_t i = 1; i < life.points.size(); ++i) {
        const recorder::Point& point = life.points[i];
        const CountersetSample& sample = *replayed[point.moment];
        const auto value = lives->cooked(life, i - 1, i);
        const bool follows = life.points[i - 1].moment + 1 == point.moment;
        const auto column =
            std::ranges::find(sample.schema->counters, counter.name, &CounterSchema::name);
        // Where the schema has changed, a replay begins anew.
        if (!value || !follows || column == sample.schema->counters.end() ||
            replayed[point.moment - 1]->schema != sample.schema)
          continue;
        const std::size_t cell = sample.cell(
            point.row, static_cast<std::size_t>(column - sample.schema->counters.begin()));
        EXPECT_EQ(name_of(sample.reason[cell]), "") << counter.name;
        EXPECT_NEAR(sample.cooked[cell], *value, 1e-12 * std::abs(*value)) << counter.name;
        ++compared;
      }
  }
  return compared;
}

// Returns how many values were compared.
std::size_t expect_same(const History& history, const Captured& captured) {
  Replayed replayed(captured.folder);
  EXPECT_TRUE(replayed.problems().empty()) << describe(replayed.problems().front());
  std::size_t compared = 0;
  for (const auto& track : history.tracks) {
    SCOPED_TRACE(track->name);
    const auto recorded =
        recorder::recorded_samples(*track, kAlways, testing::wall_at(kEnd)).value();
    const Replayed::Samples& samples = replayed.of(recorded.back().sample->schema->name);
    EXPECT_EQ(samples.size(), recorded.size());
    if (samples.size() != recorded.size()) continue;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
      SCOPED_TRACE("sample " + std::to_string(i));
      const CountersetSample& was = *recorded[i].sample;
      EXPECT_EQ(samples[i]->schema->help, was.schema->help);
      EXPECT_EQ(samples[i]->schema->detail_level, was.schema->detail_level);
      EXPECT_EQ(samples[i]->schema->guid, was.schema->guid);
      EXPECT_EQ(samples[i]->schema->index, was.schema->index);
      EXPECT_EQ(samples[i]->clocks, was.clocks);
      EXPECT_EQ(samples[i]->owner, was.owner);
      EXPECT_EQ(samples[i]->damage, std::nullopt);
      for (std::size_t column = 0; column < was.columns() && i % 16 == 0; ++column) {
        const auto& counter = was.schema->counters[column];
        const auto found =
            std::ranges::find(samples[i]->schema->counters, counter.name, &CounterSchema::name);
        if (found != samples[i]->schema->counters.end())
          expect_same_counter(*found, counter, was.schema->guid.has_value());
      }
      expect_same_instances(*samples[i], was);
      expect_same_cells(*samples[i], was);
      if (::testing::Test::HasFailure()) return compared;
    }
    compared += expect_same_values(*track, samples);
  }
  return compared;
}

TEST(HistoryCapture, ReplaysWhatWasRecorded) {
  std::size_t compared = 0;
  for (unsigned seed = 1; seed <= 3 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    recorder::Recorder recorder(testing::kLargeBudget);
    Machine(seed).run(recorder, 1'000, 1'000 + 10 * 60, 5);
    const auto history = recorder.history();
    compared += expect_same(*history, capture(*history, everything()));
  }
  EXPECT_GT(compared, 10'000u);
}

// The samples that are left, with the windows between them.
TEST(HistoryCapture, ReplaysWhatIsLeftOfThinnedSamples) {
  std::size_t compared = 0;
  for (unsigned seed = 50; seed <= 50; ++seed) {
    recorder::Recorder recorder(testing::kLargeBudget);
    Machine(seed, false).run(recorder, 10'000, 10'000 + 3 * 3'600, 20);
    const auto history = recorder.history();
    compared += expect_same(*history, capture(*history, everything()));
  }
  EXPECT_GT(compared, 5'000u);
}

// As `range` shows them.
TEST(HistoryCapture, HasTheEndsOfWindows) {
  recorder::Recorder recorder(testing::kLargeBudget);
  Machine(7, false).run(recorder, 1'000, 1'600, 5);
  const auto history = recorder.history();
  Replayed replayed(capture(*history, everything()).folder);
  const Track& track = *history->tracks.front();
  const auto times = recorder::recorded_times(track, kAlways, testing::wall_at(kEnd)).value();
  const Replayed::Samples& samples = replayed.of(track.name);
  ASSERT_EQ(samples.size(), times.size());
  std::size_t compared = 0;
  for (const CounterSchema& counter : track.chunks.back()->shape->schema->counters) {
    for (std::size_t i = times.size() - 10; i < times.size(); ++i) {
      const auto windows = recorder::windows(
          track, {.counter = counter.name, .since = times[i - 1].wall, .until = times[i].wall});
      const CountersetSample& sample = *samples[i];
      const auto column =
          std::ranges::find(sample.schema->counters, counter.name, &CounterSchema::name);
      for (const auto& one : windows.value()) {
        if (!one.windows.front().value || column == sample.schema->counters.end()) continue;
        const auto row =
            std::ranges::find_if(sample.instances->instances, [&](const InstanceSchema& instance) {
              return display_name(instance) == display_name(one.instance) &&
                     instance.unique_id == one.instance.unique_id &&
                     instance.process_id == one.instance.process_id;
            });
        ASSERT_NE(row, sample.instances->instances.end());
        const std::size_t cell =
            sample.cell(static_cast<std::size_t>(row - sample.instances->instances.begin()),
                        static_cast<std::size_t>(column - sample.schema->counters.begin()));
        const double value = *one.windows.front().value;
        EXPECT_NEAR(sample.cooked[cell], value, 1e-12 * std::abs(value)) << counter.name;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 100u);
}

// A tick, whatever was due, is a sample.
TEST(HistoryCapture, PutsTogetherWhatWasSampledTogether) {
  recorder::Recorder recorder(testing::kLargeBudget);
  Machine(3).run(recorder, 1'000, 1'300, 5);
  const Captured captured = capture(*recorder.history(), everything());
  EXPECT_EQ(captured.summary.samples, 61u);
  ASSERT_EQ(captured.summary.countersets.size(), 5u);
  EXPECT_EQ(captured.summary.countersets[0].samples, 61u);
  EXPECT_EQ(captured.summary.countersets[4].samples, 11u);
  EXPECT_EQ(captured.summary.v2_countersets, 2u);
  EXPECT_EQ(captured.summary.countersets[0].first, testing::wall_at(1'000));
  EXPECT_EQ(captured.summary.countersets[0].last, testing::wall_at(1'300));
  EXPECT_TRUE(captured.summary.problems.empty());
  EXPECT_EQ(Replayed(captured.folder).blocks(), std::vector<std::size_t>(61, 1));
}

TEST(HistoryCapture, HasWhatIsAskedFor) {
  recorder::Recorder recorder(testing::kLargeBudget);
  Machine(4).run(recorder, 1'000, 1'300, 5);
  HistoryQuery query = everything();
  query.countersets = {"müll 1 \u03A9\u4E2D", "other"};
  query.since = testing::wall_at(1'102);
  query.until = testing::wall_at(1'111);
  const Captured captured = capture(*recorder.history(), query);
  ASSERT_EQ(captured.summary.countersets.size(), 1u);
  // With the last sample before.
  EXPECT_EQ(captured.summary.countersets[0].samples, 3u);
  EXPECT_EQ(captured.summary.countersets[0].first, testing::wall_at(1'100));
  EXPECT_EQ(captured.summary.countersets[0].last, testing::wall_at(1'110));
  // Samples are counted by their blocks.
  Replayed replayed(captured.folder);
  EXPECT_EQ(replayed.blocks(), std::vector<std::size_t>(3, 1));
  EXPECT_EQ(replayed.of("Müll 1 \u03A9\u4E2D").size(), 3u);
}

std::shared_ptr<CountersetSample> memory_sample(std::int64_t second, CounterPath path) {
  auto sample = testing::single({{.index = 2, .name = "Bytes"}}, {7}, second);
  auto schema = std::make_shared<CountersetSchema>(*sample->schema);
  schema->index = ObjectIndex{4};
  schema->name = "Memory";
  schema->path = path;
  sample->schema = std::move(schema);
  return sample;
}

TEST(HistoryCapture, LeavesOutOtherMachinesLogsAndTheSameObjectTwice) {
  recorder::Recorder recorder(testing::kLargeBudget);
  const auto state = [](const char* machine, const char* name, CounterPath path) {
    CountersetState made =
        testing::state_of(memory_sample(1'000, path), testing::instant_at(1'000), name);
    made.machine = machine;
    return made;
  };
  testing::record(recorder, {state("", "Memory", CounterPath::kRegistry),
                             state("", "Memory again", CounterPath::kRegistry),
                             state("", "Old memory", CounterPath::kLog),
                             state("srv2", "Memory", CounterPath::kRegistry)});
  const Captured here = capture(*recorder.history(), everything());
  EXPECT_EQ(here.summary.countersets.size(), 1u);
  EXPECT_EQ(
      here.summary.problems,
      (std::vector<std::string>{"Memory again: left out, because \"Memory\" is the same object",
                                "Old memory: left out, because it comes from a log"}));
  HistoryQuery query = everything();
  query.machine = "srv2";
  query.computer = "srv2";
  const Captured there = capture(*recorder.history(), query);
  ASSERT_EQ(there.summary.countersets.size(), 1u);
  EXPECT_TRUE(there.summary.problems.empty());
}

bool has_text(const Bytes& bytes, std::u16string_view text) {
  const auto wanted = std::as_bytes(std::span(text));
  return !std::ranges::search(bytes, wanted).empty();
}

TEST(HistoryCapture, IsScrubbedFileByFile) {
  recorder::Recorder recorder(testing::kLargeBudget);
  Machine(5).run(recorder, 1'000, 1'200, 5);
  HistoryQuery query = everything();
  query.computer = "SECRETHOST";
  Scrubber scrubber;
  const Captured plain = capture(*recorder.history(), query);
  const Captured scrubbed = capture(*recorder.history(), query, &scrubber);
  EXPECT_GT(scrubber.names(), 5u);
  ASSERT_EQ(scrubbed.folder->files.size(), plain.folder->files.size());
  bool had_names = false;
  for (const auto& [file, bytes] : scrubbed.folder->files) {
    EXPECT_EQ(bytes.size(), plain.folder->files.at(file).size());
    for (const std::u16string_view secret : {u"svchost", u"データ", u"père", u"SECRETHOST"}) {
      EXPECT_FALSE(has_text(bytes, secret)) << file;
      had_names = had_names || has_text(plain.folder->files.at(file), secret);
    }
  }
  EXPECT_TRUE(had_names);
  Replayed now(scrubbed.folder);
  Replayed was(plain.folder);
  EXPECT_TRUE(now.problems().empty());
  const auto history = recorder.history();
  for (const auto& track : history->tracks) {
    const auto& after = now.of(track->name);
    const auto& before = was.of(track->name);
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < after.size(); ++i) expect_same_cells(*after[i], *before[i]);
  }
}

TEST(HistoryCapture, EndsAtAStop) {
  recorder::Recorder recorder(testing::kLargeBudget);
  Machine(6).run(recorder, 1'000, 1'100, 5);
  // Before it begins, or while files are written: the rest of a moment may follow.
  constexpr int kRestOfAMoment = 5;
  for (const int last : {0, 20}) {
    StopSource stop;
    HistoryQuery query = everything();
    query.stop = stop.token();
    int files = 0;
    if (last == 0) stop.request_stop();
    const auto done = capture_history(*recorder.history(), query, nullptr,
                                      [&](std::string_view, std::span<const std::byte>) {
                                        if (++files == last) stop.request_stop();
                                        return std::expected<void, std::string>();
                                      });
    ASSERT_FALSE(done.has_value());
    EXPECT_EQ(done.error(), "the exporter stops");
    EXPECT_GE(files, last);
    EXPECT_LE(files, last == 0 ? 0 : last + kRestOfAMoment);
  }
}

TEST(HistoryCapture, EndsWhenAFileCannotBeStored) {
  recorder::Recorder recorder(testing::kLargeBudget);
  Machine(6).run(recorder, 1'000, 1'100, 5);
  int files = 0;
  const auto done = capture_history(*recorder.history(), everything(), nullptr,
                                    [&](std::string_view, std::span<const std::byte>) {
                                      return ++files < 20 ? std::expected<void, std::string>()
                                                          : std::unexpected(std::string("full"));
                                    });
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error(), "full");
  EXPECT_EQ(files, 20);
}

}  // namespace
}  // namespace winperf::capture
