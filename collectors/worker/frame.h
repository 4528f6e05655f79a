// What a worker process and its parent say to each other in the memory that they share.
//
// The memory begins with a head: the request, the reply and the marker, each with a fixed layout
// and this format's version; behind it is room for their bytes, the request's texts or the reply's
// parts. One request at a time: the parent writes it and wakes the worker, the worker takes what it
// needs, writes the reply in the same place, and wakes the parent. Before the first one the worker
// says that it is up, and wakes the parent, too: how long a process takes to start is known to be
// no provider's time.
// Validated: everything that comes from the other side. It may be changed by that side at any time,
// so it is copied first and checked in the copy. What the spans of a reply show may change even
// after the check: copy the bytes once, and parse the copy.
// Errors: kWorkerReply with `where` "worker.reply" or "worker.request"; offsets and sizes in bytes.
// Thread rule: one thread at a time. docs/adr/0010-workers.md.
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
// one process, so the text crosses, and the other process keeps one copy of each for ever.
// Validated: the code; `where` is taken only if it is short and printable, and only as long as
// there are few different ones, since a worker could send new ones for ever.
// Thread rule: any thread.
struct ErrorFrame {
  std::uint32_t code;
  std::uint32_t os_code;
  std::uint64_t offset, actual, limit;
  std::array<char, 48> where;  // ends with its first NUL, which must be there
};

ErrorFrame frame_of(const Error& error);
// Nothing if there is no such code.
[[nodiscard]] std::optional<Error> read_error(const ErrorFrame& frame);

inline constexpr std::size_t kHeadBytes = 4096;
inline constexpr std::size_t kMaxParts = 8;
inline constexpr std::size_t kMaxRequestBytes = 1U << 20;  // of both texts of a request

// What a worker can do. The numbers are those of the frame.
enum class Operation : std::uint32_t {
  // V1. `whose`: another machine's name, or in a process that several providers share the service's
  kQuery = 1,   // `text`: the value name; one part
  kTextTables,  // numbers: table, language; one part for each candidate
  kInspect,     // `number`: its provider generation; one part, a byte: whether it has metadata
  kRelease,     // what is open of it is closed
  kEnd,         // the worker closes its providers and ends
  // PerfLib. `whose`: another machine's name; one part, unless another number is said
  kEnumerateCountersets,  // GUIDs
  kEnumerateInstances,
  kQueryRegistration,  // numbers: kind of information, argument
  kOpenSet,            // numbers: the set; `text`: identifiers; a place for each (worker_source.h)
  kCollectSet,         // numbers: the set
  kCloseSet,           // numbers: the set; no part
  // Facts.
  kFacts,     // `text`: as worker_facts.h says; one part, JSON
  kReadFile,  // as worker_facts.h says
};
inline constexpr std::uint32_t kLastOperation = static_cast<std::uint32_t>(Operation::kReadFile);
// For messages: "registry.query", "perflib.query_registration", ...; static text.
const char* where_of(Operation operation);

struct Request {
  Operation operation{};
  std::uint64_t sequence = 0;
  std::uint64_t time_ms = 0;  // until the parent ends the worker
  std::array<std::uint32_t, 2> numbers{};
  Guid guid{};
  std::string text{};
  std::string whose{};
};

struct Reply {
  std::uint64_t number = 0;
  std::chrono::nanoseconds took{};  // as the worker says: any number that isn't negative
  std::uint32_t left_behind = 0;    // bits of LeftBehind, as the worker says
  std::vector<std::expected<std::span<const std::byte>, Error>> parts;
  std::size_t end = kHeadBytes;  // of the shared memory, as far as the parts lie in it
};

// What a provider has left in the process that ran it, and that harms whatever runs there next: the
// worker looks after each call, and restores what can be restored.
// Bits of a reply.
enum class LeftBehind : std::uint32_t {
  kFloatingPoint = 1,  // exceptions of the floating-point unit unmasked, or another rounding
  kIdentity = 2,       // the thread acts as somebody else
  kHeap = 4,           // a heap is damaged; looked at when providers are closed
};
inline constexpr std::uint32_t kAllLeftBehind = 7;

// "left a changed floating-point unit, a damaged heap": for people. Empty if there is nothing.
[[nodiscard]] std::string describe_left_behind(std::uint32_t bits);

// What a worker is doing, readable after its end.
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
// A part as bytes of our own: what the worker could still change is never parsed.
// `room`: its memory is used again. Errors: the part's own; kBufferLimit (bytes).
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
// Whether the worker has said that it is up.
[[nodiscard]] bool is_up(std::span<const std::byte> shared);
// Nothing is believed of it: what can't be a marker is an idle one.
[[nodiscard]] Marker read_marker(std::span<const std::byte> shared);

// Worker.
void write_up(std::span<std::byte> shared);
[[nodiscard]] std::expected<Request, Error> read_request(std::span<const std::byte> shared);
void write_marker(std::span<std::byte> shared, const Request& request, Ticks100ns now);
void clear_marker(std::span<std::byte> shared);
// How long it was busy with the reply that it has finished, and what that has left.
void write_time(std::span<std::byte> shared, std::chrono::nanoseconds took,
                std::uint32_t left_behind = 0);

// Writes a reply, part by part; without a place for a part, the part becomes an error.
class ReplyWriter {
 public:
  // `commit`: makes the first bytes of the shared memory usable; without it all of them are.
  ReplyWriter(std::span<std::byte> shared, std::uint64_t sequence, ReplyRoom::Commit commit = {})
      : shared_(shared), sequence_(sequence), commit_(std::move(commit)) {}

  // Where the next part's bytes may be put, so that add_filled() needs no copy.
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

// Whose code a worker is running: the file names of the modules on the stack of the thread that
// makes its calls, or of one that crashes. The worker writes them into the shared memory in the
// middle of a crash, or when its parent asks why it hangs; the parent reads them after its end.
//
// Writing allocates nothing, calls nothing of the system, and has room for few modules. What is
// read was written by a process in which anything may have happened: no more than so many names,
// which are printable and not long; a half-written name is none. Thread rule: one writer at a time.
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
  // What is in `shared` is a trace no more, until publish() or finish().
  explicit TraceWriter(std::span<std::byte> shared);
  // The module of the next frame, from the innermost on; nothing if it is that of the frame before,
  // or is on the list already.
  void add(std::string_view module);
  // What there is so far is a trace, should nothing follow.
  void publish();
  // It is whole.
  void finish();

 private:
  std::span<std::byte> shared_;
  TraceFrame frame_{};
  std::uint32_t count_ = 0;
};

// The innermost first; empty if there is no trace.
[[nodiscard]] std::vector<std::string> read_trace(std::span<const std::byte> shared);
// Whether nothing more follows.
[[nodiscard]] bool is_trace_whole(std::span<const std::byte> shared);
void clear_trace(std::span<std::byte> shared);

}  // namespace winperf::worker
