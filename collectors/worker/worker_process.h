// A worker process, seen from its parent: start, wake, wait, end, and resource use. The worker's
// side is parent_link.h. win/ and posix/ implement both, chosen by CMake.
//
// The worker inherits the shared memory, the handles for wake-ups, and standard error if there is
// one, but no other handle of the parent; it never outlives the parent. A console's Ctrl-C doesn't
// reach it. Thread rule: one thread, except for interrupt().
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
  bool crashed = false;    // by an exception or a signal, not by an exit
  std::uint32_t code = 0;  // the exception, the signal's number, or the exit code
};

struct WorkerCommand {
  std::filesystem::path executable;
  std::vector<std::string> words;  // UTF-8; followed by those for parent_link.h
  std::size_t shared_bytes = 0;
  std::size_t max_private_bytes = 0;  // the system refuses more than twice as much, where supported
  bool starts_workers = false;        // of its own; otherwise it may start no process
};

// The resource use of a process; nothing where it is unknown.
struct ProcessUse {
  std::optional<std::uint64_t> private_bytes;
  std::optional<std::uint64_t> handles;
  std::optional<std::uint64_t> threads;
  std::optional<std::uint64_t> shared_bytes{};  // of shared(), as far as it is committed
  double cpu_seconds{};                         // 0 where it is unknown
};

enum class Wake {
  kReply,
  kEnded,  // it has ended, or lost its connection
  kTimeOver,
  kInterrupted,
};

class WorkerProcess {
 public:
  WorkerProcess() = default;
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  // Terminates it if it still runs.
  virtual ~WorkerProcess() = default;

  // All zero at first. It stays readable after the worker's end.
  virtual std::span<std::byte> shared() = 0;
  // Makes its first bytes usable, of which the head always is. False if the system has no memory
  // for them.
  [[nodiscard]] virtual bool commit(std::size_t) { return true; }
  virtual std::uint64_t id() const = 0;
  // Signals a request. wait() reports a worker that has ended.
  virtual void wake() = 0;
  virtual Wake wait(std::chrono::steady_clock::time_point until) = 0;
  // Ends one wait(), the current or the next one.
  virtual void interrupt() = 0;
  // Asks it to write its trace into shared() (TraceWriter). False if it can't be asked.
  virtual bool ask_for_trace() { return false; }
  // Terminates it; if it had already ended, returns how. Returns after its end; on Windows, once
  // its end is certain.
  virtual std::optional<EndStatus> end() = 0;
  virtual ProcessUse use() const = 0;
};

// Errors: kWorkerStart with the system's code.
[[nodiscard]] std::expected<std::unique_ptr<WorkerProcess>, Error> start_worker(
    const WorkerCommand& command);

// The executable of this process, from which workers are started; empty if unknown.
[[nodiscard]] std::filesystem::path own_executable();

}  // namespace winperf::worker
