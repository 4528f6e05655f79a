// A worker process as its parent has it: start, wake, wait, end, and what it costs. The worker's
// side is parent_link.h. win/ and posix/ implement both, chosen by CMake.
//
// The worker gets the shared memory and what it needs to wake and be woken, and no other handle of
// the parent, except standard error where there is one; it doesn't outlive the parent, whatever
// happens to that. A console's Ctrl-C doesn't reach it. Thread rule: one thread, except for
// interrupt().
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectors/model/error.h"

namespace winperf::worker {

// How a worker process ended.
struct EndStatus {
  bool crashed = false;    // by an exception or a signal, not by itself
  std::uint32_t code = 0;  // the exception, the signal's number, or the exit code
};

struct WorkerCommand {
  std::filesystem::path executable;
  std::vector<std::string> words;  // UTF-8; what parent_link.h needs comes after them
  std::size_t shared_bytes = 0;
  std::size_t max_private_bytes = 0;  // the system refuses more than twice as much, where it can
};

// What a process has in use; nothing where the system doesn't say.
struct ProcessUse {
  std::optional<std::uint64_t> private_bytes;
  std::optional<std::uint64_t> handles;
  std::optional<std::uint64_t> threads;
  std::optional<std::uint64_t> shared_bytes{};  // of shared(), as far as it takes memory
};

enum class Wake {
  kReply,
  kEnded,  // it has ended, or at least lost its connection
  kTimeOver,
  kInterrupted,
};

class WorkerProcess {
 public:
  WorkerProcess() = default;
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  // Ends it at once if it still runs.
  virtual ~WorkerProcess() = default;

  // All zero at first. It stays readable after the worker's end.
  virtual std::span<std::byte> shared() = 0;
  // Makes its first bytes usable, of which the head always is. False if the system has no memory
  // for them.
  [[nodiscard]] virtual bool commit(std::size_t) { return true; }
  virtual std::uint64_t id() const = 0;
  // Tells the worker that a request is there. A worker that has ended is noticed by wait().
  virtual void wake() = 0;
  virtual Wake wait(std::chrono::steady_clock::time_point until) = 0;
  // Ends one wait(), the current or the next one.
  virtual void interrupt() = 0;
  // Has it write where it is (TraceWriter), and waits for that, but only for a moment: it may be
  // unable to.
  virtual void trace() {}
  // Ends it, unless it has ended before: then says how. Returns when it is gone; on Windows, when
  // its end is certain.
  virtual std::optional<EndStatus> end() = 0;
  virtual ProcessUse use() const = 0;
};

// Errors: kWorkerStart with the system's code.
[[nodiscard]] std::expected<std::unique_ptr<WorkerProcess>, Error> start_worker(
    const WorkerCommand& command);

// The file that this process runs, for workers that are the same program; empty if the system
// doesn't say.
[[nodiscard]] std::filesystem::path own_executable();

}  // namespace winperf::worker
