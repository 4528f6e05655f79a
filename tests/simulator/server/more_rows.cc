#include "tests/simulator/server/more_rows.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/simulator/server/movement.h"

namespace winperf::simulator {
namespace {

// Far from those of the tables, and of processes that have begun anew (rows.cc).
constexpr std::uint64_t kFirstLasting = 100'000;
constexpr std::uint64_t kFirstHostile = 400'000;
constexpr std::uint64_t kFirstChanging = 1'000'000;
constexpr std::uint64_t kApart = 4;
constexpr std::uint64_t kChangingApart = 8'000;

ServerTable& table_called(ServerData& data, std::string_view name) {
  const auto found = std::ranges::find(data.tables, name, &ServerTable::name);
  if (found == data.tables.end()) throw std::out_of_range(std::string(name));
  return *found;
}

class NewRow {
 public:
  // Another one like `from`.
  NewRow(const ServerTable& table, ServerTable::Row from, const std::string& name)
      : table_(table), row_(std::move(from)) {
    row_.name = name;
    row_.seed = seed_of(name + " of " + table.name) + table.rows.size();
  }

  NewRow& set(const std::string& column, double number) {
    const std::size_t place = table_.find(column).value();
    row_.numbers[place] = number;
    row_.texts[place] = std::to_string(number);
    return *this;
  }
  const ServerTable::Row& row() const { return row_; }

 private:
  const ServerTable& table_;
  ServerTable::Row row_;
};

// A small one. It has no pool, no .NET Framework and no GPU.
NewRow process(const ServerTable& table, const std::string& name, std::uint64_t pid,
               std::uint64_t number) {
  ServerTable::Row empty;
  empty.texts.resize(table.columns.size());
  empty.numbers.resize(table.columns.size());
  NewRow row(table, std::move(empty), name);
  const auto varied = [&](double least, std::uint64_t kinds) {
    return least * static_cast<double>(1 + number % kinds);
  };
  return row.set("pid", static_cast<double>(pid))
      .set("started", static_cast<double>(200 + number % 997))
      .set("parent", 760)
      .set("user", varied(0.00002, 13))
      .set("kernel", varied(0.00001, 7))
      .set("mb", varied(1.7, 11))
      .set("private", varied(1.3, 11))
      .set("threads", varied(2, 5))
      .set("handles", varied(60, 9))
      .set("io", varied(0.05, 6))
      .set("priority", 8);
}

}  // namespace

void add_processes(ServerData& data, std::size_t count) {
  constexpr const char* kNames[] = {"svchost", "chrome", "python", "node", "conhost",
                                    "java",    "cmd",    "pwsh",   "git",  "RuntimeBroker"};
  constexpr std::uint64_t kOneIn = 10;
  constexpr std::uint64_t kPeriod = 600;  // seconds
  ServerTable& table = table_called(data, "processes");
  if (count < table.rows.size() || count > kMostProcesses)
    throw std::out_of_range("processes " + std::to_string(count));
  for (std::uint64_t number = 0; table.rows.size() < count; ++number) {
    const char* const name = kNames[number / kOneIn % std::size(kNames)];
    const bool changes = number % kOneIn == 0;
    const std::uint64_t turn = number / kOneIn;
    NewRow row = process(
        table, name,
        changes ? kFirstChanging + kChangingApart * turn : kFirstLasting + kApart * number, number);
    if (changes)
      row.set("restarts", kPeriod).set("started", static_cast<double>(1'000 + turn * 7 % kPeriod));
    table.rows.push_back(row.row());
  }
}

const std::vector<std::string>& hostile_names() {
  static const auto names =
      nlohmann::json::parse(server_hostile_names()).get<std::vector<std::string>>();
  return names;
}

void add_hostile_names(ServerData& data) {
  constexpr const char* kOthers[] = {"volumes", "adapters", "sites", "pools", "vms"};
  ServerTable& processes = table_called(data, "processes");
  std::size_t place = 0;
  for (const std::string& name : hostile_names()) {
    processes.rows.push_back(process(processes, name, hostile_process_id(place), place).row());
    ServerTable& other = table_called(data, kOthers[place++ % std::size(kOthers)]);
    other.rows.push_back(NewRow(other, other.rows.back(), name).row());
  }
}

std::uint64_t hostile_process_id(std::size_t place) { return kFirstHostile + kApart * place; }

}  // namespace winperf::simulator
