// From windows_exporter's settings to a configuration of this program.
#include "config/migration/migrate.h"

#include <gmock/gmock.h>

#include "config/config.h"
#include "config/migration/collectors.h"

namespace winperf::migration {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Settings flags(std::vector<std::string> arguments) {
  const auto settings = read_flags(arguments);
  EXPECT_TRUE(settings) << settings.error();
  return settings.value_or(Settings());
}

Migrated migrated(const Settings& settings) {
  auto result = migrate(settings);
  EXPECT_TRUE(result) << result.error();
  return result.value_or(Migrated());
}

Config config_of(const Migrated& result) {
  const auto config = parse_config(result.text, "test");
  EXPECT_TRUE(config) << result.text;
  return config ? *config : Config();
}

std::vector<std::string> names(const Config& config) {
  std::vector<std::string> all;
  for (const CountersetConfig& counterset : config.countersets) all.push_back(counterset.label);
  return all;
}

TEST(Migration, OfNothing_SamplesWhatTheDefaultsSample) {
  const Migrated result = migrated({});
  const Config config = config_of(result);
  EXPECT_THAT(names(config), ElementsAre("Processor Information", "LogicalDisk", "Memory",
                                         "Network Interface", "PhysicalDisk", "System"));
  EXPECT_EQ(config.listen.port, 9182);
  EXPECT_THAT(result.notes, Contains(HasSubstr("collector os: it reads no performance counters")));
  EXPECT_THAT(result.notes, Contains(HasSubstr("collector service:")));
}

TEST(Migration, WholeText_IsWhatAPersonWouldWrite) {
  EXPECT_EQ(
      migrated(flags({"windows_exporter.exe", "--collectors.enabled", "cpu,logical_disk,os",
                      "--collector.logical_disk.volume-include=C:|D:\\\\.*",
                      "--web.listen-address=10.0.0.1:9999", "--log.level", "debug"}))
          .text,
      R"(// Made from windows_exporter's configuration by "winperf_exporter config migrate". Names of metrics differ.
{
  // windows_exporter's port, so that nothing has to be changed in Prometheus; the two can't both have it.
  listen: {address: "10.0.0.1", port: 9999},
  log: {level: "debug"},
  countersets: [
    {name: "Processor Information"},  // cpu
    {name: "LogicalDisk", instances: {include: ["C:|D:\\\\.*"]}},  // logical_disk
  ],
}
// Without a counterpart, or to know:
// - collector os: it reads no performance counters; keep windows_exporter for it, which can run beside this program
)");
}

TEST(Migration, OfAFile_IsTheSameAsOfFlags) {
  const auto file = read_file(R"(
collectors:
  enabled: "[defaults],process"
collector:
  process:
    include: "firefox.+"
  net.nic-exclude: "isatap.*"
web:
  listen-address: [":9182", "[::1]:9183"]
telemetry:
  path: /custom
)",
                              "config.yaml");
  ASSERT_TRUE(file) << file.error();
  const Migrated result = migrated(*file);
  const Config config = config_of(result);
  EXPECT_THAT(names(config), Contains("Process"));
  for (const CountersetConfig& counterset : config.countersets) {
    if (counterset.label == "Process") {
      EXPECT_TRUE(counterset.instances.accepts("firefox1"));
      EXPECT_FALSE(counterset.instances.accepts("a firefox1")) << "patterns match whole names";
    }
    if (counterset.label == "Network Interface") {
      EXPECT_FALSE(counterset.instances.accepts("isatap.{1}"));
    }
  }
  EXPECT_THAT(result.notes, Contains(HasSubstr("config.yaml:11:3: metrics are at /metrics")));
  EXPECT_THAT(result.notes, Contains(HasSubstr("config.yaml:9:3: there is one address here")));
}

TEST(Migration, CustomObjects_BecomeCountersets) {
  const auto file = read_file(R"yaml(
collectors: {enabled: "cpu,performancecounter"}
collector:
  performancecounter:
    objects: |-
      - name: photon
        object: "Photon Socket Server"
        instances: ["*"]
        counters:
          - {name: "% CPU (x)", metric: "photon_cpu"}
      - object: "Other"
        instances: ["a.b", "_Total"]
        counters: []
      - object: "Processor Information"
        counters: [{name: "% Idle Time"}]
)yaml",
                              "config.yaml");
  ASSERT_TRUE(file) << file.error();
  const Migrated result = migrated(*file);
  const Config config = config_of(result);
  ASSERT_THAT(names(config), ElementsAre("Processor Information", "Photon Socket Server", "Other"));
  EXPECT_TRUE(config.countersets[1].instances.accepts_all());
  EXPECT_TRUE(config.countersets[1].counters.accepts("% CPU (x)"));
  EXPECT_FALSE(config.countersets[1].counters.accepts("% CPU x"));
  EXPECT_TRUE(config.countersets[2].instances.accepts("a.b"));
  EXPECT_FALSE(config.countersets[2].instances.accepts("aXb"));
  EXPECT_THAT(result.notes, Contains(HasSubstr("\"Processor Information\" is sampled already")));
  EXPECT_THAT(result.notes, Contains(HasSubstr("metric names and labels")));
}

TEST(Migration, EveryCollector_GivesAConfigurationThatIsRead) {
  std::string all;
  for (const Collector& collector : collectors())
    all += (all.empty() ? "" : ",") + std::string(collector.name);
  const Config config = config_of(migrated(flags({"--collectors.enabled=" + all})));
  EXPECT_GT(config.countersets.size(), 60u);
  for (const Collector& collector : collectors()) {
    const bool explained = !collector.objects.empty() || !collector.note.empty();
    EXPECT_TRUE(explained || collector.name == "performancecounter") << collector.name;
  }
}

TEST(Migration, WhatHasNoCounterpart_IsListed) {
  const Migrated result = migrated(flags(
      {"--no-web.disable-exporter-metrics", "--web.config.file=x", "--collector.iis.site-include=a",
       "--collector.cpu.nonsense=1", "--nonsense=2", "--log.file", "stdout"}));
  EXPECT_THAT(result.notes, Contains(HasSubstr("TLS")));
  EXPECT_THAT(result.notes,
              Contains("--collector.iis.site-include: the collector iis is not enabled"));
  EXPECT_THAT(result.notes, Contains("--collector.cpu.nonsense: this option has no counterpart"));
  EXPECT_THAT(result.notes, Contains("--nonsense: this setting is not known"));
  for (const std::string& note : result.notes)
    EXPECT_THAT(result.text, HasSubstr("// - " + note + "\n"));
}

TEST(Migration, WhatIsWrong_IsSaidWithItsPlace) {
  EXPECT_EQ(migrate(flags({"--collectors.enabled=cpu,logical_dsk"})).error(),
            "--collectors.enabled: there is no collector \"logical_dsk\": did you mean "
            "\"logical_disk\"?");
  EXPECT_THAT(migrate(flags({"--collectors.enabled=os"})).error(), HasSubstr("nothing to sample"));
  EXPECT_THAT(migrate(flags({"--collector.logical_disk.volume-include=("})).error(),
              HasSubstr("the result:7:49: "));
  EXPECT_THAT(read_flags(std::vector<std::string>{"x.exe", "stray"}).error(),
              HasSubstr("\"stray\""));
  EXPECT_THAT(read_flags(std::vector<std::string>{"--log.level"}).error(),
              HasSubstr("wants a value"));
  EXPECT_THAT(read_file("a: [", "c.yaml").error(), HasSubstr("c.yaml:1:"));
  EXPECT_THAT(read_file("- a", "c.yaml").error(), HasSubstr("c.yaml:1:1: this is not"));
  EXPECT_THAT(read_file("a: [{b: 1}]", "c.yaml").error(), HasSubstr("c.yaml:1:5: a list of \"a\""));
  EXPECT_THAT(read_file("a: \xff", "c.yaml").error(), HasSubstr("c.yaml:1:4"));
  EXPECT_THAT(*read_file("", "c.yaml"), IsEmpty());
}

TEST(Migration, ValuesThatAreMeantToDoHarm_StayValues) {
  const Migrated result =
      migrated(flags({"--log.file=a\"}, // b", "--x\ny=1", "--telemetry.path=\n}"}));
  EXPECT_EQ(config_of(result).log.file, "a\"}, // b");
  EXPECT_THAT(migrate(flags({"--log.file=a\nb"})).error(), HasSubstr("control character"));
}

}  // namespace
}  // namespace winperf::migration
