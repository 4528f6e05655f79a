// How the values of the simulated server move: its own data, over a day.
#include "tests/simulator/server/rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "collectors/wire/text.h"
#include "tests/simulator/server/server_machine.h"
#include "tests/support/thorough.h"

namespace winperf::simulator {
namespace {

using Rows = std::vector<InstanceValues>;

class ServerRows : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { data_ = new ServerData(server_data()); }
  static void TearDownTestSuite() { delete data_; }

  static const ServerObject& object(std::string_view name) {
    for (const ServerProvider& provider : data_->providers)
      for (const ServerObject& object : provider.objects)
        if (object.name == name) return object;
    throw std::out_of_range(std::string(name));
  }
  // So many seconds after a new machine's clocks.
  static Rows rows(const ServerObject& object, double seconds) {
    Now now;
    now.time_100ns += static_cast<std::int64_t>(seconds * 1e7);
    return rows_of(*data_, object, {now, Now{}.time_100ns - kServerUpTime100ns});
  }
  static std::size_t column(const ServerObject& object, std::string_view counter) {
    const auto found = std::ranges::find(object.counters, counter, &ServerCounter::name);
    return static_cast<std::size_t>(found - object.counters.begin());
  }
  static std::uint64_t value(std::string_view name, std::string_view instance,
                             std::string_view counter, double seconds) {
    for (const InstanceValues& row : rows(object(name), seconds))
      if (to_utf8(row.name) == instance) return row.values.at(column(object(name), counter));
    throw std::out_of_range(std::string(instance));
  }
  static std::uint64_t growth(std::string_view name, std::string_view instance,
                              std::string_view counter, double from, double to) {
    return value(name, instance, counter, to) - value(name, instance, counter, from);
  }

  static inline const ServerData* data_ = nullptr;
};

bool grows(const ServerCounter& counter) {
  const Motion motion = counter.movement.motion;
  return motion == Motion::kRate || motion == Motion::kShare || motion == Motion::kUptime ||
         motion == Motion::kTime || describe(counter.type).exposition == Exposition::kCounter;
}

// Whether an instance began, ended or began anew.
bool restarted(const Rows& before, const Rows& after) {
  return !std::ranges::equal(before, after, {}, &InstanceValues::id, &InstanceValues::id);
}

std::string decreases(const ServerObject& object, const Rows& before, const Rows& after) {
  std::string found;
  const bool restart = restarted(before, after);
  for (std::size_t row = 0; row < after.size(); ++row) {
    // What began anew has counted less, and so has a total of it.
    if (restart && row + object.totals.size() >= after.size()) continue;
    const auto same = std::ranges::find(before, after[row].id, &InstanceValues::id);
    if (same == before.end()) continue;
    for (std::size_t i = 0; i < object.counters.size(); ++i)
      if (grows(object.counters[i]) && same->values[i] > after[row].values[i])
        found += object.name + '(' + to_utf8(after[row].name) + ")\\" + object.counters[i].name +
                 ' ' + std::to_string(same->values[i]) + " > " +
                 std::to_string(after[row].values[i]) + '\n';
  }
  return found;
}

TEST_F(ServerRows, RunningTotalsNeverDecrease) {
  std::vector<double> times;
  for (double time = 0; time < 5; time += 0.25) times.push_back(time);
  const double time_step = 611.0 * static_cast<double>(testing::tried_every(7));
  for (double time = 5; time < 86'400; time += time_step) times.push_back(time);
  for (const ServerProvider& provider : data_->providers) {
    for (const ServerObject& object : provider.objects) {
      Rows before = rows(object, 0);
      for (const double time : times) {
        Rows after = rows(object, time);
        ASSERT_EQ(decreases(object, before, after), "") << "until " << time;
        before = std::move(after);
      }
    }
  }
}

// As seconds after the start of the server's clocks.
TEST_F(ServerRows, ProcessesComeAndGo) {
  const auto has = [&](const char16_t* name, double time) {
    const Rows all = rows(object("Process"), time);
    return std::ranges::find(all, name, &InstanceValues::name) != all.end();
  };
  EXPECT_FALSE(has(u"robocopy", -4'201));
  EXPECT_TRUE(has(u"robocopy", -4'199));
  EXPECT_TRUE(has(u"robocopy", -2'401));
  EXPECT_FALSE(has(u"robocopy", -2'399));
  for (const double time : {-601.0, -1.0, 599.0}) EXPECT_FALSE(has(u"sqlcmd", time)) << time;
  EXPECT_TRUE(has(u"sqlcmd", -140));
  EXPECT_TRUE(has(u"sqlcmd", 460));
}

TEST_F(ServerRows, NumbersFitIntoTheirCounters) {
  for (const ServerProvider& provider : data_->providers) {
    for (const ServerObject& object : provider.objects) {
      for (const double time : {0.0, 30'000.0, 60'000.0}) {
        for (const InstanceValues& row : rows(object, time)) {
          for (std::size_t i = 0; i < object.counters.size(); ++i) {
            const ServerCounter& counter = object.counters[i];
            const std::uint64_t most =
                counter.bytes == 4 ? std::uint64_t{0xFFFF'FFFF} : std::uint64_t{1} << 62;
            const bool wraps =
                describe(counter.type).exposition == Exposition::kCounter || counter.is_hidden;
            // Totals of 32 bits are the sums that the system makes of them.
            const bool is_total = to_utf8(row.name).ends_with("_Total");
            if (wraps || is_total) continue;
            EXPECT_LE(row.values[i], most)
                << object.name << '(' << to_utf8(row.name) << ")\\" << counter.name;
          }
        }
      }
    }
  }
}

TEST_F(ServerRows, NoPartIsMoreThanTheWhole) {
  for (const ServerProvider& provider : data_->providers) {
    for (const ServerObject& object : provider.objects) {
      for (const InstanceValues& row : rows(object, 40'000)) {
        for (std::size_t i = 0; i < object.counters.size(); ++i) {
          const ServerCounter& counter = object.counters[i];
          if (describe(counter.type).formula != Formula::kRawFraction) continue;
          EXPECT_LE(row.values[i], row.values[*counter.base])
              << object.name << '(' << to_utf8(row.name) << ")\\" << counter.name;
        }
      }
    }
  }
}

TEST_F(ServerRows, TheTimesOfAProcessorAddUpToTheTimeThatPassed) {
  for (const auto& [name, prefix] :
       {std::pair{"Processor Information", "0,"}, std::pair{"Processor", ""}}) {
    for (int processor = 0; processor < 8; ++processor) {
      const std::string instance = prefix + std::to_string(processor);
      std::uint64_t sum = 0;
      for (const char* const counter : {"% Idle Time", "% User Time", "% Privileged Time"})
        sum += growth(name, instance, counter, 100, 700);
      EXPECT_EQ(sum, 6'000'000'000u) << name << ' ' << instance;
    }
  }
  EXPECT_EQ(growth("Processor", "3", "% User Time", 100, 700),
            growth("Processor Information", "0,3", "% User Time", 100, 700));
}

TEST_F(ServerRows, TheProcessesUseAllProcessorsTogetherWithIdle) {
  // The processes that begin anew do so at other times.
  EXPECT_EQ(growth("Process", "_Total", "% Processor Time", 610, 620), 800'000'000u);
  const double busy_processes =
      800'000'000.0 - static_cast<double>(growth("Process", "Idle", "% Processor Time", 610, 620));
  const double busy_processors =
      80e7 - 8 * static_cast<double>(growth("Processor", "_Total", "% Idle Time", 610, 620));
  EXPECT_NEAR(busy_processes / busy_processors, 1, 0.5);
  EXPECT_EQ(value("Process", "sqlservr", "Working Set", 9),
            value("Process V2",
                  "sqlservr:" + std::to_string(value("Process", "sqlservr", "ID Process", 9)),
                  "Working Set", 9));
}

TEST_F(ServerRows, ADiskIsBusyOrIdle) {
  for (const char* const disk : {"0 C:", "1 D: E:", "2 L: T:", "_Total"}) {
    const std::uint64_t busy = growth("PhysicalDisk", disk, "% Disk Time", 50, 650);
    const std::uint64_t idle = growth("PhysicalDisk", disk, "% Idle Time", 50, 650);
    EXPECT_NEAR(static_cast<double>(busy + idle), 6e9, 2) << disk;
    EXPECT_GT(busy, 10'000'000u) << disk;
  }
}

TEST_F(ServerRows, ADiskDoesWhatItsVolumesDo) {
  for (const char* const counter : {"Disk Reads/sec", "Disk Write Bytes/sec", "% Disk Read Time"})
    EXPECT_EQ(value("PhysicalDisk", "2 L: T:", counter, 77),
              value("LogicalDisk", "L:", counter, 77) + value("LogicalDisk", "T:", counter, 77))
        << counter;
}

TEST_F(ServerRows, MemoryIsOf32GiB) {
  for (double time = 0; time < 86'400; time += 900) {
    const auto memory = [time](const char* counter) { return value("Memory", "", counter, time); };
    EXPECT_LT(memory("Available Bytes"), std::uint64_t{12} << 30);
    EXPECT_GT(memory("Available Bytes"), std::uint64_t{4} << 30);
    EXPECT_EQ(memory("Available MBytes"), memory("Available Bytes") >> 20);
    EXPECT_LT(memory("Committed Bytes"), memory("Commit Limit"));
  }
}

TEST_F(ServerRows, OneVolumeIsNearlyFull) {
  const double free = static_cast<double>(value("LogicalDisk", "L:", "Free Megabytes", 0));
  const ServerObject& disks = object("LogicalDisk");
  const std::size_t space = column(disks, "% Free Space");
  for (const InstanceValues& row : rows(disks, 0)) {
    if (row.name != u"L:") continue;
    EXPECT_LT(free / static_cast<double>(row.values[*disks.counters[space].base]), 0.1);
  }
}

TEST_F(ServerRows, AProcessBeginsAnewWithAnotherId) {
  std::map<std::uint64_t, std::uint64_t> starts;  // by process id
  for (double time = 0; time < 1800; time += 10)
    starts[value("Process", "BackupAgent", "ID Process", time)] =
        value("Process", "BackupAgent", "Elapsed Time", time);
  EXPECT_GE(starts.size(), 3u);
  EXPECT_LE(starts.size(), 5u);
  std::vector<std::uint64_t> times;
  for (const auto& [pid, start] : starts) times.push_back(start);
  std::ranges::sort(times);
  for (std::size_t i = 1; i < times.size(); ++i) EXPECT_EQ(times[i] - times[i - 1], 5'400'000'000u);
}

TEST_F(ServerRows, NoTwoProcessesHaveOneId) {
  const ServerObject& processes = object("Process");
  for (double time = 0; time < 86'400; time += 299) {
    std::set<std::uint64_t> ids;
    Rows all = rows(processes, time);
    all.pop_back();  // _Total
    for (const InstanceValues& row : all) ids.insert(row.values[column(processes, "ID Process")]);
    ASSERT_EQ(ids.size(), all.size()) << "after " << time;
  }
}

}  // namespace
}  // namespace winperf::simulator
