// The simulated server as the program's readers see it, by both paths; and that it has all that the
// profiles of windows_exporter's metrics ask for.
#include "tests/simulator/server/server_machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "tests/simulator/path_pair.h"
#include "tests/simulator/server/movement_text.h"
#include "tests/simulator/server/parse.h"

namespace winperf::simulator {
namespace {

using Objects = std::map<std::string, const ServerObject*>;

class ServerMachineTest : public ::testing::Test {
 protected:
  ServerMachineTest() : data_(server_data()) {
    furnish_server(machine_, Now{}.time_100ns - kServerUpTime100ns);
    for (const ServerProvider& provider : data_.providers)
      for (const ServerObject& object : provider.objects) {
        objects_[object.name] = &object;
        if (provider.is_v2) v2_.insert(object.name);
      }
  }

  // Samples everything by a path, or only V2 countersets.
  std::unique_ptr<SimulatedSampler> sampled(CounterPath path, bool only_v2 = false) {
    std::vector<PlannedCounterset> plan;
    for (const auto& [name, object] : objects_)
      if (!only_v2 || v2_.contains(name)) plan.push_back(planned(name, path));
    auto sampler = std::make_unique<SimulatedSampler>(machine_, std::move(plan));
    for (int i = 0; i < 3; ++i) {
      latest_ = sampler->round();
      machine_.advance(1);
    }
    return sampler;
  }

  void expect_everything(const SimulatedSampler& sampler) {
    EXPECT_EQ(sampler.all_problems(), "");
    for (const CountersetState& state : latest_->countersets) {
      ASSERT_TRUE(state.success) << state.name << ": " << describe_failure(state);
      EXPECT_FALSE(state.preferred_path_error) << state.name;
      const auto hidden =
          std::ranges::count(objects_.at(state.name)->counters, true, &ServerCounter::is_hidden);
      EXPECT_EQ(state.sample->columns(),
                objects_.at(state.name)->counters.size() - static_cast<std::size_t>(hidden))
          << state.name;
      EXPECT_GE(state.sample->rows(), 1u) << state.name;
    }
  }

  std::vector<std::string> instances(const std::string& name) {
    for (const CountersetState& state : latest_->countersets) {
      if (state.name != name) continue;
      std::vector<std::string> names;
      for (const auto& instance : state.sample->instances->instances)
        names.push_back(instance.name);
      return names;
    }
    return {};
  }

  const ServerData data_;
  Objects objects_;
  std::set<std::string> v2_;
  Machine machine_;
  std::shared_ptr<const Sample> latest_;
};

TEST_F(ServerMachineTest, EverythingIsReadByItsOwnPath) {
  const auto sampler = sampled(CounterPath::kAuto);
  expect_everything(*sampler);
  EXPECT_GT(latest_->countersets.size(), 100u);
  std::size_t values = 0;
  for (const CountersetState& state : latest_->countersets) {
    values += state.sample->rows() * state.sample->columns();
    EXPECT_EQ(state.sample->schema->path == CounterPath::kPerflib, v2_.contains(state.name))
        << state.name;
  }
  EXPECT_GT(values, 15'000u);
}

TEST_F(ServerMachineTest, EverythingIsReadThroughTheRegistry) {
  expect_everything(*sampled(CounterPath::kRegistry));
}

TEST_F(ServerMachineTest, V2CountersetsAreReadByPerfLib) {
  EXPECT_GT(v2_.size(), 30u);
  expect_everything(*sampled(CounterPath::kPerflib, true));
}

TEST_F(ServerMachineTest, WorkerProcessesAreTheSameInAllCountersets) {
  sampled(CounterPath::kAuto);
  std::set<std::string> workers;
  for (const std::string& name : instances("Process V2"))
    if (name.starts_with("w3wp:")) workers.insert(name.substr(5));
  std::set<std::string> of_pools;
  for (const std::string& name : instances("W3SVC_W3WP"))
    if (name != "_Total") of_pools.insert(name.substr(0, name.find('_')));
  EXPECT_EQ(workers, of_pools);
  EXPECT_GE(workers.size(), 10u);
  EXPECT_EQ(std::ranges::count(instances("Process"), "w3wp"),
            static_cast<std::ptrdiff_t>(workers.size()));
  EXPECT_EQ(std::ranges::count(instances(".NET CLR Memory"), "w3wp"),
            static_cast<std::ptrdiff_t>(workers.size()));
  EXPECT_THAT(instances("SQLServer:Databases"), ::testing::Contains("ShopDb"));
  EXPECT_THAT(instances("MSSQL$PAYROLL:Databases"), ::testing::Contains("Payroll"));
}

// A row of a profile's table (exporter/profiles/*/*.table): "metric | type | counter | value".
struct ProfileRow {
  std::vector<std::string> objects;
  std::string counter;
  std::string value;
};

std::vector<ProfileRow> rows_of(const std::filesystem::path& table) {
  std::ifstream in(table);
  std::vector<ProfileRow> rows;
  std::vector<std::string> objects;
  bool in_rows = false;
  for (std::string line; std::getline(in, line);) {
    const std::vector<std::string> cells = split(line, "|");
    if (line.starts_with("object ")) {
      if (std::exchange(in_rows, false)) objects.clear();
      objects.push_back(cells[0].substr(7));
    } else if (!line.starts_with('#') && cells.size() >= 3) {
      in_rows = true;
      rows.push_back({objects, cells[2], cells.size() > 3 ? cells[3] : ""});
    }
  }
  return rows;
}

// The first of alternatives, and all parts of what is put together.
std::vector<std::string> counters_of(const ProfileRow& row) {
  std::vector<std::string> counters{row.counter};
  for (const char* const word : {"(+)", "(-)", "(:)"}) {
    std::vector<std::string> parts;
    for (const std::string& counter : counters)
      std::ranges::move(split(counter, word), std::back_inserter(parts));
    counters = std::move(parts);
  }
  for (std::string& counter : counters) counter = split(counter, "(or)")[0];
  return counters;
}

// What the server lacks for a row; empty if it has everything.
std::string lacks(const Objects& objects, const std::string& object, const ProfileRow& row) {
  const auto found = objects.find(object);
  if (found == objects.end()) return "the object " + object;
  for (const std::string& name : counters_of(row)) {
    const auto counter = std::ranges::find_if(
        found->second->counters,
        [&](const ServerCounter& each) { return each.name == name && !each.is_hidden; });
    const std::string title = object + '\\' + name;
    if (counter == found->second->counters.end()) return "the counter " + title;
    const bool needs_base = row.value.starts_with("base") || row.value.starts_with("rest");
    if (needs_base && !counter->base) return "a base of " + title;
    if (row.value == "start" && describe(counter->type).formula != Formula::kElapsed)
      return "the start of " + title;
  }
  return "";
}

TEST_F(ServerMachineTest, HasWhatTheProfilesAskFor) {
  const std::filesystem::path profiles = WINPERF_PROFILES;
  ASSERT_TRUE(std::filesystem::exists(profiles)) << profiles;
  // The directory service has one of two names, depending on the version of Windows.
  const std::set<std::string> other_versions{"NTDS"};
  std::size_t rows = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(profiles)) {
    if (file.path().extension() != ".table") continue;
    for (const ProfileRow& row : rows_of(file.path())) {
      ++rows;
      for (std::string object : row.objects) {
        const std::size_t named = object.find("${");
        if (named != std::string::npos)
          object.replace(named, object.find('}') + 1 - named, "$PAYROLL");
        if (row.counter == "-" || other_versions.contains(object)) continue;
        EXPECT_EQ(lacks(objects_, object, row), "") << file.path();
      }
    }
  }
  EXPECT_GT(rows, 500u);
}

}  // namespace
}  // namespace winperf::simulator
