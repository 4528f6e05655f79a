// The recorder stays within its budget, and the budget is what it takes.
#include <gtest/gtest.h>

#include "collectors/recorder/lives.h"
#include "tests/collectors/recorder/recorded.h"
#include "tests/support/allocations.h"

namespace winperf::recorder {
namespace {

constexpr std::size_t kBudget = 2 * kMebibyte;
constexpr std::int64_t kEach = 5;

const std::vector<testing::Column> kColumns{
    {.index = 2, .type = testing::kLargeRate, .size = 8, .name = "Rate"},
    {.index = 4, .type = CounterType{0x00010100}, .size = 8, .name = "Level"},
    {.index = 6, .type = testing::kElapsed, .size = 8, .name = "Elapsed"}};

std::shared_ptr<const InstanceSet> processes(std::uint64_t first, std::uint64_t count) {
  auto set = std::make_shared<InstanceSet>();
  for (std::uint64_t id = first; id < first + count; ++id) {
    InstanceSchema& instance = set->instances.emplace_back();
    instance.name = "a process with a long name " + std::to_string(id % 100'000);
    instance.ordinal = static_cast<std::uint32_t>(id - first);
    instance.process_id = id * 4;
    instance.started = 133'000'000'000'000'000 + id * 77;
  }
  return set;
}

std::shared_ptr<CountersetSample> sample_of_processes(
    const std::shared_ptr<const CountersetSchema>& schema,
    std::shared_ptr<const InstanceSet> instances, std::int64_t now) {
  auto sample = testing::make_raw_sample(schema, std::move(instances), testing::at_second(now));
  for (std::size_t cell = 0; cell < sample->raw.size(); ++cell)
    sample->raw[cell] = cell * 1'000'003 + static_cast<std::uint64_t>(now * 12'347);
  return sample;
}

// What the recorder has allocated, besides the sample that it shares with the sampler.
void expect_honest(std::unique_ptr<Recorder>& recorder) {
  const std::size_t counted = recorder->history()->memory;
  EXPECT_LE(counted, kBudget);
  const std::uint64_t with = testing::allocated_bytes();
  recorder.reset();
  const std::uint64_t taken = with - testing::allocated_bytes();
  EXPECT_LE(taken, counted + counted / 20);
  EXPECT_GE(taken, counted / 2);
}

TEST(Budget, IsKeptWith100000NewProcessesAMinute) {
  constexpr std::uint64_t kNew = 100'000 * kEach / 60;
  auto recorder = std::make_unique<Recorder>(kBudget);
  const auto schema = testing::schema_of(kColumns, true);
  std::shared_ptr<const CountersetSample> last;
  for (std::int64_t i = 0; i < 15; ++i) {
    last = sample_of_processes(schema, processes(static_cast<std::uint64_t>(i) * kNew, kNew),
                               i * kEach);
    testing::record(*recorder, last, i * kEach);
    ASSERT_LE(recorder->history()->memory, kBudget);
  }
  {
    const auto history = recorder->history();
    const auto kept =
        recorded_samples(*history->track(testing::kCounterset), {0}, testing::wall_at(100'000));
    ASSERT_TRUE(kept.has_value());
    ASSERT_GT(kept->size(), 2u);
    EXPECT_EQ(kept->back().sample->raw, last->raw);
  }
  expect_honest(recorder);
}

TEST(Budget, IsKeptByManySmallCountersets) {
  auto recorder = std::make_unique<Recorder>(kBudget);
  std::vector<CountersetState> states;
  for (std::int64_t i = 0; i < 200; ++i) {
    states.clear();
    for (std::uint64_t set = 0; set < 50; ++set) {
      auto sample =
          testing::single(kColumns, {set * 3, static_cast<std::uint64_t>(i) * set, 1}, i * 60);
      states.push_back(testing::state_of(std::move(sample), testing::instant_at(i * 60),
                                         "counterset " + std::to_string(set)));
    }
    testing::record(*recorder, states);
    ASSERT_LE(recorder->history()->memory, kBudget);
  }
  EXPECT_EQ(recorder->history()->tracks.size(), 50u);
  expect_honest(recorder);
}

// The oldest chunk goes first, of whichever counterset.
TEST(Budget, KeepsTheSameTimeOfAllCountersets) {
  Recorder recorder(kBudget);
  const auto schema = testing::schema_of(kColumns, true);
  const auto many = processes(0, 3'000);
  const auto few = processes(0, 500);
  for (std::int64_t i = 0; i < 300; ++i) {
    const Instant at = testing::instant_at(i * kEach);
    testing::record(recorder,
                    {testing::state_of(sample_of_processes(schema, many, i * i), at, "many"),
                     testing::state_of(sample_of_processes(schema, few, i * i), at, "few")});
  }
  const auto history = recorder.history();
  const auto begin = [&](const char* name) {
    return history->track(name)->chunks.front()->first.wall.ticks / kTicks100nsPerSecond;
  };
  EXPECT_GT(begin("few"), 0);
  EXPECT_NEAR(static_cast<double>(begin("few")), static_cast<double>(begin("many")), 200);
}

TEST(Recorder, ForgetsWhatCannotBeAllocated) {
  Recorder recorder(kBudget);
  testing::record(recorder, testing::single(kColumns, {1, 2, 3}, 5), 5);
  ASSERT_NE(recorder.history(), nullptr);
  Sample sample;
  sample.countersets.push_back(
      testing::state_of(testing::single(kColumns, {4, 5, 6}, 10), testing::instant_at(10)));
  {
    const testing::FailingAllocations failing;
    recorder.add(sample);
  }
  EXPECT_EQ(recorder.history(), nullptr);
  recorder.add(sample);
  ASSERT_NE(recorder.history(), nullptr);
  EXPECT_EQ(recorder.history()->tracks.size(), 1u);
}

TEST(Recorder, TakesLessWhereMemoryIsScarce) {
  EXPECT_EQ(default_budget(std::uint64_t{1} << 30U), 4 * kMebibyte);
  EXPECT_EQ(default_budget(std::uint64_t{2} << 30U), 16 * kMebibyte);
}

}  // namespace
}  // namespace winperf::recorder
