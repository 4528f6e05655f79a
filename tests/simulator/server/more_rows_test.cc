#include "tests/simulator/server/more_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "collectors/wire/text.h"
#include "tests/simulator/server/rows.h"
#include "tests/simulator/server/server_machine.h"

namespace winperf::simulator {
namespace {

constexpr std::int64_t kSecond100ns = 10'000'000;

const ServerObject& object_of(const ServerData& data, std::string_view name) {
  for (const ServerProvider& provider : data.providers)
    for (const ServerObject& object : provider.objects)
      if (object.name == name) return object;
  throw std::out_of_range(std::string(name));
}

// A second of a server that has been up for a while.
std::vector<InstanceValues> rows_at(const ServerData& data, const char* object,
                                    std::int64_t second) {
  return rows_of(data, object_of(data, object),
                 {.now = {.time_100ns = kServerUpTime100ns + second * kSecond100ns}});
}

std::set<std::uint64_t> processes_at(const ServerData& data, std::int64_t second) {
  std::set<std::uint64_t> ids;
  for (const InstanceValues& row : rows_at(data, "Process", second)) ids.insert(row.id);
  return ids;
}

TEST(MoreRows, ProcessesAreSoManyAndSomeEndAllTheTime) {
  const ServerData data = server_data({.processes = 1'000});
  std::set<std::uint64_t> before = processes_at(data, 0);
  EXPECT_GE(before.size(), 990u) << "all of them, but for the ones that come and go";
  EXPECT_LE(before.size(), 1'001u) << "with the total";
  std::size_t ended = 0;
  constexpr int kSteps = 20;
  for (int i = 1; i <= kSteps; ++i) {
    const std::set<std::uint64_t> now = processes_at(data, i * 15);
    ended += static_cast<std::size_t>(
        std::ranges::count_if(before, [&](auto id) { return !now.contains(id); }));
    EXPECT_NEAR(static_cast<double>(now.size()), static_cast<double>(before.size()), 6);
    before = now;
  }
  EXPECT_GE(ended, 20u);
  EXPECT_LE(ended, 100u);
}

TEST(MoreRows, TheProcessorsAreEnoughForThem) {
  const ServerData data = server_data({.processes = 3'000, .has_hostile_names = true});
  const ServerObject& object = object_of(data, "Process");
  const auto time = std::ranges::find(object.counters, "% Processor Time", &ServerCounter::name) -
                    object.counters.begin();
  const auto idle_at = [&](std::int64_t second) {
    return rows_at(data, "Process", second)[0].values.at(static_cast<std::size_t>(time));
  };
  EXPECT_GT(idle_at(60), idle_at(0));
}

TEST(MoreRows, TooFewProcessesAreRefused) {
  EXPECT_THROW(server_data({.processes = 3}), std::out_of_range);
  EXPECT_THROW(server_data({.processes = kMostProcesses + 1}), std::out_of_range);
}

TEST(MoreRows, EachHostileNameIsThatOfAProcessAndOfSomethingElse) {
  const std::vector<std::string>& names = hostile_names();
  ASSERT_EQ(names.size(), 200u);
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), 200u);
  const ServerData data = server_data({.has_hostile_names = true});
  std::set<std::u16string> processes;
  for (const InstanceValues& row : rows_at(data, "Process", 0)) processes.insert(row.name);
  std::set<std::u16string> others;
  for (const char* const object : {"LogicalDisk", "Network Interface", "Web Service",
                                   "APP_POOL_WAS", "Hyper-V Dynamic Memory VM"})
    for (const InstanceValues& row : rows_at(data, object, 0)) others.insert(row.name);
  for (const std::string& name : names) {
    EXPECT_TRUE(processes.contains(to_utf16(name))) << name;
    EXPECT_TRUE(others.contains(to_utf16(name))) << name;
  }
}

}  // namespace
}  // namespace winperf::simulator
