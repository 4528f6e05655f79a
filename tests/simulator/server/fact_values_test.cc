// What the simulated server's facts and its counters both say is the same on both, as the program
// reads them: process ids, sessions, memory, volumes, processors, adapters.
#include "tests/simulator/server/fact_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/simulator/fact_source.h"
#include "tests/simulator/path_pair.h"
#include "tests/simulator/server/server_machine.h"

namespace winperf::simulator {
namespace {

constexpr std::int64_t kBoot100ns = Now{}.time_100ns - kServerUpTime100ns;
constexpr double kMiB = 1'048'576;

class ServerFactsTest : public ::testing::Test {
 protected:
  ServerFactsTest() {
    furnish_server(machine_, kBoot100ns);
    machine_.advance(100'000);
  }

  const FactTable& facts(FactTopic topic) {
    FactTable& table = tables_[topic];
    if (table.rows.empty()) {
      const auto read = make_server_facts([this] {
                          return ServerMoment{machine_.now(), kBoot100ns};
                        })->read({.topic = topic}, StopToken());
      if (read) table = *read;
    }
    EXPECT_FALSE(table.rows.empty());
    return table;
  }

  std::set<std::string> texts(FactTopic topic, std::string_view field) {
    std::set<std::string> found;
    for (const FactRow& row : facts(topic).rows) found.insert(row.text_of(field));
    return found;
  }

  static double number(const FactRow& row, std::string_view field) {
    const FactValue* const value = row.find(field);
    return value == nullptr ? -1 : std::get<double>(*value);
  }

  // The counterset as the program samples it: raw values by instance, in their order. Without the
  // total.
  std::multimap<std::string, double> counters(const std::string& object,
                                              const std::string& counter) {
    SimulatedSampler sampler(machine_, {planned(object)});
    sampler.round();
    const CountersetSample& sample = *sampler.state().sample;
    std::multimap<std::string, double> values;
    for (std::size_t column = 0; column < sample.columns(); ++column) {
      if (sample.schema->counters[column].name != counter) continue;
      for (std::size_t row = 0; row < sample.rows(); ++row) {
        // An object without instances has a row without a name.
        const auto& known = sample.instances->instances;
        const std::string name = known.empty() ? "" : known[row].name;
        if (name != "_Total")
          values.emplace(name, static_cast<double>(sample.raw[sample.cell(row, column)]));
      }
    }
    EXPECT_FALSE(values.empty()) << object << '\\' << counter;
    return values;
  }

  std::set<std::string> instances(const std::string& object, const std::string& counter) {
    std::set<std::string> names;
    for (const auto& [name, value] : counters(object, counter)) names.insert(name);
    return names;
  }

  double counter(const std::string& object, const std::string& name) {
    return counters(object, name).begin()->second;
  }

  Machine machine_;
  std::map<FactTopic, FactTable> tables_;
};

// "svchost" of "C:\Windows\system32\svchost.exe -k iissvcs".
std::string program_of(const std::string& command) {
  const auto end = command.find(".exe");
  const auto begin = command.rfind('\\', end) + 1;
  return command.substr(begin, end - begin);
}

TEST_F(ServerFactsTest, AServicesProcessIsOneOfItsProgram) {
  const auto processes = counters("Process", "ID Process");
  for (const FactRow& row : facts(FactTopic::kServices).rows) {
    if (row.text_of("state") != "running") continue;
    const std::string program = program_of(row.text_of("path_name"));
    std::vector<double> ids;
    const auto [first, last] = processes.equal_range(program);
    for (auto it = first; it != last; ++it) ids.push_back(it->second);
    EXPECT_THAT(ids, ::testing::Contains(number(row, "process_id"))) << row.text_of("name");
  }
}

TEST_F(ServerFactsTest, AProcessHasTheIdThatTheCountersGiveIt) {
  const auto processes = counters("Process", "ID Process");
  for (const FactRow& row : facts(FactTopic::kProcesses).rows) {
    const auto found = processes.find(row.text_of("process"));
    ASSERT_NE(found, processes.end()) << row.text_of("process");
    EXPECT_EQ(row.text_of("process_id"), std::to_string(static_cast<int>(found->second)));
    EXPECT_TRUE(texts(FactTopic::kSessions, "id").contains(row.text_of("session_id")));
  }
}

TEST_F(ServerFactsTest, SessionsAreThoseOfTheCounters) {
  EXPECT_EQ(texts(FactTopic::kSessions, "session_name"),
            instances("Terminal Services Session", "% Processor Time"));
  EXPECT_EQ(static_cast<double>(facts(FactTopic::kSessions).rows.size()),
            counter("Terminal Services", "Total Sessions"));
}

TEST_F(ServerFactsTest, MemoryIsThatOfTheCounters) {
  const FactRow& memory = facts(FactTopic::kMemory).rows.at(0);
  EXPECT_EQ(number(memory, "physical_free"), counter("Memory", "Available Bytes"));
  EXPECT_EQ(number(memory, "commit_limit"), counter("Memory", "Commit Limit"));
  EXPECT_EQ(number(memory, "commit_limit") - number(memory, "commit_free"),
            counter("Memory", "Committed Bytes"));
  EXPECT_EQ(number(memory, "commit_limit") - number(memory, "physical_total"),
            number(facts(FactTopic::kPagefiles).rows.at(0), "size"));
}

TEST_F(ServerFactsTest, VolumesAndDisksAreThoseOfTheCounters) {
  const auto free = counters("LogicalDisk", "Free Megabytes");
  const auto disks = instances("PhysicalDisk", "% Disk Time");
  EXPECT_EQ(disks.size(), facts(FactTopic::kDisks).rows.size());
  std::set<std::string> volumes;
  for (const FactRow& row : facts(FactTopic::kVolumes).rows) {
    const std::string name = row.text_of("volume");
    if (row.text_of("type") != "fixed") continue;
    volumes.insert(name);
    ASSERT_TRUE(free.contains(name)) << name;
    EXPECT_EQ(number(row, "free"), free.find(name)->second * kMiB) << name;
    if (name.ends_with(':')) {
      EXPECT_THAT(disks, ::testing::Contains(
                             ::testing::AllOf(::testing::StartsWith(row.text_of("disks") + ' '),
                                              ::testing::HasSubstr(name))));
    }
  }
  EXPECT_EQ(volumes, instances("LogicalDisk", "Free Megabytes"));
}

TEST_F(ServerFactsTest, ProcessorsAdaptersAndConnectionsAreThoseOfTheCounters) {
  double processors = 0;
  for (const FactRow& row : facts(FactTopic::kProcessors).rows)
    processors += number(row, "logical_processors");
  EXPECT_EQ(processors, static_cast<double>(instances("Processor", "% User Time").size()));
  EXPECT_EQ(texts(FactTopic::kAdapters, "nic"), instances("Network Interface", "Bytes Sent/sec"));
  for (const FactRow& row : facts(FactTopic::kConnections).rows) {
    if (row.text_of("state") != "ESTABLISHED") continue;
    EXPECT_EQ(number(row, "count"),
              counter(row.text_of("af") == "ipv4" ? "TCPv4" : "TCPv6", "Connections Established"));
  }
}

TEST_F(ServerFactsTest, TheServerWasStartedWhenItsCountersSay) {
  constexpr double kUnixEpochSeconds = 11'644'473'600;
  EXPECT_EQ(number(facts(FactTopic::kOs).rows.at(0), "boot_time"),
            static_cast<double>(kBoot100ns / 10'000'000) - kUnixEpochSeconds);
}

TEST(FactValues, WhatTheServerDoesNotHaveIsAnError) {
  for (const char* const path :
       {R"(["Nothing", "", "Available Bytes"])", R"(["Memory", "", "Nothing"])",
        R"(["Memory", "C:", "Commit Limit"])", R"(["Process", "sqlservr#2", "ID Process"])"}) {
    auto rows = nlohmann::json::parse(std::string(R"([{"field": {"of": )") + path + "}}]");
    EXPECT_THROW(fill_in(rows, server_data(), {.now = {}, .boot_100ns = kBoot100ns}),
                 std::out_of_range)
        << path;
  }
}

}  // namespace
}  // namespace winperf::simulator
