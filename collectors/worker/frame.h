// The messages between a worker process and its parent, in shared memory.
//
// The memory begins with a head: the request, the reply and the marker, each with a fixed layout
// and this format's version. After it is room for the texts of a request or the parts of a reply.
// One request at a time: the parent writes it and wakes the worker, the worker takes what it needs,
// writes the reply in the same place, and wakes the parent. Before the first one the worker reports
// that it is up, and wakes the parent, so that the time of starting a process isn't counted as a
// provider's. Validated: everything that comes from the other side. It may be changed by that side
// at any time, so it is copied first and checked in the copy. The contents of a reply's spans may
// change even after the check: copy the bytes once, and parse the copy. Errors: kWorkerReply with
// `where` "worker.reply" or "worker.request"; offsets and sizes in bytes. Thread rule: one thread
// at a time. docs/adr/0010-workers.md.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/model/clock.h"
#include "collectors/model/error.h"
#include "collectors/model/guid.h"
#include "collectors/sources/source.h"

namespace winperf::worker {

// An Error as it crosses from a worker to its parent. Its `where` is a pointer to static text in
// one process, so the text is sent, and the other process keeps one copy of each permanently.
// Validated: the code; `where` is accepted only if it is short and printable, and only while few
// different ones are known, since a worker could send new ones forever. Thread rule: any thread.
struct ErrorFrame {
  std::uint32_t code;
  std::uint32_t os_code;
  std::uint64_t offset, actual, limit;
  std::array<char, 48> where;  // ends with its first NUL, which must be there
};

ErrorFrame frame_of(const Error& error);
// Nothing if the code is unknown.
[[nodiscard]] std::optional<Error> read_error(const ErrorFrame& frame);

inline constexpr std::size_t kHeadBytes = 4096;
inline constexpr std::size_t kMaxParts = 8;
inline constexpr std::size_t kMaxRequestBytes = 1U << 20;  // of both texts of a request

// The operations of a worker, by their numbers in the frame.
enum class Operation : std::uint32_t {
  // V1. `whose`: a target's name, or the service's in a process that several providers share
  kQuery = 1,   // `text`: the value name; one part
  kTextTables,  // numbers: table, language; one part for each candidate
  kInspect,     // `number`: its provider generation; one part, a byte: whether it has metadata
  kRelease,     // closes what is open of it
  kEnd,         // the worker closes its providers and ends
  // PerfLib. `whose`: a target's name; one part unless stated otherwise
  kEnumerateCountersets,  // GUIDs
  kEnumerateInstances,
  kQueryRegistration,  // numbers: kind of information, argument
  kOpenSet,            // numbers: the set; `text`: identifiers; a place for each (worker_source.h)
  kCollectSet,         // numbers: the set
  kCloseSet,           // numbers: the set; no part
  // Facts.
  kFacts,     // `text`: as worker_facts.h says; one part, JSON
  kReadFile,  // as worker_facts.h says
  // Everything that `doctor` examines.
  kDiagnose,  // as worker_diagnosis.h says
  // Windows' own reader of counters.
  kPdh,  // `text`: as collectors/pdh/worker_pdh.h says; one part
};
inline constexpr std::uint32_t kLastOperation = static_cast<std::uint32_t>(Operation::kPdh);
// For messages: "registry.query", "perflib.query_registration", ...; static text.
const char* where_of(Operation operation);

struct Request {
  Operation operation{};
  std::uint64_t sequence = 0;
  std::uint64_t time_ms = 0;  // until the parent terminates the worker
  std::array<std::uint32_t, 2> numbers{};
  Guid guid{};
  std::string text{};
  std::string whose{};
};

struct Reply {
  std::uint64_t number = 0;
  std::chrono::nanoseconds took{};  // as reported by the worker; not negative
  std::uint32_t side_effects = 0;   // bits of SideEffect, as reported by the worker
  std::vector<std::expected<std::span<const std::byte>, Error>> parts;
  std::size_t end = kHeadBytes;  // end of the parts in the shared memory
};

// Changes by a provider to its process that would harm later calls: the worker checks after each
// call, and restores what it can. Bits of a reply.
enum class SideEffect : std::uint32_t {
  kFloatingPoint = 1,  // exceptions of the floating-point unit unmasked, or another rounding
  kIdentity = 2,       // the thread still impersonates an account
  kHeap = 4,           // a heap is damaged; checked when providers are closed
};
inline constexpr std::uint32_t kAllSideEffects = 7;

// "left a changed floating-point unit, a damaged heap", for messages. Empty if there is nothing.
[[nodiscard]] std::string describe_side_effects(std::uint32_t bits);

// The current activity of a worker, readable after its end.
struct Marker {
  bool busy = false;
  Operation operation{};
  std::string text;  // of the request, the first 200 bytes; printable
  Ticks100ns since;  // by the machine's clock
};

// `shared`: the whole shared memory, at least kHeadBytes, aligned for any type.

// Parent. Errors: kLimitExceeded if the texts are too long.
[[nodiscard]] std::expected<void, Error> write_request(std::span<std::byte> shared,
                                                       const Request& request);
// `sequence`: of the request that it must answer.
[[nodiscard]] std::expected<Reply, Error> read_reply(std::span<const std::byte> shared,
                                                     std::uint64_t sequence);
// A copy of a part, because memory that the worker can still change is never parsed. `room`: memory
// to reuse. Errors: the part's own; kBufferLimit (bytes).
[[nodiscard]] inline std::expected<std::vector<std::byte>, Error> copied(
    const std::expected<std::span<const std::byte>, Error>& part, const char* where,
    std::vector<std::byte> room = {}) {
  if (!part) return std::unexpected(part.error());
  try {
    room.assign(part->begin(), part->end());
    return room;
  } catch (const std::bad_alloc&) {
    return std::unexpected(
        Error{.code = ErrorCode::kBufferLimit, .where = where, .actual = part->size()});
  }
}
// The same as text.
[[nodiscard]] std::string text_of(std::span<const std::byte> bytes);
// Whether the worker has reported that it is up.
[[nodiscard]] bool is_up(std::span<const std::byte> shared);
// Not trusted: an invalid marker is read as idle.
[[nodiscard]] Marker read_marker(std::span<const std::byte> shared);

// Worker.
void write_up(std::span<std::byte> shared);
[[nodiscard]] std::expected<Request, Error> read_request(std::span<const std::byte> shared);
void write_marker(std::span<std::byte> shared, const Request& request, Ticks100ns now);
void clear_marker(std::span<std::byte> shared);
// Records how long the finished reply took, and its SideEffect bits.
void write_time(std::span<std::byte> shared, std::chrono::nanoseconds took,
                std::uint32_t side_effects = 0);

// Writes a reply, part by part; a part that doesn't fit becomes an error.
class ReplyWriter {
 public:
  // `commit`: makes the first bytes of the shared memory usable; without it all of them are.
  ReplyWriter(std::span<std::byte> shared, std::uint64_t sequence, ReplyRoom::Commit commit = {})
      : shared_(shared), sequence_(sequence), commit_(std::move(commit)) {}

  // Room for the next part's bytes, so that add_filled() needs no copy.
  ReplyRoom room() const;
  void add_filled(std::size_t bytes);
  void add(std::span<const std::byte> bytes);
  void add(const Error& error);

  void finish(std::uint64_t number = 0);

 private:
  struct Part {
    std::uint64_t bytes = 0;
    std::expected<void, Error> result{};
  };

  std::span<std::byte> shared_;
  std::uint64_t sequence_;
  ReplyRoom::Commit commit_;
  std::size_t at_ = kHeadBytes;
  std::vector<Part> parts_;
};

// The stack trace of a worker: the file names of the modules on the stack of the thread that makes
// its calls, or of a thread that crashes. The worker writes them into the shared memory during a
// crash, or when its parent asks why it hangs; the parent reads them after its end.
//
// Writing neither allocates nor calls the system, and has room for few modules. The reader doesn't
// trust the process: it accepts a bounded number of printable names of bounded length, and drops a
// half-written one. Thread rule: one writer at a time.
inline constexpr std::size_t kMaxModules = 8;
inline constexpr std::size_t kMaxModuleName = 63;

struct TraceFrame {
  std::uint32_t count;                                                  // of names that can be read
  std::uint32_t is_whole;                                               // 0: more may follow
  std::array<std::array<char, kMaxModuleName + 1>, kMaxModules> names;  // each with its NUL
};

// At the end of the shared memory's head.
inline constexpr std::size_t kTraceAt = kHeadBytes - sizeof(TraceFrame);

class TraceWriter {
 public:
  // Invalidates the trace in `shared` until publish() or finish().
  explicit TraceWriter(std::span<std::byte> shared);
  // The module of the next frame, from the innermost on; ignored if it is that of the frame before,
  // or already listed.
  void add(std::string_view module);
  // Makes the trace so far readable, in case nothing follows.
  void publish();
  // Marks the trace as complete.
  void finish();

 private:
  std::span<std::byte> shared_;
  TraceFrame frame_{};
  std::uint32_t count_ = 0;
};

// The innermost first; empty if there is no trace.
[[nodiscard]] std::vector<std::string> read_trace(std::span<const std::byte> shared);
// Whether the trace is complete.
[[nodiscard]] bool is_trace_whole(std::span<const std::byte> shared);
void clear_trace(std::span<std::byte> shared);

}  // namespace winperf::worker
