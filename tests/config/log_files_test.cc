#include "config/log_files.h"

#include <gtest/gtest.h>

#include "tests/config/config_edit.h"

namespace winperf {
namespace {

std::string first_error(std::string_view text, std::string_view file_name) {
  const auto config = parse_config(text, file_name);
  return config ? "" : describe(config.error().front());
}

TEST(LogFiles, FullFilesHaveTheirNumberBeforeTheExtension) {
  EXPECT_EQ(full_log_file("logs/w.log", 1), "logs/w.1.log");
  EXPECT_EQ(full_log_file("logs/w.x.log", 12), "logs/w.x.12.log");
  EXPECT_EQ(full_log_file("w", 3), "w.3");
}

TEST(LogFiles, ThatWouldOverwriteTheConfiguration_AreAnErrorAtTheirPlace) {
  const std::string itself =
      "\"log.file\" cannot be used: it is the configuration file itself; name another file";
  EXPECT_EQ(first_error("log: {file: w.yaml}", "dir/w.yaml"), "dir/w.yaml:1:13: " + itself);
  EXPECT_EQ(first_error("log: {file: ../dir/./w.yaml}", "dir/w.yaml"),
            "dir/w.yaml:1:13: " + itself);
  EXPECT_EQ(first_error("log: {file: x.yaml, max_files: 3}", "x.3.yaml"),
            "x.3.yaml:1:13: \"log.file\" cannot be used: full log file 3 would be the "
            "configuration file itself; name another file");
  EXPECT_EQ(first_error("log: {file: x.yaml}", "x.0.yaml"),
            "x.0.yaml:1:13: \"log.file\" cannot be used: a new log file begins under the name of "
            "the configuration file; name another file");
}

TEST(LogFiles, WithOtherNames_AreNoError) {
  EXPECT_EQ(first_error("log: {file: x.yaml, max_files: 2}", "x.3.yaml"), "");
  EXPECT_EQ(first_error("log: {file: other/w.yaml}", "dir/w.yaml"), "");
  EXPECT_EQ(first_error("log: {file: \"\"}", "w.yaml"), "");
  EXPECT_EQ(first_error("log: {file: w.yaml}", ""), "");
}

TEST(LogFiles, ThatWouldOverwriteTheConfiguration_AreListedWithTheOtherErrors) {
  const auto config = parse_config("interval: x\nlog: {file: w.yaml, level: loud}", "w.yaml");
  ASSERT_FALSE(config);
  ASSERT_EQ(config.error().size(), 3U);
  EXPECT_EQ(config.error()[1].line, 2U);
  EXPECT_EQ(config.error()[1].column, 13U);
}

TEST(LogFiles, ThatWouldOverwriteTheConfiguration_AreNotSet) {
  const auto edit = set_config_value("log: {level: info}", "dir/w.yaml", "log.file", "w.yaml");
  ASSERT_FALSE(edit);
  EXPECT_TRUE(edit.error().contains("it is the configuration file itself")) << edit.error();
  EXPECT_TRUE(set_config_value("log: {level: info}", "dir/w.yaml", "log.file", "w.log"));
}

}  // namespace
}  // namespace winperf
