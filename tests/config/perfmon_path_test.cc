#include "config/patterns.h"

#include <gmock/gmock.h>

#include <chrono>

#include "config/config.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;

struct PathRow {
  const char* path;
  const char* machine;
  const char* object;
  const char* instance;
  const char* counter;
};

TEST(PerfmonPath, IsTakenApart) {
  const PathRow rows[] = {
      {"\\Processor(_Total)\\% Processor Time", "", "Processor", "_Total", "% Processor Time"},
      {"\\\\SERVER\\Processor(0)\\% User Time", "SERVER", "Processor", "0", "% User Time"},
      {"\\Memory\\Available Bytes", "", "Memory", "", "Available Bytes"},
      {"Memory\\Available Bytes", "", "Memory", "", "Available Bytes"},
      {"\\\\SERVER\\Memory\\Available Bytes", "SERVER", "Memory", "", "Available Bytes"},
      {"Process(svchost#1)\\ID Process", "", "Process", "svchost#1", "ID Process"},
      {"\\Thread(a/0)\\% User Time", "", "Thread", "a/0", "% User Time"},
      {"\\Network Interface(Intel[R] (x) \\ 1)\\Packets/sec", "", "Network Interface",
       "Intel[R] (x) \\ 1", "Packets/sec"},
      {"\\SQLServer:Memory Manager\\Total Server Memory (KB)", "", "SQLServer:Memory Manager", "",
       "Total Server Memory (KB)"},
      {"\\SQLServer:Databases(_Total)\\Data File(s) Size (KB)", "", "SQLServer:Databases", "_Total",
       "Data File(s) Size (KB)"},
      {"\\Processor(*)", "", "Processor", "*", ""},
      {"\\Processor(*)\\", "", "Processor", "*", ""},
      {"\\Memory", "", "Memory", "", ""},
      {"\\\\SERVER", "SERVER", "", "", ""},
      {"\\\\", "", "", "", ""},
      {"\\", "", "", "", ""},
      {"\\(a)\\b", "", "", "a", "b"},
  };
  for (const PathRow& row : rows) {
    const auto path = parse_perfmon_path(row.path);
    ASSERT_TRUE(path) << row.path;
    EXPECT_EQ(path->machine, row.machine) << row.path;
    EXPECT_EQ(path->object, row.object) << row.path;
    EXPECT_EQ(path->instance, row.instance) << row.path;
    EXPECT_EQ(path->counter, row.counter) << row.path;
  }
}

TEST(PerfmonPath, IsTheSameWhenItIsWrittenAndReadAgain) {
  for (const char* const text : {"\\\\srv\\Process(a/b#1)\\% Processor Time", "\\Memory\\*",
                                 "\\Memory", "\\Process(a)\\b)\\"}) {
    PerfmonPath path = parse_perfmon_path(text).value();
    path.machine.clear();
    const PerfmonPath again = parse_perfmon_path(local_path(path)).value();
    EXPECT_EQ(again.object, path.object) << text;
    EXPECT_EQ(again.instance, path.instance) << text;
    EXPECT_EQ(again.counter, path.counter) << text;
  }
}

TEST(PerfmonPath, AnObjectsNameIsNone) {
  for (const char* name : {"Memory", "238", "Hyper-V (x)", "SQLServer:Locks", "MSSQL$A:Locks",
                           "{b4fc721a-0378-476f-89ba-a5a79f810b36}", ""})
    EXPECT_FALSE(parse_perfmon_path(name)) << name;
}

CountersetConfig counterset_at(const std::string& path) {
  const auto config = parse_config("countersets: ['" + path + "']", "test");
  EXPECT_TRUE(config) << path;
  return config ? config->countersets.at(0) : CountersetConfig();
}

TEST(PerfmonPath, IsAnEntryOfAConfiguration) {
  const CountersetConfig some = counterset_at("\\Process(SVC.*#2)\\IO (x)/sec");
  EXPECT_EQ(some.label, "\\Process(SVC.*#2)\\IO (x)/sec");
  EXPECT_THAT(some.names, ElementsAre("Process"));
  EXPECT_TRUE(some.instances_as_displayed);
  EXPECT_TRUE(some.instances.check("svc.host#2").accepted);
  EXPECT_FALSE(some.instances.check("svc.host").accepted);
  EXPECT_FALSE(some.instances.check("svchost#2").accepted);
  EXPECT_TRUE(some.counters.check("io (X)/sec").accepted);
  EXPECT_FALSE(some.counters.check("IO (x)/second").accepted);
}

TEST(PerfmonPath, MayCallTheFirstInstanceOfANameByItsNumber) {
  const CountersetConfig first = counterset_at("\\Process(svchost#0)\\Working Set");
  EXPECT_TRUE(first.instances.check("svchost").accepted);
  EXPECT_FALSE(first.instances.check("svchost#1").accepted);
  EXPECT_FALSE(
      counterset_at("\\Process(svchost#10)\\Working Set").instances.check("svchost#1").accepted);
}

TEST(PerfmonPath, TakesFiltersThatSelectOtherwise) {
  const auto config = parse_config(
      "countersets: [{name: '\\Process(*)\\Working Set', instances: {max: 3, by: 'Working Set', "
      "labels: '(?<a>.).*'}}]",
      "test");
  ASSERT_TRUE(config) << describe(config.error().front());
  EXPECT_EQ(config->countersets.at(0).max_instances, 3U);
  EXPECT_TRUE(config->countersets.at(0).label_pattern);
}

TEST(PerfmonPath, SelectsEverythingThatItDoesNotName) {
  for (const char* path : {"\\Process", "\\Process(*)", "\\Process(*)\\*", "\\Process\\*"}) {
    const CountersetConfig all = counterset_at(path);
    EXPECT_TRUE(all.instances.accepts_all()) << path;
    EXPECT_TRUE(all.counters.accepts_all()) << path;
    EXPECT_FALSE(all.instances_as_displayed) << path;
  }
}

TEST(PerfmonPath, StandsBesideItsObjectAndOtherPathsOfIt) {
  const auto config = parse_config(
      "{interval: 2s, countersets: [Process, '\\Process(a)\\b', {name: '\\Process(a)\\c', "
      "interval: 3s}]}",
      "test");
  ASSERT_TRUE(config);
  ASSERT_EQ(config->countersets.size(), 3u);
  EXPECT_EQ(config->countersets[1].interval, std::chrono::seconds(2));
  EXPECT_EQ(config->countersets[2].interval, std::chrono::seconds(3));
}

TEST(PerfmonPath, ANameByItselfIsAnEntryToo) {
  Config config;
  config.interval = std::chrono::seconds(7);
  const CountersetConfig object = counterset_named("Memory", config);
  EXPECT_EQ(object.label, "Memory");
  EXPECT_THAT(object.names, ElementsAre("Memory"));
  EXPECT_EQ(object.interval, config.interval);
  EXPECT_THAT(counterset_named("\\Memory\\Available Bytes", config).names, ElementsAre("Memory"));
  const std::string wrong = "\\\\web1\\Memory\\Available Bytes";
  EXPECT_THAT(counterset_named(wrong, config).names, ElementsAre(wrong));
}

}  // namespace
}  // namespace winperf
