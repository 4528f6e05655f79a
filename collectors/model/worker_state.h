// The state and statistics of a worker process. Thread rule: values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/error.h"

namespace winperf {

// Changes in how providers share processes, for the log.
enum class SharingChange : std::uint8_t {
  kIsolated,  // each is isolated from now on
  kTogether,  // they share a process again
  kHarm,      // one of them had a fault
};

struct SharingNews {
  SharingChange change = SharingChange::kIsolated;
  std::string provider{};  // kHarm: its service
  std::string text{};      // a sentence without a full stop
};

enum class ProviderStanding : std::uint8_t {
  kNew,         // it has never answered
  kTrusted,     // it has answered
  kProbation,   // it was lost recently
  kQuarantine,  // it was lost, and isn't queried for a while
  kShared,      // it shares a process with others
};
inline constexpr std::size_t kProviderStandingCount =
    static_cast<std::size_t>(ProviderStanding::kShared) + 1;
// "new", "trusted", "probation", "quarantine", "shared": the label value `state`.
std::string_view name_of(ProviderStanding standing);

// The state of a V1 provider with a separate worker process: its standing, its queries, and their
// cost.
struct ProviderState {
  std::string provider;  // its service; the label value `provider`
  std::string worker;    // the name of its worker
  ProviderStanding standing = ProviderStanding::kNew;
  double quarantine_seconds = 0;  // rest of the quarantine
  std::uint64_t queries = 0;      // for its objects
  std::uint64_t failures = 0;     // those without a result, including in quarantine
  std::optional<Error> error;     // error of the last one
  // Its faults, as far as it is known to be the culprit.
  std::uint64_t harms = 0;
  std::string library;       // the file of its DLL, after a fault
  std::string last_harm;     // for people
  double apart_seconds = 0;  // rest of its probation
  // Duration of its last query, and size of its last reply.
  std::optional<double> query_seconds;
  std::optional<std::uint64_t> reply_bytes;
};

// How many providers share a worker process.
enum class Isolation : std::uint8_t {
  kAuto,      // all, until a fault; then each is isolated
  kRegistry,  // all: the system's own queries
  kHosts,     // each has its own
};

// Why a worker ended.
enum class WorkerEnd : std::uint8_t {
  kCrashed,
  kExited,
  kTimedOut,
  kMemory,  // over its limit, like the next two
  kHandles,
  kThreads,
  kBadReply,   // or it lost its connection
  kStartLate,  // it wasn't up in time
};
inline constexpr std::size_t kWorkerEndCount = static_cast<std::size_t>(WorkerEnd::kStartLate) + 1;
// "crashed", "exited", "timed_out", ...: the label value `reason`.
std::string_view name_of(WorkerEnd end);

struct WorkerState {
  std::string name;              // the label value `worker`
  std::uint64_t process_id = 0;  // 0: none is running
  std::uint64_t starts = 0;
  std::optional<double> start_seconds;                // of the last process that came up
  std::array<std::uint64_t, kWorkerEndCount> ends{};  // by WorkerEnd; not those of a stop
  std::uint64_t queries = 0;                          // replies and losses
  double query_seconds = 0;  // time spent in them, including calls that timed out
  double cpu_seconds = 0;    // of all its processes, when each was last checked
  // Of the process; nothing if none is running, or unknown.
  std::optional<std::uint64_t> private_bytes;
  std::optional<std::uint64_t> shared_bytes;  // shared with this process, as far as committed
  std::optional<std::uint64_t> handles;
  std::optional<std::uint64_t> threads;
};
// The number of its processes that ended other than by a stop.
std::uint64_t lost_processes(const WorkerState& state);

// The stack trace of a worker's process that ended badly, if known: the file names of the modules,
// the innermost first.
struct WorkerTrace {
  std::vector<std::string> modules;
  Error error;  // how it ended
};
// "ntdll.dll, called by faulty.dll": the first few. Empty if there are none.
std::string describe(const WorkerTrace& trace);

// A worker that ended, or a call that works again after it was lost.
struct WorkerEvent {
  std::string worker;                  // its name
  std::uint64_t process_id = 0;        // of the process that ended
  std::optional<WorkerEnd> end;        // nothing: the call works again
  std::string call;                    // the call, for messages: registry.query "238 2"
  bool was_starting = false;           // it wasn't up yet
  std::optional<Error> error{};        // with `end`
  std::vector<std::string> modules{};  // like those of WorkerTrace
};
// "process 4711 crashed during registry.query "238 2" (exception 0xc0000005)", or "answers
// registry.query "238 2" again": no full stop.
std::string describe(const WorkerEvent& event);

}  // namespace winperf
