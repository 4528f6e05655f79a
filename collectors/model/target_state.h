// Another machine that is sampled, as it is at a moment. Thread rule: values.
#pragma once

#include <chrono>
#include <cstddef>
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

// The machines that only a pattern names: strangers choose their names, so those that were never
// read are counted, and no more.
struct ProbedTargets {
  std::size_t read = 0;    // at least once: these are among the targets
  std::size_t trying = 0;  // at their first attempt, or before it
  std::size_t failed = 0;  // names whose first attempt read nothing, as far as they are remembered
  // First attempts by what came of them, since the start:
  std::uint64_t ever_read = 0;
  std::uint64_t ever_failed = 0;
  std::uint64_t ever_refused = 0;  // no place was free
};

// All of them that were read or are configured, and the processes that ask them.
struct TargetsReport {
  std::vector<TargetState> targets;
  std::vector<WorkerState> workers{};
  std::optional<ProbedTargets> probed{};  // nothing unless the configuration has patterns
};

}  // namespace winperf
