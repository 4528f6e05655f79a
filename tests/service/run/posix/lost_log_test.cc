// A log that can't be opened costs no counters.
#include <gmock/gmock.h>

#include <filesystem>

#include "tests/service/run/running_server.h"
#include "tests/service/run/temp_folder.h"

namespace winperf {
namespace {

using ::testing::HasSubstr;

TEST(LostLog, OfAServerThatRuns_IsAMetricAndIsWrittenWhenItCanBe) {
  const testing::TempFolder folder;
  // Also for an account that may write everywhere: no log is written through a link.
  std::filesystem::create_symlink(folder.path() / "other.log", folder.path() / "w.log");
  const LogConfig log{.file = "w.log"};
  const LogPlace place{.config_file = (folder.path() / "w.yaml").string()};
  EXPECT_EQ(refuse_log_file(log, place.config_file), std::nullopt);
  EXPECT_FALSE(open_log_lines(log, place)) << "a reload keeps the log that there is";
  ::testing::internal::CaptureStderr();
  {
    auto logger = make_logger(log, place);
    ASSERT_TRUE(logger) << logger.error();
    Config config;
    config.listen.front().port = 0;  // any free one
    testing::RunningServer running(config, {.logger = *logger});
    running.server().maintain();
    EXPECT_EQ(running.own("log_written"), 0);
    (*logger)->write(Event::kStarted, "started");
    running.server().maintain();
    EXPECT_GE(running.own("log_lost_lines_total"), 1);
    std::filesystem::remove(folder.path() / "w.log");
  }
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              HasSubstr("w.log cannot be opened: it is a link; name the file that it leads to\n"));
  EXPECT_THAT(folder.read("w.log"), HasSubstr("lost because the log could not be written"));
}

}  // namespace
}  // namespace winperf
