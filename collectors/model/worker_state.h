// What a worker process is and has cost. Thread rule: values.
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

// What has changed in how providers share processes, for people.
enum class SharingChange : std::uint8_t {
  kParted,    // each has a process of its own from now on
  kTogether,  // they share one again
  kHarm,      // one of them has done harm
};

struct SharingNews {
  SharingChange change = SharingChange::kParted;
  std::string provider{};  // kHarm: its service
  std::string text{};      // a sentence without a full stop
};

enum class ProviderStanding : std::uint8_t {
  kNew,         // it has never answered
  kTrusted,     // it has answered
  kProbation,   // it was lost not long ago
  kQuarantine,  // it was lost, and isn't asked again for a while
  kShared,      // it is with others in one process
};
inline constexpr std::size_t kProviderStandingCount =
    static_cast<std::size_t>(ProviderStanding::kShared) + 1;
// "new", "trusted", "probation", "quarantine", "shared": the label value `state`.
std::string_view name_of(ProviderStanding standing);

// What is known of a V1 provider that has a worker process of its own: whether it is trusted, what
// became of its queries, and what they cost.
struct ProviderState {
  std::string provider;  // its service; the label value `provider`
  std::string worker;    // the name of its worker
  ProviderStanding standing = ProviderStanding::kNew;
  double quarantine_seconds = 0;  // that are left of it
  std::uint64_t queries = 0;      // for its objects
  std::uint64_t failures = 0;     // those of them that gave nothing, also in quarantine
  std::optional<Error> error;     // why the last one gave nothing
  // What it has done to the process that ran it, as far as that is known to be its own doing.
  std::uint64_t harms = 0;
  std::string library;       // the file of its DLL, if it has done harm
  std::string last_harm;     // for people
  double apart_seconds = 0;  // for which it is still kept apart from the others because of that
  // Of the last query that it worked on, and of its last reply.
  std::optional<double> query_seconds;
  std::optional<std::uint64_t> reply_bytes;
};

// How many providers share a worker process.
enum class Isolation : std::uint8_t {
  kAuto,      // all, until one of them does harm; then each has a process of its own
  kRegistry,  // all: queries are the system's
  kHosts,     // each has its own
};

// Why a worker ended.
enum class WorkerEnd : std::uint8_t {
  kCrashed,
  kExited,
  kTimedOut,
  kMemory,  // more than it may have, like the next two
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
  std::optional<double> start_seconds;                // until the last process that came up was up
  std::array<std::uint64_t, kWorkerEndCount> ends{};  // by WorkerEnd; not those of a stop
  std::uint64_t queries = 0;                          // replies and losses
  double query_seconds = 0;  // how long the worker was busy with them, or was waited for in vain
  // Of the process; nothing if none is running, or the system doesn't say.
  std::optional<std::uint64_t> private_bytes;
  std::optional<std::uint64_t> shared_bytes;  // with this process, as far as they take memory
  std::optional<std::uint64_t> handles;
  std::optional<std::uint64_t> threads;
};
// How many of its processes ended in another way than by a stop.
std::uint64_t lost_processes(const WorkerState& state);

// Whose code a worker's process was running when it ended badly, as far as it is known: the file
// names of the modules on the stack, the innermost first.
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
  std::string call;                    // what it was doing, for people: registry.query "238 2"
  bool was_starting = false;           // instead: it wasn't up yet
  std::optional<Error> error{};        // with `end`
  std::vector<std::string> modules{};  // as those of WorkerTrace
};
// "process 4711 crashed during registry.query "238 2" (exception 0xc0000005)", or "answers
// registry.query "238 2" again": no full stop.
std::string describe(const WorkerEvent& event);

}  // namespace winperf
