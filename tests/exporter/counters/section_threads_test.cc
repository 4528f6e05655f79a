// A section that is read while it is written to, by threads, whose accesses ThreadSanitizer sees.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "exporter/counters/section_writer.h"
#include "tests/exporter/counters/section_states.h"
#include "tests/support/thorough.h"

namespace winperf::own {
namespace {

struct Reading {
  std::uint64_t whole = 0;
  std::uint64_t newest = 0;
  std::string wrong{};
};

// Until the writer is done and this one has seen its last state.
Reading read_states(std::span<const Word> words, std::uint64_t last) {
  Reading reading;
  while (reading.newest < last && reading.wrong.empty()) {
    const auto copy = SectionView(words).newest();
    if (!copy) continue;
    const std::string wrong = testing::wrong_in(*copy);
    if (!copy->is_whole()) continue;
    ++reading.whole;
    reading.wrong = copy->number() < reading.newest ? "an older state" : wrong;
    reading.newest = copy->number();
  }
  return reading;
}

TEST(OwnSectionThreads, ReadersSeeWholeStatesThatOnlyGrow) {
  const std::uint64_t last = winperf::testing::tried(5'000, 50'000);
  const auto memory = std::make_unique<Word[]>(kSectionWords);
  const std::span<Word> words(memory.get(), kSectionWords);
  std::vector<Reading> readings(3);
  std::atomic<std::size_t> begun = 0;
  std::vector<std::thread> readers;
  for (Reading& reading : readings)
    readers.emplace_back([&] {
      ++begun;
      reading = read_states(words, last);
    });
  while (begun < readings.size()) std::this_thread::yield();
  SectionWriter writer(words);
  OwnState state;
  for (std::uint64_t number = writer.next_number(); number <= last; ++number) {
    testing::become(state, number, testing::row_count_of(number));
    writer.publish(state);
  }
  for (std::thread& reader : readers) reader.join();
  for (const Reading& reading : readings) {
    EXPECT_EQ(reading.wrong, "");
    EXPECT_GT(reading.whole, 0U);
    EXPECT_EQ(reading.newest, last);
  }
}

}  // namespace
}  // namespace winperf::own
