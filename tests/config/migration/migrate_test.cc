// From windows_exporter's settings to a configuration of this program.
#include "config/migration/migrate.h"

#include <gmock/gmock.h>

#include "config/collectors.h"
#include "config/config.h"

namespace winperf::migration {
namespace {

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

std::vector<std::string> messages(const Migrated& result) {
  std::vector<std::string> all;
  for (const Message& message : result.messages) all.push_back(message.text);
  return all;
}

std::vector<FactTopic> topics(const Config& config) {
  std::vector<FactTopic> all;
  for (const FactConfig& fact : config.facts) all.push_back(fact.topic);
  return all;
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
  EXPECT_THAT(topics(config),
              ElementsAre(FactTopic::kOs, FactTopic::kTime, FactTopic::kMemory, FactTopic::kVolumes,
                          FactTopic::kAdapters, FactTopic::kServices, FactTopic::kServiceStatus));
  EXPECT_THAT(messages(result), IsEmpty());
  EXPECT_TRUE(result.complete);
}

TEST(Migration, WholeText_IsWhatAPersonWouldWrite) {
  EXPECT_EQ(
      migrated(flags({"windows_exporter.exe", "--collectors.enabled", "cpu,logical_disk,container",
                      "--collector.logical_disk.volume-include=C:|D:\\\\.*",
                      "--web.listen-address=10.0.0.1:9999", "--log.level", "debug",
                      "--scrape.timeout-margin=1"}))
          .text,
      R"(# Made from windows_exporter's configuration by "winperf_exporter config migrate".
# 2 of 3 collectors taken over, 1 loss.
{
  # windows_exporter's port, so Prometheus needs no change; only one of the two programs can use it at a time.
  listen: {address: "10.0.0.1", port: 9999},
  metrics: {profiles: ["windows_exporter", "windows_exporter_legacy"], detail: "full"},
  log: {level: "debug"},
  facts: [
    {name: "volumes", include: ["C:|D:\\\\.*"]},  # logical_disk
  ],
  countersets: [
    {name: "Processor Information"},  # cpu
    {name: "LogicalDisk", instances: {include: ["C:|D:\\\\.*"]}},  # logical_disk
  ],
}
# Lost:
# - --collectors.enabled: container: containers are not read: keep windows_exporter for them, on another port
# Good to know:
# - --scrape.timeout-margin: not needed, because a scrape shows the latest sample without waiting
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
  EXPECT_EQ(config.metrics.path, "/custom");
  EXPECT_THAT(config.listen, ElementsAre(ListenConfig{.address = "::", .port = 9182},
                                         ListenConfig{.address = "::1", .port = 9183}));
  EXPECT_THAT(messages(result), Not(Contains(HasSubstr("listen-address"))));
}

TEST(Migration, CustomObjects_BecomeCountersetsWithTheirMetrics) {
  const auto file = read_file(R"yaml(
collectors: {enabled: "cpu,performancecounter"}
collector:
  performancecounter:
    objects: |-
      - name: photon
        object: "Photon Socket Server"
        instances: ["*"]
        counters:
          - {name: "% CPU (x)", metric: "photon_cpu", labels: {direction: in}}
      - object: "Other"
        instances: ["a.b", "_Total"]
        counters: []
      - object: "Processor Information"
        type: formatted
        instance_label: core
        counters: [{name: "% Idle Time"}]
)yaml",
                              "config.yaml");
  ASSERT_TRUE(file) << file.error();
  const Migrated result = migrated(*file);
  const Config config = config_of(result);
  ASSERT_THAT(names(config), ElementsAre("Processor Information", "Photon Socket Server", "Other"));
  EXPECT_THAT(config.countersets[0].metrics,
              ElementsAre(CustomMetric{
                  .counter = "% Idle Time",
                  .name = "windows_performancecounter_processor_information_percent_idle_time",
                  .value = CustomValue::kCooked}));
  EXPECT_EQ(config.countersets[0].instance_label, "core");
  EXPECT_TRUE(config.countersets[0].counters.accepts_all()) << "cpu reads them all";
  EXPECT_TRUE(config.countersets[1].instances.accepts_all());
  EXPECT_TRUE(config.countersets[1].counters.check("% cpu (X)").accepted);
  EXPECT_FALSE(config.countersets[1].counters.check("% CPU x").accepted);
  EXPECT_THAT(config.countersets[1].metrics,
              ElementsAre(CustomMetric{
                  .counter = "% CPU (x)", .name = "photon_cpu", .labels = {{"direction", "in"}}}));
  EXPECT_TRUE(config.countersets[2].instances.check("a.b").accepted);
  EXPECT_FALSE(config.countersets[2].instances.check("aXb").accepted);
  EXPECT_THAT(messages(result), IsEmpty());
}

TEST(Migration, EveryCollector_GivesAConfigurationThatIsRead) {
  std::string all;
  for (const Collector& collector : collectors())
    all += (all.empty() ? "" : ",") + std::string(collector.name);
  const Config config = config_of(migrated(flags({"--collectors.enabled=" + all})));
  EXPECT_GT(config.countersets.size(), 60u);
  EXPECT_EQ(config.facts.size(), kFactTopicCount - 1) << "all but command lines";
}

TEST(Migration, WhatHasNoCounterpart_IsListed) {
  const Migrated result =
      migrated(flags({"--no-web.disable-exporter-metrics", "--telemetry.path=/version",
                      "--collector.iis.site-include=a", "--collector.cpu.nonsense=1",
                      "--nonsense=2", "--log.file", "stdout", "--collector.nosuch.x=1"}));
  EXPECT_THAT(
      messages(result),
      ElementsAre(HasSubstr("--telemetry.path: metrics are at /metrics"),
                  HasSubstr("--log.file: messages are written to standard error"),
                  "--collector.iis.site-include: not needed, because the collector \"iis\" "
                  "is not enabled",
                  "--collector.cpu.nonsense: this option has no counterpart and was ignored",
                  "--nonsense: this setting is unknown, so it was left out",
                  "--collector.nosuch.x: not needed, because the collector \"nosuch\" is "
                  "not enabled"));
  EXPECT_EQ(result.summary, "8 of 8 collectors taken over, 3 losses");
  for (const std::string& message : messages(result))
    EXPECT_THAT(result.text, HasSubstr("# - " + message + "\n"));
  EXPECT_THAT(messages(migrated(flags({"--collector.cpu=1"}))),
              ElementsAre("--collector.cpu: this setting is unknown, so it was left out"))
      << "it has no option";
}

TEST(Migration, WhatSaysTheSameAsHere_IsNotListed) {
  const auto listed = [](const std::string& flag) {
    return messages(migrated(flags({"--collectors.enabled=cpu", flag})));
  };
  for (const char* same : {"--log.file=stderr", "--log.file=eventlog", "--telemetry.path=/metrics",
                           "--telemetry.path=/other", "--web.config.file=", "--no-debug.enabled",
                           "--process.priority=normal", "--collector.process.counter-version=1"})
    EXPECT_THAT(listed(same), IsEmpty()) << same;
  EXPECT_THAT(listed("--debug.enabled"), ElementsAre(HasSubstr("no profiling endpoint")));
}

// Without it the result would be open where the other program asks for a password.
TEST(Migration, OfAWebConfiguration_ProtectsEveryAddress) {
  const Migrated result = migrated(flags(
      {"--collectors.enabled=cpu", "--web.config.file=C:\\we b\\web.yml", "--web.listen-address=:1",
       "--web.listen-address=:2", "--web.telemetry-path=/t", "--web.disable-exporter-metrics"}));
  const Config config = config_of(result);
  ASSERT_EQ(config.listen.size(), 2U);
  for (const ListenConfig& where : config.listen) EXPECT_EQ(where.web_file, "C:\\we b\\web.yml");
  EXPECT_EQ(config.metrics.path, "/t");
  EXPECT_FALSE(config.metrics.exporter);
  EXPECT_TRUE(result.complete);
  EXPECT_THAT(messages(result), ElementsAre(HasSubstr("relative paths start at the folder")));
  const Migrated plain = migrated(flags({"--collectors.enabled=cpu", "--web.config.file=web.yml"}));
  EXPECT_EQ(config_of(plain).listen.at(0).web_file, "web.yml");
}

TEST(Migration, LogSettings_AreWrittenAsHere) {
  const auto log = [](std::vector<std::string> arguments) {
    arguments.emplace_back("--collectors.enabled=cpu");
    return config_of(migrated(flags(arguments))).log;
  };
  EXPECT_EQ(log({"--log.level=WARN"}).level, log({"--log.level=warn"}).level);
  EXPECT_EQ(log({"--log.format=json"}).format, LogFormat::kJson);
  EXPECT_EQ(log({"--log.format=logfmt"}).format, LogFormat::kText);
  EXPECT_EQ(log({"--log.format=logger:stderr?json=true"}).format, LogFormat::kJson);
  EXPECT_EQ(log({"--log.level=fatal"}).level, LogLevel::kError);
  EXPECT_EQ(log({"--log.file=C:\\x.log", "--log.format=json"}).file, "C:\\x.log");
}

TEST(Migration, WhatIsWrong_IsLostWithItsPlace) {
  const auto lost = [](const char* flag) {
    const Migrated result = migrated(flags({flag}));
    EXPECT_FALSE(result.complete);
    return messages(result).front();
  };
  EXPECT_THAT(lost("--collector.logical_disk.volume-include=("),
              HasSubstr("--collector.logical_disk.volume-include: \"(\" is not a valid regular "
                        "expression"));
  EXPECT_THAT(lost("--log.level=loud"), HasSubstr("--log.level: \"log.level\""));
}

TEST(Migration, WhatCanNotBeRead_IsRefused) {
  EXPECT_THAT(read_flags(std::vector<std::string>{"x.exe", "stray"}).error(),
              HasSubstr("\"stray\""));
  EXPECT_THAT(read_file("a: [", "c.yaml").error(), HasSubstr("c.yaml:1:"));
  EXPECT_THAT(read_file("- a", "c.yaml").error(), HasSubstr("c.yaml:1:1: not a windows_exporter"));
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
    EXPECT_THAT(messages(result), Contains("--web.listen-address: the address \"" + address +
                                           "\" was left out: this program cannot listen on it"));
    EXPECT_THAT(messages(result), Contains("--web.listen-address: no address is left, so the "
                                           "result listens on every interface at port 9182"));
  }
  EXPECT_THAT(config_of(migrated(flags({"--web.listen-address=[::1]:1"}))).listen,
              ElementsAre(ListenConfig{.address = "::1", .port = 1}));
}

TEST(Migration, SeveralAddresses_BecomeAList) {
  const Migrated result =
      migrated(flags({"--collectors.enabled=cpu", "--web.listen-address=10.0.0.1:9182",
                      "--web.listen-address=:http", "--web.listen-address=localhost:9999"}));
  EXPECT_THAT(result.text, HasSubstr(R"(
  # windows_exporter's ports, so Prometheus needs no change; only one of the two programs can use them at a time.
  listen: [
    {address: "10.0.0.1", port: 9182},
    {address: "localhost", port: 9999},
  ],
)"));
  EXPECT_THAT(config_of(result).listen,
              ElementsAre(ListenConfig{.address = "10.0.0.1", .port = 9182},
                          ListenConfig{.address = "localhost", .port = 9999}));
  EXPECT_THAT(messages(result), ElementsAre("--web.listen-address: the address \":http\" was left "
                                            "out: this program cannot listen on it"));
}

TEST(Migration, AnAddressThatIsGivenTwice_IsMigratedOnce) {
  const Migrated result =
      migrated(flags({"--web.listen-address=LOCALHOST:1", "--web.listen-address=localhost:1"}));
  EXPECT_THAT(config_of(result).listen,
              ElementsAre(ListenConfig{.address = "LOCALHOST", .port = 1}));
  EXPECT_THAT(messages(result),
              Contains("--web.listen-address: the address \"localhost:1\" was left "
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
  EXPECT_THAT(messages(result),
              Contains("--web.listen-address: the address \":9\" was left out: this "
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
  EXPECT_THAT(names(config),
              ElementsAre("Processor Information", "Network Interface", ".NET CLR Memory"));
  EXPECT_TRUE(config.countersets[1].instances.check("abc").accepted);
  EXPECT_FALSE(config.countersets[1].instances.check("isatap.1").accepted);
  EXPECT_FALSE(config.countersets[1].instances.check("xyz").accepted);
  EXPECT_THAT(topics(config), ElementsAre(FactTopic::kOs, FactTopic::kMemory, FactTopic::kAdapters,
                                          FactTopic::kLogons));
  EXPECT_TRUE(result.complete);
}

TEST(Migration, CustomObjectsOfACollectorThatIsOff_AreNotSampled) {
  const Migrated result = migrated(flags(
      {"--collectors.enabled=cpu", "--collector.performancecounter.objects=[{object: Memory}]"}));
  EXPECT_THAT(names(config_of(result)), ElementsAre("Processor Information"));
  EXPECT_THAT(messages(result),
              Contains(HasSubstr("the collector \"performancecounter\" is not enabled")));
}

TEST(Migration, ACollectorThatIsNotKnown_CostsItselfAlone) {
  const Migrated result = migrated(flags({"--collectors.enabled=cpu,logical_dsk,registry"}));
  EXPECT_THAT(names(config_of(result)), ElementsAre("Processor Information"));
  EXPECT_THAT(messages(result),
              ElementsAre("--collectors.enabled: the collector \"logical_dsk\" is unknown, so it "
                          "was left out; did you mean \"logical_disk\"?",
                          "--collectors.enabled: the collector \"registry\" is unknown, so it was "
                          "left out"));
}

TEST(Migration, OfFactsAlone_HasNoCounterset) {
  for (const char* collectors : {"os", "textfile", "service,time"}) {
    const Config config =
        config_of(migrated(flags({std::string("--collectors.enabled=") + collectors,
                                  "--collector.time.enabled=system_time"})));
    EXPECT_THAT(names(config), IsEmpty()) << collectors;
    EXPECT_FALSE(config.facts.empty()) << collectors;
  }
}

TEST(Migration, OfNothingThatIsHere_HasOneCounterset) {
  for (const char* collectors : {"cpuu", "container", ""}) {
    const Config config =
        config_of(migrated(flags({std::string("--collectors.enabled=") + collectors})));
    EXPECT_THAT(names(config), ElementsAre("System")) << collectors;
    EXPECT_THAT(config.facts, IsEmpty()) << collectors;
  }
}

TEST(Migration, WhatPeopleWriteForTheDefaults_AreTheDefaults) {
  const auto wanted = names(config_of(migrated({})));
  for (const char* name : {"[default]", "defaults", "default", "[Defaults]"}) {
    const Migrated result = migrated(flags({std::string("--collectors.enabled=") + name}));
    EXPECT_EQ(names(config_of(result)), wanted) << name;
    EXPECT_THAT(messages(result), Contains(HasSubstr("[defaults] was used"))) << name;
    EXPECT_TRUE(result.complete) << name;
  }
}

TEST(Migration, OldNamesOfSettings_AreTakenOver) {
  const Migrated result = migrated(flags({"--collectors.enabled=cpu", "--telemetry.max-requests=7",
                                          "--logger.level=warn", "--logger.format=json"}));
  const Config config = config_of(result);
  EXPECT_EQ(config.limits.max_requests, 7U);
  EXPECT_EQ(config.log.level, LogLevel::kWarn);
  EXPECT_EQ(config.log.format, LogFormat::kJson);
  EXPECT_THAT(messages(result), IsEmpty());
  const Migrated unlimited = migrated(flags({"--telemetry.max-requests=0"}));
  EXPECT_EQ(config_of(unlimited).limits.max_requests, LimitsConfig().max_requests);
  EXPECT_TRUE(unlimited.complete);
  for (const char* value : {"many", "-1", "5}", "99999999", ""}) {
    const Migrated wrong = migrated(flags({std::string("--telemetry.max-requests=") + value}));
    EXPECT_THAT(messages(wrong), Contains(HasSubstr("max_requests"))) << value;
    EXPECT_FALSE(wrong.complete) << value;
  }
}

TEST(Migration, ASettingAtTheWrongPlace_IsLostAndTheRightOneNamed) {
  const auto message = [](const std::string& yaml) {
    const auto all = messages(migrated(file_settings(yaml.c_str())));
    return all.empty() ? "" : all.front();
  };
  EXPECT_EQ(message("process: {include: a}"),
            "c.yaml:1:11: process.include: this setting is unknown, so it was left out; did "
            "you mean \"collector.process.include\"?");
  EXPECT_THAT(message("collectors: {enabled: cpu, process: {include: a}}"),
              HasSubstr("did you mean \"collector.process.include\"?"));
  EXPECT_THAT(message("collector: {enabled: cpu}"),
              HasSubstr("did you mean \"collectors.enabled\"?"));
  EXPECT_THAT(message("telemetry: {listen-address: ':1'}"),
              HasSubstr("did you mean \"web.listen-address\"?"));
  EXPECT_THAT(message("web: {listen-adress: ':1'}"),
              HasSubstr("did you mean \"web.listen-address\"?"));
  EXPECT_THAT(message("logical_disk: {volume-exclude: a}"),
              HasSubstr("did you mean \"collector.logical_disk.volume-exclude\"?"));
}

TEST(Migration, TwoEntriesOfOneObject_BecomeOne) {
  const Migrated result = migrated(file_settings(R"(
collectors: {enabled: performancecounter}
collector:
  performancecounter:
    objects:
      - {object: LogicalDisk, instances: ["C:"], counters: [{name: "% Free Space", metric: a}]}
      - {object: logicaldisk, instances: ["D:"], counters: [{name: "Free Megabytes", metric: b}]}
      - {object: LogicalDisk, instances: ["D:"], counters: [{name: "% Free Space", metric: a}]}
)"));
  const Config config = config_of(result);
  ASSERT_THAT(names(config), ElementsAre("LogicalDisk"));
  EXPECT_EQ(config.countersets[0].metrics.size(), 2U);
  for (const char* instance : {"C:", "D:"})
    EXPECT_TRUE(config.countersets[0].instances.check(instance).accepted) << instance;
  EXPECT_FALSE(config.countersets[0].instances.check("E:").accepted);
  EXPECT_TRUE(result.complete);
  EXPECT_THAT(messages(result), Contains(HasSubstr("two entries with different instances")));
}

TEST(Migration, CommandsWork_WhenTheyArePasted) {
  const auto message = [](const std::string& folder) {
    const auto all = messages(migrated(
        flags({"--collectors.enabled=textfile", "--collector.textfile.directories=" + folder})));
    return all.empty() ? "" : all.front();
  };
  EXPECT_THAT(message("C:\\metrics\\"), HasSubstr("icacls \"C:\\metrics\" /grant"));
  EXPECT_THAT(message("C:\\a b\\\\"), HasSubstr("icacls \"C:\\a b\" /grant"));
  EXPECT_THAT(message("D:\\"), HasSubstr("icacls \"D:\\\\\" /grant"));
  EXPECT_THAT(message("D:\\x"), HasSubstr("icacls \"D:\\x\" /grant"));
}

TEST(Migration, TheOldAddressCounts) {
  const Migrated result =
      migrated(file_settings("telemetry: {addr: ':9100', path: /metrics}\n"
                             "collectors: {enabled: cpu}"));
  EXPECT_EQ(config_of(result).listen.at(0).port, 9100);
  EXPECT_THAT(messages(result), IsEmpty());
  const auto both = migrated(flags({"--telemetry.addr=:1", "--web.listen-address=:2"}));
  EXPECT_THAT(config_of(both).listen, ElementsAre(ListenConfig{.address = "::", .port = 2}));
}

TEST(Migration, SaysHowMuchWasTakenOver) {
  const Migrated whole = migrated(flags({"--collectors.enabled=cpu,memory"}));
  EXPECT_EQ(whole.summary, "2 of 2 collectors taken over, nothing lost");
  EXPECT_TRUE(whole.complete);
  const Migrated part = migrated(flags(
      {"--collectors.enabled=cpu,container,nosuch", "--nonsense=1", "--collector.cpu.nonsense=1"}));
  EXPECT_EQ(part.summary, "1 of 3 collectors taken over, 4 losses");
  EXPECT_FALSE(part.complete);
}

TEST(Migration, PartsOfACollector_AreSelected) {
  EXPECT_THAT(names(config_of(migrated(flags(
                  {"--collectors.enabled=mssql", "--collector.mssql.enabled=bufman, Locks"})))),
              ElementsAre("SQLServer:Buffer Manager", "MSSQL$*:Buffer Manager", "SQLServer:Locks",
                          "MSSQL$*:Locks"));
  EXPECT_THAT(names(config_of(migrated(flags(
                  {"--collectors.enabled=exchange", "--collector.exchange.enabled=HttpProxy"})))),
              ElementsAre("MSExchange HttpProxy"));
  const Config whole = config_of(migrated(flags({"--collectors.enabled=mssql"})));
  EXPECT_THAT(whole.collect, ElementsAre("mssql"));
  EXPECT_EQ(whole.countersets.size(), 24U);
}

TEST(Migration, ValuesThatAreMeantToDoHarm_StayValues) {
  const Migrated result =
      migrated(flags({"--log.file=a\"}, // b", "--x\ny=1", "--telemetry.path=\n}"}));
  EXPECT_EQ(config_of(result).log.file, "a\"}, // b");
  EXPECT_THAT(messages(migrated(flags({"--log.file=a\nb"}))).front(),
              HasSubstr("control character"));
  EXPECT_THAT(migrated(flags({"--x\x7Fy=1", "--collectors.enabled=cpu,\x7F"})).text,
              Not(HasSubstr("\x7F")));
}

TEST(Migrate, WhatIsGivenAgain_IsNamed) {
  const Migrated result =
      migrated(flags({"--collectors.enabled=cpu", "--collectors.enabled=net", "--telemetry.addr=:9",
                      "--web.listen-address=:8", "--web.listen-address=:7"}));
  EXPECT_THAT(messages(result),
              ::testing::IsSupersetOf(
                  {HasSubstr("--collectors.enabled: it is given 2 times; the last value, \"net\""),
                   HasSubstr("--telemetry.addr: ignored in favour of --web.listen-address")}));
  EXPECT_THAT(messages(result), Not(Contains(HasSubstr("--web.listen-address: it is given"))));
  EXPECT_EQ(config_of(result).listen.size(), 2U);
}

}  // namespace
}  // namespace winperf::migration
