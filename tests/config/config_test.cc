#include "config/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "collectors/base/path_text.h"
#include "config/document.h"

namespace winperf {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Config good(std::string_view text) {
  const auto config = parse_config(text, "good.yaml");
  EXPECT_TRUE(config.has_value()) << text << "\n" << describe(config.error().front());
  return config.value_or(Config{});
}

std::vector<std::string> errors_of(std::string_view text) {
  const auto config = parse_config(text, "f");
  std::vector<std::string> errors;
  if (config) return errors;
  for (const ConfigError& error : config.error()) errors.push_back(describe(error));
  return errors;
}

// A file in the test's temporary folder that goes with the object.
class TempFile {
 public:
  TempFile(const std::string& name, const std::string& content)
      : path_(std::filesystem::path(testing::TempDir()) / name) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  ~TempFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

TEST(Config, SchemaKey_IsForEditorsAtTheTopAlone) {
  EXPECT_EQ(good(R"({"$schema": "winperf_exporter.schema.json", "interval": "7s"})").interval,
            milliseconds(7000));
  EXPECT_THAT(errors_of("log: {$schema: x}"), ElementsAre(HasSubstr("unknown key \"$schema\"")));
}

TEST(DefaultConfig, SuitsAnyServer) {
  const Config config = default_config();
  EXPECT_THAT(config.listen,
              ElementsAre(ListenConfig{.address = "::", .port = 10182, .serve = {}, .hosts = {}}));
  EXPECT_EQ(config.interval, milliseconds(5000));
  EXPECT_EQ(config.log.level, LogLevel::kInfo);
  std::vector<std::string> labels;
  for (const CountersetConfig& counterset : config.countersets) {
    labels.push_back(counterset.label);
    EXPECT_EQ(counterset.names.front(), counterset.label);
    EXPECT_EQ(counterset.interval, milliseconds(5000));
    EXPECT_EQ(counterset.stale_after, milliseconds(12'500));
    EXPECT_TRUE(counterset.instances.accepts_all());
    EXPECT_TRUE(counterset.counters.accepts_all());
  }
  EXPECT_THAT(labels, ElementsAre("Processor Information", "Memory", "LogicalDisk", "PhysicalDisk",
                                  "Network Interface", "System", "Process", "TCPv4"));
  EXPECT_THAT(config.countersets.front().names, ElementsAre("Processor Information", "Processor"));
}

TEST(ParseConfig, TakesAnEmptyFileForTheDefaults) {
  for (const char* text :
       {"", "{}", "# nothing\n", "// nothing", "log:\nmetrics:\n  # values: raw"}) {
    EXPECT_EQ(good(text), default_config()) << text;
  }
}

TEST(ParseConfig, ReadsEveryKey) {
  const Config config = good(R"(
    listen: {address: "::1", port: 0, serve: [page, metrics], hosts: [a.example.com, "::1"]}
    interval: 2s
    language: machine
    log: {level: trace, format: json, file: 'C:\logs\w.log'}
    metrics: {total_instances: true, values: cooked}
    limits: {query_timeout: 1m, max_reply_bytes: 1GiB}
    workers: {leave_out: [Contoso Agent, x], max_threads: 11}
    countersets:
    - name: [A, B]
      interval: 1h
      instances: {include: [x, "(?i)y"], exclude: z}
      counters: {include: "%.*", exclude: []}
    - 238
    - name: "4"
)");
  EXPECT_THAT(config.listen, ElementsAre(ListenConfig{.address = "::1",
                                                      .port = 0,
                                                      .serve = {{Served::kMetrics, Served::kPage}},
                                                      .hosts = {"a.example.com", "::1"}}));
  EXPECT_EQ(config.interval, milliseconds(2000));
  EXPECT_EQ(config.language, NameLanguage::kMachine);
  EXPECT_EQ(config.log, (LogConfig{LogLevel::kTrace, LogFormat::kJson, "C:\\logs\\w.log"}));
  EXPECT_EQ(config.metrics,
            (MetricsConfig{.total_instances = true, .values = MetricValues::kCooked}));
  EXPECT_EQ(config.limits, (LimitsConfig{milliseconds(60'000), std::size_t{1} << 30U}));
  EXPECT_THAT(config.workers.leave_out, ElementsAre("Contoso Agent", "x"));
  EXPECT_EQ(config.workers.max_threads, 11U);
  ASSERT_EQ(config.countersets.size(), 3U);
  const CountersetConfig& first = config.countersets[0];
  EXPECT_EQ(first.label, "A");
  EXPECT_THAT(first.names, ElementsAre("A", "B"));
  EXPECT_EQ(first.interval, milliseconds(3'600'000));
  EXPECT_TRUE(first.instances.check("Y").accepted);
  EXPECT_FALSE(first.instances.check("z").accepted);
  EXPECT_TRUE(first.counters.check("% Idle Time").accepted);
  EXPECT_FALSE(first.counters.check("Idle").accepted);
  EXPECT_THAT(config.countersets[1].names, ElementsAre("238"));
  EXPECT_EQ(config.countersets[1].interval, milliseconds(2000));
  EXPECT_THAT(config.countersets[2].names, ElementsAre("4"));
}

TEST(ParseConfig, FactsAreEnough) {
  for (const char* facts :
       {"countersets: []", "countersets: []\nfacts: [os]",
        "countersets: []\nfacts: [{name: textfile, folders: [a]}]",
        "countersets: []\nfacts: [services]\ntargets: [{host: b, countersets: [Memory]}]"}) {
    const auto config = parse_config(facts, "test");
    ASSERT_TRUE(config) << describe(config.error().front());
    EXPECT_TRUE(config->countersets.empty());
    EXPECT_FALSE(config->facts.empty());
  }
  const auto of_a_set = parse_config("countersets: []\ncollect: [cpu]\nfacts: []", "test");
  ASSERT_TRUE(of_a_set) << describe(of_a_set.error().front());
  EXPECT_FALSE(of_a_set->countersets.empty());
  const auto wrong = parse_config("countersets: []\nfacts: [oss]", "test");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().size(), 1U);
}

TEST(ParseConfig, LeavesOutAsManyProvidersAsMayHaveHosts) {
  const auto with = [](std::size_t count, std::size_t length) {
    std::string names;
    for (std::size_t i = 0; i < count; ++i)
      names += (i == 0 ? "" : ",") + std::string(length, static_cast<char>('a' + i % 26));
    return parse_config("workers: {leave_out: [" + names + "]}", "w.yaml");
  };
  EXPECT_EQ(with(kMaxLeftOut, 255)->workers.leave_out.size(), 64U);
  EXPECT_EQ(describe(with(kMaxLeftOut + 1, 1).error().front()),
            "w.yaml:1:22: \"workers.leave_out\" has 65 names; write at most 64");
  EXPECT_FALSE(with(1, 256)) << "no key of the registry has such a name";
}

TEST(ParseConfig, ReadsAListOfAddressesInItsOrder) {
  const Config config = good(R"(
    listen:
    - {address: "127.0.0.1"}
    - {address: "10.0.0.5", port: 9182, serve: metrics, hosts: metrics.example.com}
    - {port: 0}
)");
  EXPECT_THAT(config.listen, ElementsAre(ListenConfig{.address = "127.0.0.1"},
                                         ListenConfig{.address = "10.0.0.5",
                                                      .port = 9182,
                                                      .serve = {{Served::kMetrics}},
                                                      .hosts = {"metrics.example.com"}},
                                         ListenConfig{.port = 0}));
}

TEST(ParseConfig, AListOfOneAddressIsThatAddress) {
  EXPECT_EQ(good("listen: [{port: 7}]"), good("listen: {port: 7}"));
}

TEST(ParseConfig, WhatAListAllowsOfAddresses) {
  // One address with two ports, one port with two addresses, and any free port as often as wanted.
  EXPECT_EQ(
      good("listen: [{address: a, port: 1}, {address: a, port: 2}, {address: 0.0.0.0, port: 1}]")
          .listen.size(),
      3U);
  EXPECT_EQ(good("listen: [{port: 0}, {port: 0}]").listen.size(), 2U);
  EXPECT_EQ(good("listen: [{port: 1}, {port: 2}, {port: 3}, {port: 4}, {port: 5}, {port: 6}, "
                 "{port: 7}, {port: 8}]")
                .listen.size(),
            8U);
}

TEST(ParseConfig, WhatIsServedIsInOneOrder) {
  EXPECT_EQ(good("listen: {serve: [page, api, metrics]}"),
            good("listen: {serve: [metrics, api, page]}"));
  EXPECT_NE(good("listen: {serve: metrics}"), good("")) << "nothing else for this machine";
}

// An entry with an error is not compared with the others: the rest of it is the default.
TEST(ParseConfig, AnErrorInAnAddressIsTheOnlyOne) {
  EXPECT_THAT(errors_of("listen:\n- {address: a}\n- {address: a, port: x}\n- {address: a, prt: 2}"),
              ElementsAre(HasSubstr("f:3:22: \"listen.port\""),
                          HasSubstr("f:4:16: unknown key \"prt\" in \"listen\"")));
}

TEST(ParseConfig, AppliesTheIntervalWhereverItStands) {
  EXPECT_EQ(good("countersets: [Memory]\ninterval: 7").countersets[0].interval, milliseconds(7000));
  for (const CountersetConfig& usual : good("interval: 10").countersets)
    EXPECT_EQ(usual.interval, milliseconds(10'000)) << usual.label;
}

TEST(ParseConfig, AppliesStaleAfterWhereItIsLongerThanTheInterval) {
  const auto stale_after = [](const std::string& text) {
    return good(text).countersets.front().stale_after;
  };
  EXPECT_EQ(stale_after("interval: 10"), milliseconds(25'000));
  EXPECT_EQ(stale_after("interval: 1"), milliseconds(10'000));
  EXPECT_EQ(stale_after("stale_after: 30"), milliseconds(30'000));
  EXPECT_EQ(stale_after("stale_after: 6"), milliseconds(6'000));
  EXPECT_EQ(stale_after("countersets: [Memory]\nstale_after: 30"), milliseconds(30'000));
  EXPECT_EQ(stale_after("countersets: [{name: A, interval: 30}]\nstale_after: 30"),
            milliseconds(75'000))
      << "as long as the interval";
  EXPECT_EQ(stale_after("countersets: [{name: A, stale_after: 2m}]\nstale_after: 30"),
            milliseconds(120'000));
}

TEST(ParseConfig, StaleAfterOfACountersetMustBeLongerThanItsInterval) {
  EXPECT_THAT(errors_of("countersets:\n- Memory\n- {name: A, stale_after: 20}\ninterval: 20"),
              ElementsAre("f:3:26: \"stale_after\" must be longer than the interval of 20s; "
                          "write, for example, stale_after: \"50s\""));
  EXPECT_THAT(errors_of("stale_after: 5"),
              ElementsAre("f:1:14: \"stale_after\" must be longer than the interval of 5s; "
                          "write, for example, stale_after: \"12s500ms\""));
  EXPECT_EQ(
      good("countersets: [{name: A, stale_after: 21}]\ninterval: 20").countersets[0].stale_after,
      milliseconds(21'000));
}

TEST(ParseConfig, TakesYaml11BooleansForText) {
  EXPECT_EQ(good("log: {file: no}").log.file, "no");
  EXPECT_EQ(good("countersets: [on]").countersets[0].label, "on");
}

TEST(ParseConfig, ReportsAllErrorsInOrder) {
  EXPECT_THAT(
      errors_of("countersets:\n- {nam: x}\n- Memory\n- memory\nlisten: {port: -1}\nlisten: 1\n"
                "log: {level: 7, colour: true}\n"),
      ElementsAre(HasSubstr("f:2:3: this counterset has no name"),
                  HasSubstr("f:2:4: unknown key \"nam\""),
                  HasSubstr("f:4:3: counterset \"memory\""), HasSubstr("f:5:16: \"listen.port\""),
                  HasSubstr("f:6:1: key \"listen\""), HasSubstr("f:7:14: \"log.level\""),
                  HasSubstr("f:7:17: unknown key \"colour\"")));
}

TEST(ParseConfig, StopsAtAHundredErrors) {
  std::string text = "{";
  for (int i = 0; i < 150; ++i) text.append("k").append(std::to_string(i)).append(": 1,\n");
  const auto errors = errors_of(text + "}");
  ASSERT_EQ(errors.size(), 101U);
  EXPECT_EQ(errors.back(), "f: 50 more errors; correct the first 100");
}

TEST(ParseConfig, CountsColumnsInCharacters) {
  EXPECT_THAT(errors_of("{log: {file: \"\xC3\xA9\xC3\xA9\", fil: 1}}"),
              ElementsAre(HasSubstr("f:1:20: unknown key \"fil\"")));
  EXPECT_THAT(errors_of("\xEF\xBB\xBFx: 1"), ElementsAre(HasSubstr("f:1:1: unknown key \"x\"")));
}

TEST(LoadConfigFile, ReadsAFile) {
  const TempFile file("config-good.yaml", "interval: 9s\r\n");
  const auto config = load_config_file(file.path());
  ASSERT_TRUE(config.has_value());
  EXPECT_EQ(config->config.interval, milliseconds(9000));
  EXPECT_FALSE(config->is_blank);
}

TEST(LoadConfigFile, TellsAFileThatSaysNothing) {
  for (const char* const text : {"", " \n", "# ours\n", "\xEF\xBB\xBF"}) {
    const TempFile file("config-blank.yaml", text);
    const auto config = load_config_file(file.path());
    ASSERT_TRUE(config.has_value());
    EXPECT_TRUE(config->is_blank) << text;
    EXPECT_EQ(config->config, default_config());
  }
}

TEST(LoadConfigFile, StartsFoldersAtItsOwn_AndMakesThemAbsolute) {
  const TempFile file("config-folders.yaml", "facts: [{name: textfile, folders: [a]}]\n");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(file.path().parent_path());
  const auto config = load_config_file(file.path().filename());
  std::filesystem::current_path(before);
  ASSERT_TRUE(config.has_value());
  EXPECT_EQ(std::filesystem::weakly_canonical(path_of(config->config.facts.at(0).folders.at(0))),
            std::filesystem::weakly_canonical(file.path().parent_path() / "a"));
  EXPECT_TRUE(path_of(config->config.facts.at(0).folders.at(0)).is_absolute());
}

TEST(LoadConfigFile, NamesTheFileInItsErrors) {
  const TempFile file("config-bad.yaml", "interval: 9x\r\n");
  const auto config = load_config_file(file.path());
  ASSERT_FALSE(config.has_value());
  EXPECT_EQ(config.error().front().file, file.path().string());
  EXPECT_EQ(config.error().front().line, 1U);
  EXPECT_EQ(config.error().front().column, 11U);
}

TEST(LoadConfigFile, SaysWhyItCannotRead) {
  const auto missing = load_config_file("no/such/file.yaml");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(describe(missing.error().front()), "no/such/file.yaml: no such file; check the path");

  const auto folder = load_config_file(testing::TempDir());
  ASSERT_FALSE(folder.has_value());
  EXPECT_THAT(folder.error().front().message, HasSubstr("this is a folder"));

  const TempFile large("config-large.yaml", std::string(kMaxConfigBytes + 1, ' '));
  const auto too_large = load_config_file(large.path());
  ASSERT_FALSE(too_large.has_value());
  EXPECT_THAT(too_large.error().front().message, HasSubstr("larger than 1 MiB"));
}

}  // namespace
}  // namespace winperf
