// Another machine that is sampled, as it is at a moment. Thread rule: values.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/model/clock.h"
#include "collectors/model/worker_state.h"

namespace winperf {

// Of an entry of the configuration without a name of its own.
inline constexpr char kDefaultModule[] = "default";

struct TargetState {
  std::string host;    // as the configuration or a probe names it
  std::string module;  // of the configuration
  std::vector<std::pair<std::string, std::string>> labels{};  // for Prometheus' discovery
  bool is_named = true;                                       // not only by a pattern

  std::uint64_t attempts = 0;
  std::uint64_t failures = 0;        // attempts that read no counterset
  std::uint64_t lost_processes = 0;  // of its worker
  // Of the last attempt:
  std::optional<bool> is_up{};           // whether any counterset could be read; nothing before it
  std::chrono::duration<double> late{};  // how long after it was due it began
  std::chrono::duration<double> took{};
  std::optional<SteadyTime> read_at{};  // the last one that read anything
  std::string error{};                  // why it read nothing, for people

  std::chrono::duration<double> busy{};  // all attempts together
  bool is_alone = false;                 // in a lane for targets that hang
};

// All of them, and the processes that ask them.
struct TargetsReport {
  std::vector<TargetState> targets;
  std::vector<WorkerState> workers{};
};

}  // namespace winperf
