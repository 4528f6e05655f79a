#include "collectors/facts/steady_file.h"

#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "tests/collectors/sources/temp_dir.h"

namespace winperf {
namespace {

using testing::TempDir;

class SteadyFileTest : public ::testing::Test {
 protected:
  void write(std::string_view text) {
    ASSERT_TRUE(write_whole_file(file_, std::as_bytes(std::span(text))));
  }

  TempDir folder_;
  std::filesystem::path file_ = folder_.path() / "a.prom";
};

TEST_F(SteadyFileTest, IsReadOnceIfNobodyWritesIt) {
  write("1234");
  int tries = 0;
  const auto steady = read_steady_file(file_, 100, [&] { ++tries; });
  ASSERT_TRUE(steady);
  EXPECT_EQ(tries, 1);
  EXPECT_EQ(steady->bytes.size(), 4u);
  EXPECT_EQ(steady->state, *state_of_file(file_));
}

TEST_F(SteadyFileTest, IsReadAgainIfItGrewMeanwhile) {
  write("1234");
  int tries = 0;
  const auto steady = read_steady_file(file_, 100, [&] {
    if (++tries < kSteadyTries) write(std::string(10 + static_cast<std::size_t>(tries), 'x'));
  });
  ASSERT_TRUE(steady);
  EXPECT_EQ(tries, kSteadyTries);
  EXPECT_EQ(steady->bytes.size(), 12u);
  EXPECT_EQ(steady->state.bytes, 12u);
}

TEST_F(SteadyFileTest, IsReadAgainIfOnlyItsTimeChanged) {
  write("1234");
  int tries = 0;
  const auto steady = read_steady_file(file_, 100, [&] {
    if (++tries > 1) return;
    const auto written = std::filesystem::last_write_time(file_);
    std::filesystem::last_write_time(file_, written - std::chrono::hours(24));
  });
  ASSERT_TRUE(steady);
  EXPECT_EQ(tries, 2);
}

TEST_F(SteadyFileTest, IsGivenUpIfItAlwaysChanges) {
  write("1");
  std::size_t size = 1;
  const auto steady = read_steady_file(file_, 100, [&] { write(std::string(++size, 'x')); });
  ASSERT_FALSE(steady);
  EXPECT_EQ(size, 1u + kSteadyTries);
  EXPECT_EQ(steady.error().reason,
            "it is being written: write it under another name, and rename it");
}

TEST_F(SteadyFileTest, MayDisappear) {
  EXPECT_EQ(read_steady_file(file_, 100).error().problem, FileProblem::kAbsent);
  write("1234");
  const auto gone = read_steady_file(file_, 100, [&] { std::filesystem::remove(file_); });
  EXPECT_EQ(gone.error().problem, FileProblem::kAbsent);
}

TEST_F(SteadyFileTest, MayBeTooLarge) {
  write("1234");
  EXPECT_EQ(read_steady_file(file_, 3).error().problem, FileProblem::kTooLarge);
  const auto grown = read_steady_file(file_, 4, [&] { write("12345"); });
  EXPECT_EQ(grown.error().problem, FileProblem::kTooLarge);
}

}  // namespace
}  // namespace winperf
