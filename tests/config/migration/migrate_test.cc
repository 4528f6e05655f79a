// From windows_exporter's settings to a configuration of this program.
#include "config/migration/migrate.h"

#include <gmock/gmock.h>

#include "config/collectors.h"
#include "config/config.h"

namespace winperf::migration {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

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
  EXPECT_THAT(config.listen, ElementsAre(ListenConfig{.address = "::", .port = 9182}));
  EXPECT_THAT(result.notes, Contains(HasSubstr("collector os: it reads no performance counters")));
  EXPECT_THAT(result.notes, Contains(HasSubstr("collector service:")));
}

TEST(Migration, WholeText_IsWhatAPersonWouldWrite) {
  EXPECT_EQ(
      migrated(flags({"windows_exporter.exe", "--collectors.enabled", "cpu,logical_disk,os",
                      "--collector.logical_disk.volume-include=C:|D:\\\\.*",
                      "--web.listen-address=10.0.0.1:9999", "--log.level", "debug"}))
          .text,
      R"(// Made from windows_exporter's configuration by "winperf_exporter config migrate". Metric names differ.
// Collectors migrated: 2 of 3.
{
  // windows_exporter's port, so Prometheus needs no change; only one of the two programs can use it at a time.
  listen: {address: "10.0.0.1", port: 9999},
  log: {level: "debug"},
  countersets: [
    {name: "Processor Information"},  // cpu
    {name: "LogicalDisk", instances: {include: ["C:|D:\\\\.*"]}},  // logical_disk
  ],
}
// What has no counterpart, and other notes:
// - collector os: it reads no performance counters: keep windows_exporter for it, on another port
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
      EXPECT_TRUE(counterset.instances.check("firefox1").accepted);
      EXPECT_FALSE(counterset.instances.check("a firefox1").accepted)
          << "patterns match whole names";
    }
    if (counterset.label == "Network Interface") {
      EXPECT_FALSE(counterset.instances.check("isatap.{1}").accepted);
    }
  }
  EXPECT_THAT(result.notes,
              Contains(HasSubstr("config.yaml:11:3: telemetry.path: metrics are at /metrics")));
  EXPECT_THAT(config.listen, ElementsAre(ListenConfig{.address = "::", .port = 9182},
                                         ListenConfig{.address = "::1", .port = 9183}));
  EXPECT_THAT(result.notes, Not(Contains(HasSubstr("listen-address"))));
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
  EXPECT_TRUE(config.countersets[1].counters.check("% CPU (x)").accepted);
  EXPECT_FALSE(config.countersets[1].counters.check("% CPU x").accepted);
  EXPECT_TRUE(config.countersets[2].instances.check("a.b").accepted);
  EXPECT_FALSE(config.countersets[2].instances.check("aXb").accepted);
  EXPECT_THAT(result.notes, Contains(HasSubstr("\"Processor Information\" is already sampled")));
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
  EXPECT_THAT(result.notes,
              Contains("--collector.cpu.nonsense: this option has no counterpart; the collector's "
                       "objects are sampled without it"));
  EXPECT_THAT(result.notes, Contains("--nonsense: this setting is unknown"));
  EXPECT_THAT(migrated(flags({"--collector.cpu=1"})).notes,
              Contains("--collector.cpu: this setting is unknown"))
      << "it has no option";
  for (const std::string& note : result.notes)
    EXPECT_THAT(result.text, HasSubstr("// - " + note + "\n"));
}

TEST(Migration, WhatSaysTheSameAsHere_IsNotListed) {
  const auto notes = [](const std::string& flag) {
    return migrated(flags({"--collectors.enabled=cpu", flag})).notes;
  };
  EXPECT_THAT(notes("--log.file=stderr"), IsEmpty());
  for (const char* other : {"stdout", "eventlog"})
    EXPECT_THAT(notes(std::string("--log.file=") + other),
                ElementsAre(HasSubstr("--log.file: messages go to standard error")));
  EXPECT_THAT(notes("--telemetry.path=/metrics"), IsEmpty());
  EXPECT_THAT(notes("--telemetry.path=/other"), ElementsAre(HasSubstr("metrics are at /metrics")));
  EXPECT_THAT(notes("--debug.enabled"), ElementsAre(HasSubstr("no profiling endpoint")));
  EXPECT_THAT(notes("--web.config.file=/metrics"), ElementsAre(HasSubstr("TLS")));
}

TEST(Migration, LogSettings_AreWrittenAsHere) {
  const auto log = [](std::vector<std::string> arguments) {
    arguments.emplace_back("--collectors.enabled=cpu");
    return config_of(migrated(flags(arguments))).log;
  };
  EXPECT_EQ(log({"--log.level=WARN"}).level, log({"--log.level=warn"}).level);
  EXPECT_EQ(log({"--log.format=json"}).format, LogFormat::kJson);
  EXPECT_EQ(log({"--log.format=logfmt"}).format, LogFormat::kText);
  EXPECT_EQ(log({"--log.file=C:\\x.log", "--log.format=json"}).file, "C:\\x.log");
}

TEST(Migration, WhatIsWrong_IsSaidWithItsPlace) {
  EXPECT_THAT(migrate(flags({"--collectors.enabled=os"})).error(), HasSubstr("nothing to sample"));
  EXPECT_THAT(
      migrate(flags({"--collector.logical_disk.volume-include=("})).error(),
      HasSubstr(
          "--collector.logical_disk.volume-include: \"(\" is not a valid regular expression"));
  EXPECT_THAT(migrate(flags({"--log.level=loud"})).error(),
              HasSubstr("--log.level: \"log.level\""));
  EXPECT_THAT(read_flags(std::vector<std::string>{"x.exe", "stray"}).error(),
              HasSubstr("\"stray\""));
  EXPECT_THAT(read_flags(std::vector<std::string>{"--log.level"}).error(),
              HasSubstr("needs a value"));
  EXPECT_THAT(read_file("a: [", "c.yaml").error(), HasSubstr("c.yaml:1:"));
  EXPECT_THAT(read_file("- a", "c.yaml").error(), HasSubstr("c.yaml:1:1: this is not"));
  EXPECT_THAT(read_file("a: [{b: 1}]", "c.yaml").error(),
              HasSubstr("c.yaml:1:5: the entries of \"a\" must be texts"));
  EXPECT_THAT(read_file("a: \xff", "c.yaml").error(), HasSubstr("c.yaml:1:4"));
  EXPECT_THAT(*read_file("", "c.yaml"), IsEmpty());
}

Settings file_settings(const char* text) {
  const auto settings = read_file(text, "c.yaml");
  EXPECT_TRUE(settings) << settings.error();
  return settings.value_or(Settings());
}

TEST(Migration, AListInAFile_IsTheListInOneText) {
  EXPECT_THAT(names(config_of(migrated(file_settings("collectors: {enabled: [cpu, net]}")))),
              ElementsAre("Processor Information", "Network Interface"));
}

TEST(Migration, AKeyThatIsGivenTwice_IsRefusedAsByWindowsExporter) {
  EXPECT_THAT(read_file("log: {}\nlog: {}", "c.yaml").error(),
              HasSubstr("c.yaml:2:1: key \"log\""));
}

TEST(Migration, AnAddressThatIsNone_IsSaidWithWhatWasWritten) {
  for (const std::string address :
       {"localhost", ":99999", ":-1", "http://0.0.0.0:9182", "", ":", "::1:9182"}) {
    const Migrated result = migrated(flags({"--web.listen-address=" + address}));
    EXPECT_THAT(config_of(result).listen, ElementsAre(ListenConfig{.address = "::", .port = 9182}))
        << address;
    EXPECT_THAT(result.notes, Contains("--web.listen-address: the address \"" + address +
                                       "\" was left out: this program can't listen on it"));
    EXPECT_THAT(result.notes, Contains("--web.listen-address: no address is left, so the result "
                                       "has every interface and port 9182"));
  }
  EXPECT_THAT(config_of(migrated(flags({"--web.listen-address=[::1]:1"}))).listen,
              ElementsAre(ListenConfig{.address = "::1", .port = 1}));
}

TEST(Migration, SeveralAddresses_BecomeAList) {
  const Migrated result =
      migrated(flags({"--collectors.enabled=cpu", "--web.listen-address=10.0.0.1:9182",
                      "--web.listen-address=:http", "--web.listen-address=localhost:9999"}));
  EXPECT_THAT(result.text, HasSubstr(R"(
  // windows_exporter's ports, so Prometheus needs no change; only one of the two programs can use them at a time.
  listen: [
    {address: "10.0.0.1", port: 9182},
    {address: "localhost", port: 9999},
  ],
)"));
  EXPECT_THAT(config_of(result).listen,
              ElementsAre(ListenConfig{.address = "10.0.0.1", .port = 9182},
                          ListenConfig{.address = "localhost", .port = 9999}));
  EXPECT_THAT(result.notes, ElementsAre("--web.listen-address: the address \":http\" was left out: "
                                        "this program can't listen on it"));
}

TEST(Migration, AnAddressThatIsGivenTwice_IsMigratedOnce) {
  const Migrated result =
      migrated(flags({"--web.listen-address=LOCALHOST:1", "--web.listen-address=localhost:1"}));
  EXPECT_THAT(config_of(result).listen,
              ElementsAre(ListenConfig{.address = "LOCALHOST", .port = 1}));
  EXPECT_THAT(result.notes, Contains("--web.listen-address: the address \"localhost:1\" was left "
                                     "out: it is the same as another one, or overlaps it"));
}

TEST(Migration, OfMoreAddressesThanThisProgramHas_TheFirstAreMigrated) {
  std::vector<std::string> arguments;
  for (int port = 1; port <= 9; ++port)
    arguments.push_back("--web.listen-address=:" + std::to_string(port));
  const Migrated result = migrated(flags(arguments));
  const Config config = config_of(result);
  ASSERT_EQ(config.listen.size(), 8U);
  EXPECT_EQ(config.listen.back().port, 8);
  EXPECT_THAT(result.notes, Contains("--web.listen-address: the address \":9\" was left out: this "
                                     "program listens on up to 8 addresses"));
}

TEST(Migration, WorkerProcesses_AreSelectedByTheirPool) {
  const Config config =
      config_of(migrated(flags({"--collectors.enabled=iis", "--collector.iis.app-include=A|B",
                                "--collector.iis.site-exclude=x"})));
  for (const CountersetConfig& counterset : config.countersets) {
    if (counterset.label == "W3SVC_W3WP") {
      EXPECT_TRUE(counterset.instances.check("4711_A").accepted);
      EXPECT_FALSE(counterset.instances.check("4711_C").accepted);
    }
    if (counterset.label == "HTTP Service Request Queues") {
      EXPECT_TRUE(counterset.instances.check("C").accepted);
      EXPECT_FALSE(counterset.instances.check("x").accepted);
    }
  }
}

TEST(Migration, OfOlderVersions_CollectorsAndOptionsAreKnown) {
  const Migrated result = migrated(
      flags({"--collectors.enabled=cs,logon,net,netframework_clrmemory",
             "--collector.net.nic-blacklist=isatap.*", "--collector.net.nic-whitelist=a.*"}));
  const Config config = config_of(result);
  EXPECT_THAT(names(config), ElementsAre("Network Interface", ".NET CLR Memory"));
  EXPECT_TRUE(config.countersets[0].instances.check("abc").accepted);
  EXPECT_FALSE(config.countersets[0].instances.check("isatap.1").accepted);
  EXPECT_FALSE(config.countersets[0].instances.check("xyz").accepted);
  EXPECT_THAT(result.notes, Contains(HasSubstr("collector cs: windows_exporter no longer has")));
}

TEST(Migration, CustomObjects_AreNamedAsInACountersPath) {
  const Migrated result = migrated(file_settings(R"yaml(
collectors: {enabled: "memory,performancecounter"}
collector:
  performancecounter:
    objects: |-
      - {object: Process, instances: ["w3wp*"], counters: [{name: "% processor time"}]}
      - {object: LogicalDisk, instances: ["_Total"]}
      - {object: MEMORY, counters: [{name: "x"}]}
)yaml"));
  const Config config = config_of(result);
  ASSERT_THAT(names(config), ElementsAre("Memory", "Process", "LogicalDisk"));
  EXPECT_TRUE(config.countersets[1].instances.check("W3WP#1").accepted);
  EXPECT_FALSE(config.countersets[1].instances.check("aw3wp").accepted);
  EXPECT_TRUE(config.countersets[1].counters.check("% Processor Time").accepted);
  EXPECT_THAT(result.notes, Contains(HasSubstr("\"MEMORY\" is already sampled")));
  EXPECT_THAT(result.notes, Contains(HasSubstr("total_instances: true")));
}

TEST(Migration, CustomObjectsOfACollectorThatIsOff_AreNotSampled) {
  const Migrated result = migrated(flags(
      {"--collectors.enabled=cpu", "--collector.performancecounter.objects=[{object: Memory}]"}));
  EXPECT_THAT(names(config_of(result)), ElementsAre("Processor Information"));
  EXPECT_THAT(result.notes, Contains(HasSubstr("performancecounter is not enabled")));
}

TEST(Migration, CustomObjectsThatAreNone_AreSaidWithTheirLine) {
  const auto objects = [](const char* text) {
    return migrate(flags({"--collectors.enabled=cpu,performancecounter",
                          std::string("--collector.performancecounter.objects=") + text}));
  };
  EXPECT_THAT(objects("- object: a\n   b: c\n").error(), HasSubstr("; on its line 2, "));
  EXPECT_TRUE(objects(""));
}

TEST(Migration, ACollectorThatIsNotKnown_CostsItselfAlone) {
  const Migrated result = migrated(flags({"--collectors.enabled=cpu,logical_dsk,registry"}));
  EXPECT_THAT(names(config_of(result)), ElementsAre("Processor Information"));
  EXPECT_THAT(result.notes,
              ElementsAre("--collectors.enabled: the collector \"logical_dsk\" is unknown, so it "
                          "was left out: did you mean \"logical_disk\"?",
                          "--collectors.enabled: the collector \"registry\" is unknown, so it was "
                          "left out"));
  EXPECT_THAT(migrate(flags({"--collectors.enabled=cpuu"})).error(),
              AllOf(HasSubstr("did you mean \"cpu\"?\n"), HasSubstr("nothing to sample")));
}

TEST(Migration, TheOldAddressCounts) {
  const Migrated result =
      migrated(file_settings("telemetry: {addr: ':9100', path: /metrics}\n"
                             "collectors: {enabled: cpu}"));
  EXPECT_EQ(config_of(result).listen.at(0).port, 9100);
  EXPECT_THAT(result.notes, IsEmpty());
  const auto both = migrated(flags({"--telemetry.addr=:1", "--web.listen-address=:2"}));
  EXPECT_THAT(config_of(both).listen, ElementsAre(ListenConfig{.address = "::", .port = 2}));
}

TEST(Migration, SaysHowMuchWasMigrated) {
  const Migrated whole = migrated(flags({"--collectors.enabled=cpu,memory"}));
  EXPECT_EQ(whole.summary, "collectors migrated: 2 of 2");
  EXPECT_TRUE(whole.complete);
  const Migrated part = migrated(
      flags({"--collectors.enabled=cpu,os,nosuch", "--nonsense=1", "--collector.cpu.nonsense=1"}));
  EXPECT_EQ(part.summary, "collectors migrated: 1 of 3; settings without a counterpart: 2");
  EXPECT_FALSE(part.complete);
}

TEST(Migration, PartsOfACollector_AreSelected) {
  EXPECT_THAT(names(config_of(migrated(flags(
                  {"--collectors.enabled=mssql", "--collector.mssql.enabled=bufman, Locks"})))),
              ElementsAre("SQLServer:Buffer Manager", "SQLServer:Locks"));
  EXPECT_THAT(names(config_of(migrated(flags(
                  {"--collectors.enabled=mssql", "--collectors.mssql.classes-enabled=memmgr"})))),
              ElementsAre("SQLServer:Memory Manager"));
  EXPECT_THAT(names(config_of(migrated(flags(
                  {"--collectors.enabled=exchange", "--collector.exchange.enabled=HttpProxy"})))),
              ElementsAre("MSExchange HttpProxy"));
  const Migrated unknown =
      migrated(flags({"--collectors.enabled=mssql", "--collector.mssql.enabled=info,locks"}));
  EXPECT_THAT(names(config_of(unknown)), ElementsAre("SQLServer:Locks"));
  EXPECT_THAT(unknown.notes, Contains("--collector.mssql.enabled: \"info\" has no counterpart"));
  EXPECT_FALSE(unknown.complete);
}

TEST(Migration, ValuesThatAreMeantToDoHarm_StayValues) {
  const Migrated result =
      migrated(flags({"--log.file=a\"}, // b", "--x\ny=1", "--telemetry.path=\n}"}));
  EXPECT_EQ(config_of(result).log.file, "a\"}, // b");
  EXPECT_THAT(migrate(flags({"--log.file=a\nb"})).error(), HasSubstr("control character"));
}

}  // namespace
}  // namespace winperf::migration
