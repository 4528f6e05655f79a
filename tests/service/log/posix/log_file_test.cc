// What can be wrong with a log file that only this system can be made to show.
#include "service/log/logging.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <spdlog/pattern_formatter.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(LogFileOnPosix, AFullDiskIsSaidWithTheNameOfTheFile) {
  LogFile file("/dev/full", 1000, 1);
  try {
    file.log(spdlog::details::log_msg("test", spdlog::level::info, "text"));
    FAIL() << "it was written";
  } catch (const spdlog::spdlog_ex& error) {
    EXPECT_STREQ(error.what(), "/dev/full cannot be written to: No space left on device");
  }
}

TEST(LogFileOnPosix, WhatCannotBeOpenedIsSaidAtOnce) {
  const std::string folder = std::filesystem::temp_directory_path().string();
  LogFile file(folder, 1000, 1);
  EXPECT_EQ(file.open(), folder + " cannot be opened: Is a directory");
}

TEST(LogFileOnPosix, AFileThatIsAnotherOneTooIsNotOpened) {
  const auto folder = std::filesystem::temp_directory_path() /
                      ("winperf-links-" + std::to_string(std::random_device{}()));
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "other") << "another's";
  std::filesystem::create_hard_link(folder / "other", folder / "hard.log");
  std::filesystem::create_symlink("other", folder / "soft.log");
  for (const auto& [name, reason] :
       {std::pair("hard.log", "it has another hard link"), std::pair("soft.log", "it is a link")}) {
    try {
      LogFile file(folder / name, 1000, 1);
      file.log(spdlog::details::log_msg("test", spdlog::level::info, "text"));
      ADD_FAILURE() << name << " was opened";
    } catch (const spdlog::spdlog_ex& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(reason));
    }
  }
  EXPECT_EQ(std::filesystem::file_size(folder / "other"), 9U);
  std::filesystem::remove_all(folder);
}

// Such as a pipe: it is never full, so nothing is renamed.
TEST(LogFileOnPosix, WhatHasNoSizeIsNotRotated) {
  const auto pipe = std::filesystem::temp_directory_path() /
                    ("winperf-pipe-" + std::to_string(std::random_device{}()));
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDWR | O_NONBLOCK);
  {
    LogFile file(pipe, 2, 1);
    file.set_formatter(std::make_unique<spdlog::pattern_formatter>(
        "%v", spdlog::pattern_time_type::utc, std::string()));
    file.log(spdlog::details::log_msg("test", spdlog::level::info, "text"));
  }
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  std::array<char, 8> read_back{};
  EXPECT_EQ(::read(reader, read_back.data(), read_back.size()), 4);
  EXPECT_STREQ(read_back.data(), "text");
  ::close(reader);
  std::filesystem::remove(pipe);
}

// While it lives, no file can grow beyond so many bytes: to each of them, the disk is full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    before_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit full{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &full);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, before_handler_);
  }

 private:
  rlimit before_{};
  void (*before_handler_)(int) = nullptr;
};

class FullDiskTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("winperf-full-" + std::to_string(std::random_device{}()));
    ASSERT_TRUE(std::filesystem::create_directory(folder_));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<LogFile> open(std::uintmax_t max_bytes) {
    auto log = std::make_unique<LogFile>(folder_ / "w.log", max_bytes, 1);
    log->set_formatter(std::make_unique<spdlog::pattern_formatter>(
        "%v", spdlog::pattern_time_type::utc, std::string()));
    return log;
  }
  static bool is_written(LogFile& log, const char* line) {
    try {
      log.log(spdlog::details::log_msg("test", spdlog::level::info, line));
      return true;
    } catch (const spdlog::spdlog_ex&) {
      return false;
    }
  }
  static bool is_written_to_full_disk(rlim_t bytes, LogFile& log, const char* line) {
    const FullDisk full(bytes);
    return is_written(log, line);
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

TEST_F(FullDiskTest, ALineThatDoesNotFitIsTakenBackAndTheNextIsTriedAgain) {
  const auto log = open(1000);
  EXPECT_TRUE(is_written(*log, "12345"));
  std::vector<bool> written;
  {
    const FullDisk full(8);
    written = {is_written(*log, "too long"), is_written(*log, "abc"), is_written(*log, "d")};
  }
  EXPECT_THAT(written, ElementsAre(false, true, false));
  EXPECT_THAT(files(), ElementsAre(Pair("w.log", "12345abc")));
  EXPECT_TRUE(is_written(*log, "more"));
  EXPECT_THAT(files(), ElementsAre(Pair("w.log", "12345abcmore")));
}

TEST_F(FullDiskTest, NothingThatAnotherProgramHasWrittenIsTakenBack) {
  const auto log = open(1000);
  EXPECT_TRUE(is_written(*log, "12345"));
  std::ofstream(folder_ / "w.log", std::ios::app) << "other";
  EXPECT_FALSE(is_written_to_full_disk(11, *log, "abc"));
  EXPECT_THAT(files(), ElementsAre(Pair("w.log", "12345other")));
}

TEST_F(FullDiskTest, AFileThatAnotherProgramHasEmptiedIsNotMadeLonger) {
  const auto log = open(1000);
  EXPECT_TRUE(is_written(*log, "12345"));
  std::filesystem::resize_file(folder_ / "w.log", 0);
  EXPECT_FALSE(is_written_to_full_disk(1, *log, "abc"));
  EXPECT_THAT(files(), ElementsAre(Pair("w.log", "a")));
}

TEST_F(FullDiskTest, NothingIsRotatedAwayForLinesThatAreLost) {
  const auto log = open(5);
  for (const char* line : {"older", "12345"}) EXPECT_TRUE(is_written(*log, line));
  int lost = 0;
  {
    const FullDisk full(0);
    for (int i = 0; i < 5; ++i) lost += !is_written(*log, "x");
  }
  EXPECT_EQ(lost, 5);
  EXPECT_THAT(files(), ElementsAre(Pair("w.1.log", "older"), Pair("w.log", "12345")));
  EXPECT_TRUE(is_written(*log, "y"));
  EXPECT_TRUE(is_written(*log, "z"));
  EXPECT_THAT(files(), ElementsAre(Pair("w.1.log", "12345"), Pair("w.log", "yz")));
}

// What was lost doesn't count towards the size at which a file is full.
TEST_F(FullDiskTest, AFileIsFullByWhatIsInIt) {
  const auto log = open(8);
  EXPECT_TRUE(is_written(*log, "12"));
  int lost = 0;
  {
    const FullDisk full(2);
    for (int i = 0; i < 5; ++i) lost += !is_written(*log, "345");
  }
  EXPECT_EQ(lost, 5);
  EXPECT_TRUE(is_written(*log, "678"));
  EXPECT_THAT(files(), ElementsAre(Pair("w.log", "12678")));
}

TEST_F(FullDiskTest, WhereNoNewFileCanBeginTheFullOneIsStillRotated) {
  std::filesystem::create_directory(folder_ / "w.0.log");
  const auto log = open(5);
  for (const char* line : {"older", "12345", "x"}) EXPECT_TRUE(is_written(*log, line));
  EXPECT_TRUE(std::filesystem::is_directory(folder_ / "w.0.log"));
  std::filesystem::remove(folder_ / "w.0.log");
  EXPECT_THAT(files(), ElementsAre(Pair("w.1.log", "12345"), Pair("w.log", "x")));
}

TEST(LogFileOnPosix, ANameThatLeadsNowhereIsRefused) {
  const auto link = std::filesystem::temp_directory_path() /
                    ("winperf-loop-" + std::to_string(std::random_device{}()));
  std::filesystem::create_symlink(link, link);
  const auto refused = refuse_log_file({.file = link.string()}, "");
  std::filesystem::remove(link);
  ASSERT_TRUE(refused);
  EXPECT_EQ(*refused, "the log file " + link.string() +
                          " cannot be opened: Too many levels of symbolic links");
}

TEST(LogFileOnPosix, AFileIsNoFolder) {
  const auto refused = refuse_log_file({.file = "/dev/null/below.log"}, "");
  ASSERT_TRUE(refused);
  EXPECT_EQ(*refused, "the log file /dev/null/below.log cannot be opened: Not a directory");
}

}  // namespace
}  // namespace winperf
