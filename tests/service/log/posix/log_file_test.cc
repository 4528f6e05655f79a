// What can be wrong with a log file that only this system can be made to show.
#include "service/log/log_file.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <random>
#include <string>

#include "service/log/logging.h"

namespace winperf {
namespace {

using ::testing::HasSubstr;

TEST(LogFileOnPosix, AFullDiskIsSaidWithTheNameOfTheFile) {
  LogFile file("/dev/full", 1000, 1);
  file.log(spdlog::details::log_msg("test", spdlog::level::info, "text"));
  try {
    file.flush();
    FAIL() << "it was written";
  } catch (const spdlog::spdlog_ex& error) {
    EXPECT_STREQ(error.what(), "/dev/full cannot be written to: No space left on device");
  }
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
