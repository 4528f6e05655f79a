// The state of a target at one time. Thread rule: values.
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

// The module of entries that set none.
inline constexpr char kDefaultModule[] = "default";

// Why an attempt read nothing.
struct TargetFailure {
  std::string text{};               // for people; empty if there was no failure
  std::optional<ErrorCode> code{};  // if an error was the reason
  bool operator==(const TargetFailure&) const = default;
};

struct TargetState {
  std::string host;    // as named by the configuration or a probe
  std::string module;  // of the configuration
  std::vector<std::pair<std::string, std::string>> labels{};  // for Prometheus' discovery
  bool is_named = true;                                       // not only by a pattern

  std::uint64_t attempts = 0;
  std::uint64_t failures = 0;        // attempts that read no counterset
  std::uint64_t lost_processes = 0;  // of its worker
  // Of the last attempt:
  std::optional<bool>
      is_up{};  // whether any counterset could be read; nothing before the first one
  std::chrono::duration<double> late{};  // delay of its start
  std::chrono::duration<double> took{};
  std::optional<SteadyTime> read_at{};  // time of the last one that read anything
  TargetFailure failure{};              // why it read nothing

  std::chrono::duration<double> busy{};  // all attempts together
  bool is_alone = false;                 // in a lane for hanging targets
};

// Targets that only a pattern matches: their names come from clients, so those that were never read
// are only counted.
struct ProbedTargets {
  std::size_t read = 0;    // at least once: these are among the targets
  std::size_t trying = 0;  // at their first attempt, or before it
  std::size_t failed = 0;  // names whose first attempt read nothing, while remembered
  // First attempts by result, since the start:
  std::uint64_t ever_read = 0;
  std::uint64_t ever_failed = 0;
  std::uint64_t ever_refused = 0;  // the limit was reached
};

// All targets that were read or are configured, and their worker processes.
struct TargetsReport {
  std::vector<TargetState> targets;
  std::vector<WorkerState> workers{};
  std::optional<ProbedTargets> probed{};  // nothing unless the configuration has patterns
};

}  // namespace winperf
