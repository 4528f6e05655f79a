#include "service/log/logging.h"

#include <gmock/gmock.h>
#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

class RotatedLogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::random_device random;
    do {
      folder_ =
          std::filesystem::temp_directory_path() / ("winperf-log-" + std::to_string(random()));
    } while (!std::filesystem::create_directory(folder_));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Writes the lines as they are, without an end of line.
  void write(std::uintmax_t max_bytes, std::size_t kept, std::initializer_list<const char*> lines) {
    spdlog::logger log("test", std::make_shared<LogFile>(folder_ / "w.log", max_bytes, kept));
    log.set_formatter(std::make_unique<spdlog::pattern_formatter>(
        "%v", spdlog::pattern_time_type::utc, std::string()));
    log.flush_on(spdlog::level::trace);
    for (const char* const line : lines) log.info(line);
  }

  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      std::ifstream in(entry.path(), std::ios::binary);
      all[entry.path().filename().string()] = {std::istreambuf_iterator<char>(in), {}};
    }
    return all;
  }

  std::filesystem::path folder_;
};

TEST_F(RotatedLogTest, AFile_IsFullAtItsExactSizeAndNotBefore) {
  write(10, 2, {"12345", "67890"});
  EXPECT_THAT(files(), ElementsAre(Pair("w.log", "1234567890")));
  write(10, 2, {"x"});
  EXPECT_THAT(files(), ElementsAre(Pair("w.1.log", "1234567890"), Pair("w.log", "x")));
}

TEST_F(RotatedLogTest, ALineThatNoLongerFits_BeginsTheNextFile) {
  write(10, 2, {"12345", "678901", "2345"});
  EXPECT_THAT(files(), ElementsAre(Pair("w.1.log", "12345"), Pair("w.log", "6789012345")));
}

TEST_F(RotatedLogTest, ALineThatIsLargerThanAFile_IsWrittenWhole) {
  write(3, 2, {"12345", "6"});
  EXPECT_THAT(files(), ElementsAre(Pair("w.1.log", "12345"), Pair("w.log", "6")));
}

TEST_F(RotatedLogTest, WhatTheFileAlreadyHolds_Counts) {
  std::ofstream(folder_ / "w.log") << "12345678";
  write(10, 1, {"90"});
  EXPECT_THAT(files(), ElementsAre(Pair("w.log", "1234567890")));
  write(10, 1, {"x"});
  EXPECT_THAT(files(), ElementsAre(Pair("w.1.log", "1234567890"), Pair("w.log", "x")));
}

TEST_F(RotatedLogTest, OneTwoOrManyFullFiles_AreKeptAndTheOldestGoes) {
  const std::initializer_list<const char*> lines = {"a", "b", "c", "d", "e"};
  write(1, 1, lines);
  EXPECT_THAT(files(), ElementsAre(Pair("w.1.log", "d"), Pair("w.log", "e")));
  std::filesystem::remove(folder_ / "w.1.log");
  std::filesystem::remove(folder_ / "w.log");
  write(1, 2, lines);
  EXPECT_THAT(files(), ElementsAre(Pair("w.1.log", "d"), Pair("w.2.log", "c"), Pair("w.log", "e")));
  for (const char* name : {"w.1.log", "w.2.log", "w.log"}) std::filesystem::remove(folder_ / name);
  write(1, 20, lines);
  EXPECT_THAT(files(), ElementsAre(Pair("w.1.log", "d"), Pair("w.2.log", "c"), Pair("w.3.log", "b"),
                                   Pair("w.4.log", "a"), Pair("w.log", "e")));
}

}  // namespace
}  // namespace winperf
