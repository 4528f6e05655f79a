#include "service/run/file_watch.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

namespace winperf {
namespace {

class FileWatchTest : public ::testing::Test {
 protected:
  void SetUp() override { write("one"); }
  void TearDown() override { std::filesystem::remove(path_); }

  // Every write has another size, because the time of two of them may be the same.
  void write(const std::string& text) { std::ofstream(path_) << text; }

  const std::filesystem::path path_ =
      std::filesystem::temp_directory_path() /
      (std::string("winperf-watch-") +
       ::testing::UnitTest::GetInstance()->current_test_info()->name() + "-" +
       std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
};

TEST_F(FileWatchTest, Unchanged_IsNoChange) {
  FileWatch watch(path_);
  EXPECT_FALSE(watch.settled_change());
  EXPECT_FALSE(watch.settled_change());
}

TEST_F(FileWatchTest, AChange_IsToldOnceAndWhenItHasSettled) {
  FileWatch watch(path_);
  write("three");
  EXPECT_FALSE(watch.settled_change()) << "perhaps it is still being written";
  write("eleven");
  EXPECT_FALSE(watch.settled_change());
  EXPECT_TRUE(watch.settled_change());
  EXPECT_FALSE(watch.settled_change());
}

TEST_F(FileWatchTest, AnotherTimeOfTheSameSize_IsAChange) {
  FileWatch watch(path_);
  std::filesystem::last_write_time(path_,
                                   std::filesystem::last_write_time(path_) + std::chrono::hours(1));
  EXPECT_FALSE(watch.settled_change());
  EXPECT_TRUE(watch.settled_change());
}

TEST_F(FileWatchTest, AnotherSizeOfTheSameTime_IsAChange) {
  FileWatch watch(path_);
  const auto time = std::filesystem::last_write_time(path_);
  write("four");
  std::filesystem::last_write_time(path_, time);
  EXPECT_FALSE(watch.settled_change());
  EXPECT_TRUE(watch.settled_change());
}

TEST_F(FileWatchTest, AFileReplacedByAnotherOne_HasChanged) {
  FileWatch watch(path_);
  const std::filesystem::path other = path_.string() + ".new";
  std::ofstream(other) << "four";
  std::filesystem::rename(other, path_);
  EXPECT_FALSE(watch.settled_change());
  EXPECT_TRUE(watch.settled_change());
}

TEST_F(FileWatchTest, AFileThatGoesAndComesBackAsItWas_IsNoChange) {
  FileWatch watch(path_);
  const std::filesystem::path other = path_.string() + ".away";
  std::filesystem::rename(path_, other);
  EXPECT_FALSE(watch.settled_change());
  std::filesystem::rename(other, path_);
  EXPECT_FALSE(watch.settled_change());
  EXPECT_FALSE(watch.settled_change());
}

TEST_F(FileWatchTest, AFileThatIsGone_HasChanged) {
  FileWatch watch(path_);
  std::filesystem::remove(path_);
  EXPECT_FALSE(watch.settled_change());
  EXPECT_TRUE(watch.settled_change());
  EXPECT_FALSE(watch.settled_change());
}

TEST_F(FileWatchTest, WhatWasSeen_IsNoChange) {
  FileWatch watch(path_);
  write("three");
  watch.seen();
  EXPECT_FALSE(watch.settled_change());
  EXPECT_FALSE(watch.settled_change());
}

TEST(FileWatch, WithoutAFile_NothingChanges) {
  FileWatch watch({});
  EXPECT_FALSE(watch.settled_change());
  EXPECT_FALSE(watch.settled_change());
}

}  // namespace
}  // namespace winperf
