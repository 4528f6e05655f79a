// What the command line says instead of the configuration.
#include "service/run/overrides.h"

#include <gmock/gmock.h>

#include <fstream>
#include <map>

#include "service/plan/setup.h"
#include "tests/service/run/temp_folder.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

class OverridesTest : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path() / name) << text;
    return (folder_.path() / name).string();
  }

  testing::TempFolder folder_;
  const std::string web_ = file("web.yml", "rate_limit: {interval: 7s, burst: 1}");
};

std::expected<Config, std::string> used(const Overrides& overrides) {
  auto loaded = with_overrides({.config = default_config()}, overrides);
  if (!loaded) return std::unexpected(loaded.error());
  return std::move(loaded->config);
}

TEST_F(OverridesTest, AreNothingUnlessTheyAreGiven) { EXPECT_EQ(used({}), default_config()); }

TEST_F(OverridesTest, ReplaceWhatTheyName) {
  const auto config = used({.listen = {"127.0.0.1:7", "[::1]:8"},
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
  EXPECT_EQ(used({.max_requests = 0})->limits.max_requests, 10'000U);
}

TEST_F(OverridesTest, ThatAreWrongAreRefused) {
  const auto problem = [](const Overrides& overrides) { return used(overrides).error(); };
  EXPECT_THAT(problem({.listen = {"localhost"}}), HasSubstr("ADDRESS:PORT"));
  EXPECT_THAT(problem({.telemetry_path = "/health"}), HasSubstr("--web.telemetry-path is used"));
  EXPECT_THAT(problem({.web_config_file = file("bad.yml", "x: 1\ny: 2")}),
              ::testing::ContainsRegex("bad.yml:1:1: unknown key \"x\".*\n.*bad.yml:2:1"));
}

TEST_F(OverridesTest, OfWebConfigurationsAreReadAgain) {
  const Config before = used({.web_config_file = web_}).value();
  file("web.yml", "rate_limit: {interval: 8s}");
  const Config config = read_web_files({.config = before})->config;
  EXPECT_EQ(config.listen[0].web.rate_limit.interval, std::chrono::seconds(8));
  file("web.yml", "nonsense");
  EXPECT_FALSE(read_web_files({.config = config}));
}

// An editor may be writing it.
TEST_F(OverridesTest, OfOneLoad_ReadEachFileOnce) {
  std::map<std::string, int> reads;
  const ReadFile read = [&](const std::filesystem::path& path) {
    ++reads[path.filename().string()];
    return read_config_file(path);
  };
  const std::string config =
      file("w.yaml",
           "listen: [{port: 1, web_config_file: web.yml}, {port: 2, web_config_file: web.yml}]");
  const auto other = file("other.yml", "rate_limit: {interval: 9s}");
  const auto loaded = load_config(config, read);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(reads, ElementsAre(Pair("w.yaml", 1), Pair("web.yml", 1)));
  const Config used = with_overrides(*loaded, {}, read)->config;
  for (const ListenConfig& where : used.listen)
    EXPECT_EQ(where.web.rate_limit.interval, std::chrono::seconds(7));
  EXPECT_THAT(reads, ElementsAre(Pair("w.yaml", 1), Pair("web.yml", 1)));
  const Config overridden = with_overrides(*loaded, {.web_config_file = other}, read)->config;
  for (const ListenConfig& where : overridden.listen)
    EXPECT_EQ(where.web.rate_limit.interval, std::chrono::seconds(9));
  EXPECT_THAT(reads, ElementsAre(Pair("other.yml", 1), Pair("w.yaml", 1), Pair("web.yml", 1)));
}

TEST_F(OverridesTest, KnowWhichFilesMatter) {
  Config config = default_config();
  EXPECT_THAT(web_files(config), ElementsAre());
  config.listen[0].web_file = "w";
  config.listen[0].web.tls = {.certificate = {.file = "c"}, .key = {.text = "k"}};
  config.listen.push_back(config.listen[0]);
  EXPECT_THAT(web_files(config), ElementsAre("w", "c"));
}

TEST_F(OverridesTest, AreShownAsThoseOfTheCommandLine) {
  const std::string name =
      file("w.yaml",
           "listen:\n- {address: \"::1\", port: 1, hosts: [a.example]}\n- {address: 127.0.0.1}\n");
  auto loaded = load_config(name);
  ASSERT_TRUE(loaded);
  const auto used = with_overrides(
      *std::move(loaded), {.listen = {"[::1]:8"}, .telemetry_path = "/other", .max_requests = 9});
  ASSERT_TRUE(used) << used.error();
  const auto shown = [&](const std::string& key) {
    for (const Setting& setting : used->settings)
      if (setting.key == key)
        return setting.value + ' ' + setting.option + ' ' + std::to_string(setting.line);
    return std::string("missing");
  };
  EXPECT_EQ(shown("listen[0].port"), "8 --listen 0");
  EXPECT_EQ(shown("listen[0].address"), "\"::1\" --listen 0");
  EXPECT_EQ(shown("listen[0].hosts"), "[\"a.example\"]  2");
  EXPECT_EQ(shown("listen[1].address"), "missing");
  EXPECT_EQ(shown("metrics.path"), "\"/other\" --web.telemetry-path 0");
  EXPECT_EQ(shown("limits.max_requests"), "9 --web.max-requests 0");
  EXPECT_EQ(shown("interval"), "\"5s\"  0");
}

}  // namespace
}  // namespace winperf
