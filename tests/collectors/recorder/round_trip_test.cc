// What is recorded comes back bit for bit.
#include <gtest/gtest.h>

#include "collectors/recorder/lives.h"
#include "tests/collectors/recorder/recorded.h"
#include "tests/collectors/sampling/random_samples.h"
#include "tests/support/sample_arrays.h"

namespace winperf::recorder {
namespace {

void expect_same_arrays(const CountersetSample& now, const CountersetSample& then) {
  EXPECT_EQ(now.schema->counters, then.schema->counters);
  EXPECT_EQ(now.instances->instances, then.instances->instances);
  EXPECT_EQ(now.clocks, then.clocks);
  EXPECT_EQ(now.own_clocks, then.own_clocks);
  EXPECT_EQ(now.raw, then.raw);
  EXPECT_EQ(now.reason, then.reason);
  EXPECT_EQ(now.more, then.more);
  EXPECT_EQ(now.owner, then.owner);
  EXPECT_EQ(now.instances_left_out, then.instances_left_out);
}

using Samples = std::vector<std::shared_ptr<const CountersetSample>>;

void expect_history(const Recorder& recorder, const Samples& samples) {
  const auto history = recorder.history();
  ASSERT_NE(history, nullptr);
  const Track* track = history->track(testing::kCounterset);
  ASSERT_NE(track, nullptr);
  const auto recorded = recorded_samples(*track, {0}, testing::wall_at(1'000'000));
  ASSERT_TRUE(recorded.has_value()) << describe(recorded.error());
  ASSERT_EQ(recorded->size(), samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    SCOPED_TRACE("sample " + std::to_string(i));
    EXPECT_EQ((*recorded)[i].skipped, 0u);
    expect_same_arrays(*(*recorded)[i].sample, *samples[i]);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(RecorderOfRandomSamples, GivesThemBackBitForBit) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    testing::RandomSamples random(seed);
    testing::Chained chain;
    Recorder recorder(testing::kLargeBudget);
    Samples samples;
    for (int i = 0; i < 130; ++i) {
      samples.push_back(chain.append(random.next()));
      testing::record(recorder, samples.back(), 5 * i);
    }
    expect_history(recorder, samples);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Recorder, KeepsEachFieldOfAnInstance) {
  auto schema = testing::schema_of({{.index = 2}}, true);
  Recorder recorder(testing::kLargeBudget);
  Samples samples;
  for (std::uint64_t i = 0; i < 90; ++i) {
    auto set = std::make_shared<InstanceSet>();
    for (std::uint64_t j = i / 7; j < i / 5 + 4; ++j) {
      InstanceSchema& instance = set->instances.emplace_back();
      instance.name = "i" + std::to_string(j % 5);
      instance.parent = j % 3 == 0 ? "p" : "";
      instance.ordinal = static_cast<std::uint32_t>(j);
      instance.duplicate = static_cast<std::uint32_t>(j / 5);
      if (j % 2 == 0) instance.unique_id = static_cast<std::uint32_t>(j);
      instance.process_id = j == 8 ? ~std::uint64_t{0} : j * 4;
      if (j % 4 == 0) instance.thread_id = j;
      if (i % 3 == 0) instance.owner = j;
      instance.started = 133'000'000'000'000'000 + j;
      if (j % 3 == 1) instance.labels = {{"user", "alice"}, {"pool", "p" + std::to_string(i / 9)}};
    }
    auto sample = testing::make_raw_sample(schema, set, testing::at_second(1'000));
    for (std::size_t row = 0; row < sample->rows(); ++row) sample->raw[row] = row + i;
    sample->instances_left_out = i / 4;
    samples.push_back(sample);
    testing::record(recorder, std::move(sample), static_cast<std::int64_t>(i));
  }
  expect_history(recorder, samples);
}

TEST(Recorder, KeepsArraysThatATypeDoesNotNeed) {
  Recorder recorder(testing::kLargeBudget);
  Samples samples;
  const auto set = testing::instances_named({"a", "b"});
  const auto schema = testing::schema_of({{.index = 2}, {.index = 4}}, true);
  for (std::uint64_t i = 0; i < 60; ++i) {
    auto sample = testing::make_raw_sample(schema, set, testing::at_second(1'000));
    testing::give_all_arrays(*sample);
    for (std::size_t cell = 0; cell < sample->raw.size(); ++cell) sample->raw[cell] = cell * i;
    for (std::size_t cell = 0; cell < sample->more.size(); ++cell) sample->more[cell] = i << cell;
    samples.push_back(sample);
    testing::record(recorder, std::move(sample), static_cast<std::int64_t>(i));
  }
  expect_history(recorder, samples);
}

TEST(Recorder, HasNothingWithoutABudget) {
  Recorder recorder(0);
  testing::record(recorder, testing::single({{.index = 2}}, {1}, 1), 1);
  EXPECT_EQ(recorder.history(), nullptr);
}

TEST(Recorder, RecordsASampleOnce) {
  Recorder recorder(testing::kLargeBudget);
  const std::shared_ptr<const CountersetSample> sample = testing::single({{.index = 2}}, {1}, 1);
  for (int i = 0; i < 3; ++i) testing::record(recorder, sample, 1);
  expect_history(recorder, {sample});
}

TEST(Recorder, ContinuesAfterAReload) {
  Recorder recorder(testing::kLargeBudget);
  Samples samples;
  for (std::uint64_t i = 0; i < 30; ++i) {
    // Each has a new schema with the same content.
    samples.push_back(testing::single({{.index = 2}}, {i * 3}, static_cast<std::int64_t>(i)));
    testing::record(recorder, samples.back(), static_cast<std::int64_t>(i));
    if (i == 15) testing::record(recorder, std::vector<CountersetState>());
  }
  expect_history(recorder, samples);
  const auto history = recorder.history();
  const auto& chunks = history->track(testing::kCounterset)->chunks;
  EXPECT_EQ(chunks.front()->shape, chunks.back()->shape);
}

// A failing counterset keeps its last sample, while others go on for an hour.
TEST(Recorder, KeepsTheSampleOfACountersetThatFailsOnce) {
  Recorder recorder(testing::kLargeBudget);
  const auto sample = [](std::int64_t second) {
    return testing::sample_of_column({.index = 2, .size = 8, .name = "Level"}, {"a"}, {7}, second);
  };
  const auto failed = testing::state_of(sample(0), testing::instant_at(0), "Failed");
  for (std::int64_t now = 0; now <= 3'600; now += 10)
    testing::record(recorder, {failed, testing::state_of(sample(now), testing::instant_at(now))});
  const auto history = recorder.history();
  const auto kept = recorded_samples(*history->track("Failed"), {0}, testing::wall_at(10'000));
  ASSERT_TRUE(kept.has_value());
  EXPECT_EQ(kept->size(), 1u);
  EXPECT_EQ(history->reach(), std::chrono::hours(1));
}

TEST(Recorder, ForgetsWhatIsMoreThanItsNewBudget) {
  Recorder recorder(testing::kLargeBudget);
  const auto add = [&](std::int64_t now) {
    testing::record(recorder,
                    testing::sample_of_column({.index = 2, .size = 8, .name = "Level"}, {"a"},
                                              {static_cast<std::uint64_t>(now * now % 1'009)}, now),
                    now);
  };
  for (std::int64_t now = 0; now <= 7'200; now += 10) add(now);
  const std::size_t before = recorder.history()->memory;
  recorder.change_budget(before / 2);
  EXPECT_LE(recorder.history()->memory, before / 2) << "also if no sample follows";
  add(7'210);
  EXPECT_LE(recorder.history()->memory, before / 2);
  EXPECT_LT(recorder.history()->reach(), std::chrono::hours(2));
  recorder.change_budget(0);
  EXPECT_EQ(recorder.history(), nullptr);
  add(7'220);
  EXPECT_EQ(recorder.history(), nullptr);
}

}  // namespace
}  // namespace winperf::recorder
