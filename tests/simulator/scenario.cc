#include "tests/simulator/scenario.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "collectors/wire/text.h"
#include "tests/simulator/bulk_provider.h"
#include "tests/simulator/crowd.h"
#include "tests/simulator/faulty_provider.h"
#include "tests/simulator/faulty_spoiler.h"
#include "tests/simulator/kernel_provider.h"
#include "tests/simulator/own_provider.h"
#include "tests/simulator/own_section.h"
#include "tests/simulator/passing_time.h"
#include "tests/simulator/pcw/kernel.h"
#include "tests/simulator/server/server_machine.h"
#include "tests/simulator/standard_machine.h"

extern "C" NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath);

namespace winperf::simulator {
namespace {

using Words = std::vector<std::string>;

// A new machine's clocks, moved on by the time that has passed since it was made.
Now moved_on(Now now) {
  const std::int64_t passed = passed_100ns();
  now.perf_time += passed;
  now.time_100ns += passed;
  return now;
}

Words words_in(const std::string& statement) {
  std::istringstream in(statement);
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// What is left of a statement after so many words.
std::u16string tail_of(const Words& words, std::size_t from) {
  std::string tail;
  for (std::size_t i = from; i < words.size(); ++i) tail += (i == from ? "" : " ") + words[i];
  return to_utf16(tail);
}

Lie::Path path_of(const std::string& word) {
  if (word == "registry") return Lie::Path::kRegistry;
  if (word == "perflib") return Lie::Path::kPerflib;
  throw std::invalid_argument(word);
}

Guid parsed_guid(const std::string& word) {
  const auto guid = parse_guid(word);
  if (!guid) throw std::invalid_argument(word);
  return *guid;
}

// The machine stays for as long as the process.
void load_kcs(Machine& machine) {
  pcw::Kernel& kernel = pcw::Kernel::instance();
  kernel.set_clock([&machine] { return machine.now().time_100ns; });
  if (NT_SUCCESS(kernel.load(DriverEntry))) machine.add(kcs_provider());
}

std::filesystem::path named_in(const char* variable) {
  const char* const name = std::getenv(variable);
  return name == nullptr ? "" : name;
}
std::filesystem::path fault_file() { return named_in(kFaultFileVariable); }

void add_crowd(Machine& machine, const Words& words) {
  const std::size_t count = std::stoul(words.at(1));
  const std::size_t instances = words.size() > 2 ? std::stoul(words[2]) : kCrowdInstances;
  if (count == 0 || count > kLargestCrowd || instances == 0 || instances > kMostCrowdInstances)
    throw std::invalid_argument(words.at(1));
  machine.add(crowd_provider(machine, count, named_in(kCrowdFileVariable), instances));
}

bool is_on(const std::string& word) {
  if (word != "on" && word != "off") throw std::invalid_argument(word);
  return word == "on";
}

void add_faulty(Machine& machine, bool eager) {
  machine.add(std::make_shared<FaultyProvider>(machine, fault_file(), eager));
  machine.spoiler = faulty_spoiler(fault_file());
}

void change_library(Machine& machine, const Words& words) {
  const auto found = std::ranges::find(machine.v1(), to_utf16(words.at(1)),
                                       [](const auto& each) { return each->key.service; });
  if (found == machine.v1().end()) throw std::invalid_argument(words.at(1));
  if (words.at(2) == "32-bit") {
    (*found)->key.library_is_32_bit = true;
  } else if (words.at(2) == "missing") {
    (*found)->key.library_is_missing = true;
  } else {
    throw std::invalid_argument(words.at(2));
  }
}

PerfHost perf_host_of(const std::string& word) {
  for (const PerfHost state :
       {PerfHost::kRunning, PerfHost::kStopped, PerfHost::kDisabled, PerfHost::kAbsent})
    if (name_of(state) == word) return state;
  throw std::invalid_argument(word);
}

void add_bulk(Machine& machine, const std::string& word) {
  const std::size_t values = std::stoul(word);
  if (values < kBulkInstances || values > kMostBulkValues) throw std::out_of_range(word);
  machine.add(std::make_shared<BulkProvider>(machine, values));
}

void obey(Machine& machine, const Words& words) {
  static const std::map<std::string, Point> kPoints{
      {"data", Point::kData},
      {"info", Point::kInfo},
      {"add", Point::kAdd},
      {"open", Point::kOpen},
      {"registration", Point::kRegistration},
      {"countersets", Point::kEnumerateCountersets},
      {"instances", Point::kEnumerateInstances},
      {"registry", Point::kRegistryQuery},
  };
  static const std::map<std::string, Padding> kPaddings{
      {"counted", Padding::kCounted},
      {"none", Padding::kNone},
      {"left_out", Padding::kLeftOut},
      {"between_results", Padding::kBetweenResults},
  };
  const std::string& verb = words.at(0);
  if (verb == "lie") {
    machine.faults.tell({.path = path_of(words.at(1)),
                         .counterset = parsed_guid(words.at(2)),
                         .counter_id = static_cast<std::uint32_t>(std::stoul(words.at(3))),
                         .instance = tail_of(words, 5),
                         .added = std::stoll(words.at(4))});
  } else if (verb == "hide") {
    machine.faults.tell({.path = path_of(words.at(1)),
                         .counterset = parsed_guid(words.at(2)),
                         .instance = tail_of(words, 3),
                         .hides_instance = true});
  } else if (verb == "fail") {
    machine.faults.fail(kPoints.at(words.at(1)),
                        static_cast<std::uint32_t>(std::stoul(words.at(2))),
                        std::stoul(words.at(3)));
  } else if (verb == "unload" && words.at(1) == "kcs") {
    pcw::Kernel::instance().unload(DriverEntry);
  } else if (verb == "padding") {
    machine.v2_padding = kPaddings.at(words.at(1));
  } else if (verb == "random") {
    machine.faults.at_random(std::stoull(words.at(1)),
                             static_cast<std::uint32_t>(std::stoul(words.at(2))));
  } else if (verb == "faulty") {
    add_faulty(machine, words.size() > 1 && words[1] == "eager");
  } else if (verb == "library") {
    change_library(machine, words);
  } else if (verb == "perf_host") {
    machine.perf_host = perf_host_of(words.at(1));
  } else if (verb == "bulk") {
    add_bulk(machine, words.at(1));
  } else if (verb == "crowd") {
    add_crowd(machine, words);
  } else if (verb == "metadata") {
    machine.supports_metadata = is_on(words.at(1));
  } else {
    throw std::invalid_argument(verb);
  }
}

// A script, of which the first statements say what machine it is.
struct Scenario {
  bool still = false;
  std::optional<ServerKind> server{};
  std::vector<Words> statements{};

  std::int64_t boot_100ns() const {
    return (still ? Now{}.time_100ns : first_time_100ns()) - kServerUpTime100ns;
  }
};

bool is_count(const std::string& word) {
  constexpr std::size_t kMostDigits = 6;
  return word.size() <= kMostDigits &&
         std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

Scenario read(std::string_view script) {
  Scenario scenario;
  std::istringstream in{std::string(script)};
  for (std::string statement; std::getline(in, statement, ';');) {
    Words words = words_in(statement);
    if (words == Words{"still"}) {
      scenario.still = true;
    } else if (words == Words{"server"}) {
      scenario.server = ServerKind{};
    } else if (words == Words{"server", "troubled"}) {
      scenario.server = ServerKind{.health = Health::kTroubled};
    } else if (scenario.server && words == Words{"names", "hostile"}) {
      scenario.server->has_hostile_names = true;
    } else if (scenario.server && words.size() == 2 && words[0] == "processes" &&
               is_count(words[1])) {
      scenario.server->processes = std::stoul(words[1]);
    } else if (!words.empty()) {
      scenario.statements.push_back(std::move(words));
    }
  }
  return scenario;
}

// A server's clocks show the real time, so that those who try it see when something was. Without
// any, a machine's clocks stand.
std::function<Now()> clocks_of(const Scenario& scenario) {
  if (scenario.still) return {};
  Now begin;
  // Asked here, so that workers that are started later see the same machine.
  const std::int64_t first = first_time_100ns();
  if (scenario.server) begin = {.perf_time = kServerUpTime100ns, .time_100ns = first};
  return [begin, file = fault_file()] { return spoilt_clocks(moved_on(begin), file); };
}

std::unique_ptr<Machine> machine_of(const Scenario& scenario) {
  auto machine = std::make_unique<Machine>(clocks_of(scenario));
  if (scenario.server) {
    furnish_server(*machine, scenario.boot_100ns(), *scenario.server);
  } else {
    furnish(*machine);
    load_kcs(*machine);
  }
  if (const auto section = named_in(kOwnSectionVariable); !section.empty())
    add_own_counters(*machine, section, [] { return first_time_100ns() + passed_100ns(); });
  return machine;
}

}  // namespace

std::int64_t real_time_100ns() {
  constexpr std::int64_t kUnixEpoch100ns = 116'444'736'000'000'000;
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return kUnixEpoch100ns +
         std::chrono::duration_cast<std::chrono::microseconds>(since_epoch).count() * 10;
}

std::optional<ScenarioServer> server_in(std::string_view script) {
  const Scenario scenario = read(script);
  if (!scenario.server) return std::nullopt;
  return ScenarioServer{.kind = *scenario.server, .boot_100ns = scenario.boot_100ns()};
}

std::expected<std::unique_ptr<Machine>, std::string> make_scenario(std::string_view script) {
  const Scenario scenario = read(script);
  std::unique_ptr<Machine> machine;
  try {
    machine = machine_of(scenario);
  } catch (const std::out_of_range& error) {
    return std::unexpected("the simulated server can't have " + std::string(error.what()));
  }
  for (const Words& words : scenario.statements) {
    try {
      obey(*machine, words);
    } catch (const std::logic_error&) {
      return std::unexpected("the simulator does not understand \"" + words.front() + " ...\"");
    }
  }
  return machine;
}

std::unique_ptr<Machine> scenario_of_environment() {
  const char* const script = std::getenv(kScenarioVariable);
  auto machine = make_scenario(script == nullptr ? "" : script);
  if (machine) return *std::move(machine);
  std::cerr << kScenarioVariable << ": " << machine.error() << std::endl;
  std::exit(2);
}

}  // namespace winperf::simulator
