#include "config/perfmon_path.h"

#include <gmock/gmock.h>

#include "config/config.h"

namespace winperf {
namespace {

using ::testing::HasSubstr;

struct Row {
  const char* path;
  const char* object;
  const char* instance;
  const char* counter;
};

TEST(PerfmonPath, IsTakenApart) {
  const Row rows[] = {
      {"\\Processor(_Total)\\% Processor Time", "Processor", "_Total", "% Processor Time"},
      {"\\\\SERVER\\Processor(0)\\% User Time", "Processor", "0", "% User Time"},
      {"\\Memory\\Available Bytes", "Memory", "", "Available Bytes"},
      {"\\\\SERVER\\Memory\\Available Bytes", "Memory", "", "Available Bytes"},
      {"Process(svchost#1)\\ID Process", "Process", "svchost#1", "ID Process"},
      {"\\Thread(a/0)\\% User Time", "Thread", "a/0", "% User Time"},
      {"\\Network Interface(Intel[R] (x) \\ 1)\\Packets/sec", "Network Interface",
       "Intel[R] (x) \\ 1", "Packets/sec"},
      {"\\Processor(*)", "Processor", "*", ""},
      {"\\Memory", "Memory", "", ""},
      {"\\\\SERVER", "", "", ""},
      {"\\", "", "", ""},
  };
  for (const Row& row : rows) {
    const auto path = parse_perfmon_path(row.path);
    ASSERT_TRUE(path) << row.path;
    EXPECT_EQ(path->object, row.object) << row.path;
    EXPECT_EQ(path->instance, row.instance) << row.path;
    EXPECT_EQ(path->counter, row.counter) << row.path;
  }
}

TEST(PerfmonPath, AnObjectsNameIsNone) {
  for (const char* name : {"Memory", "238", "Hyper-V (x)", "SQLServer:Locks", "MSSQL$A:Locks",
                           "{b4fc721a-0378-476f-89ba-a5a79f810b36}", ""})
    EXPECT_FALSE(parse_perfmon_path(name)) << name;
}

// What is advised is understood, and selects what the path names.
TEST(PerfmonPath, IsAnEntryOfAConfiguration) {
  const auto entry = [](const char* path) { return as_counterset(*parse_perfmon_path(path)); };
  EXPECT_EQ(entry("\\Memory\\Available Bytes"),
            "{name: \"Memory\", counters: {include: [\"Available Bytes\"]}}");
  EXPECT_EQ(entry("\\Process(*)\\*"), "{name: \"Process\"}");
  EXPECT_THAT(entry("\\Processor(_Total)"), HasSubstr("total_instances: true"));
  const auto config =
      parse_config("countersets: [" + entry("\\Process(svc.*#2)\\IO (x)/sec") + ']', "test");
  ASSERT_TRUE(config);
  EXPECT_TRUE(config->countersets[0].instances.check("svc.host").accepted);
  EXPECT_FALSE(config->countersets[0].instances.check("svchost").accepted);
  EXPECT_TRUE(config->countersets[0].counters.check("IO (x)/sec").accepted);
}

}  // namespace
}  // namespace winperf
