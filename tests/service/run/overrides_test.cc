// What the command line says instead of the configuration.
#include "service/run/overrides.h"

#include <gmock/gmock.h>

#include <fstream>

#include "tests/service/run/temp_folder.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class OverridesTest : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path() / name) << text;
    return (folder_.path() / name).string();
  }

  testing::TempFolder folder_;
  const std::string web_ = file("web.yml", "rate_limit: {interval: 7s, burst: 1}");
};

TEST_F(OverridesTest, AreNothingUnlessTheyAreGiven) {
  EXPECT_EQ(with_overrides(default_config(), {}), default_config());
}

TEST_F(OverridesTest, ReplaceWhatTheyName) {
  const auto config = with_overrides(default_config(), {.listen = {"127.0.0.1:7", "[::1]:8"},
                                                        .web_config_file = web_,
                                                        .telemetry_path = "/other",
                                                        .no_exporter_metrics = true,
                                                        .max_requests = 9});
  ASSERT_TRUE(config) << config.error();
  ASSERT_EQ(config->listen.size(), 2U);
  EXPECT_EQ(config->listen[0].port, 7);
  EXPECT_EQ(config->listen[1].address, "::1");
  for (const ListenConfig& where : config->listen) {
    EXPECT_EQ(where.web_file, web_);
    EXPECT_EQ(where.web.rate_limit.interval, std::chrono::seconds(7));
  }
  EXPECT_EQ(config->metrics.path, "/other");
  EXPECT_FALSE(config->metrics.exporter);
  EXPECT_EQ(config->limits.max_requests, 9U);
  EXPECT_EQ(with_overrides(default_config(), {.max_requests = 0})->limits.max_requests, 10'000U);
}

TEST_F(OverridesTest, ThatAreWrongAreRefused) {
  const auto problem = [](const Overrides& overrides) {
    return with_overrides(default_config(), overrides).error();
  };
  EXPECT_THAT(problem({.listen = {"localhost"}}), HasSubstr("ADDRESS:PORT"));
  EXPECT_THAT(problem({.telemetry_path = "/health"}), HasSubstr("--web.telemetry-path is a path"));
  EXPECT_THAT(problem({.web_config_file = file("bad.yml", "x: 1\ny: 2")}),
              ::testing::ContainsRegex("bad.yml:1:1: unknown key \"x\".*\n.*bad.yml:2:1"));
}

TEST_F(OverridesTest, OfWebConfigurationsAreReadAgain) {
  auto config = with_overrides(default_config(), {.web_config_file = web_});
  file("web.yml", "rate_limit: {interval: 8s}");
  config = with_web_files(*config);
  EXPECT_EQ(config->listen[0].web.rate_limit.interval, std::chrono::seconds(8));
  file("web.yml", "nonsense");
  EXPECT_FALSE(with_web_files(*config));
}

TEST_F(OverridesTest, KnowWhichFilesMatter) {
  Config config = default_config();
  EXPECT_THAT(web_files(config), ElementsAre());
  config.listen[0].web_file = "w";
  config.listen[0].web.tls = {.certificate = {.file = "c"}, .key = {.text = "k"}};
  config.listen.push_back(config.listen[0]);
  EXPECT_THAT(web_files(config), ElementsAre("w", "c"));
}

}  // namespace
}  // namespace winperf
