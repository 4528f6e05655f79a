// Readers while samples are added: each sees whole samples, and keeps what it has.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "collectors/recorder/lives.h"
#include "collectors/recorder/windows.h"
#include "tests/collectors/recorder/recorded.h"

namespace winperf::recorder {
namespace {

constexpr std::size_t kBudget = kMebibyte / 4;  // so that chunks go while they are read
constexpr std::size_t kRows = 60;
constexpr std::int64_t kSamples = 1'200;

// Whether each value of each sample is the one that belongs to its time.
bool is_sound(const Track& track) {
  const auto recorded = recorded_samples(track, {0}, testing::wall_at(1'000'000));
  if (!recorded) return false;
  for (const RecordedSample& sample : *recorded) {
    const auto second = static_cast<std::uint64_t>(sample.at.wall.ticks / kTicks100nsPerSecond);
    for (std::size_t row = 0; row < sample.sample->rows(); ++row)
      if (sample.sample->raw[row] != second * (row + 1)) return false;
  }
  return windows(track, {.counter = "Rate", .since = {0}, .until = testing::wall_at(100'000)})
      .has_value();
}

TEST(Recorder, IsReadWhileSamplesAreAdded) {
  Recorder recorder(kBudget);
  std::atomic<bool> is_over = false;
  std::atomic<int> reads = 0;
  std::atomic<int> unsound = 0;
  const auto read = [&] {
    do {
      const auto history = recorder.history();
      if (history == nullptr) continue;
      const Track* const track = history->track(testing::kCounterset);
      if (track == nullptr || !is_sound(*track)) ++unsound;
      ++reads;
    } while (!is_over);
  };
  std::thread first(read);
  std::thread second(read);
  std::vector<std::string> names;
  for (std::size_t row = 0; row < kRows; ++row) names.push_back("i" + std::to_string(row));
  for (std::int64_t i = 1; i <= kSamples; ++i) {
    std::vector<std::uint64_t> values;
    for (std::size_t row = 0; row < kRows; ++row)
      values.push_back(static_cast<std::uint64_t>(i) * 5 * (row + 1));
    testing::record(recorder,
                    testing::sample_of_column(
                        {.index = 2, .type = testing::kLargeRate, .size = 8, .name = "Rate"}, names,
                        std::move(values), i * 5),
                    i * 5);
  }
  is_over = true;
  first.join();
  second.join();
  EXPECT_EQ(unsound, 0);
  EXPECT_GT(reads, 0);
}

}  // namespace
}  // namespace winperf::recorder
