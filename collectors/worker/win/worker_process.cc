#include <windows.h>
#include <winternl.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "collectors/worker/frame.h"
#include "collectors/worker/own_process.h"
#include "collectors/worker/win/launch.h"
#include "collectors/worker/worker_process.h"

namespace winperf::worker {
namespace {

// The part of SYSTEM_PROCESS_INFORMATION that is needed; the SDK's declaration reserves most of it.
struct ProcessEntry {
  ULONG next_offset;
  ULONG threads;
  std::array<std::byte, 32> unused;
  std::int64_t user_100ns;
  std::int64_t kernel_100ns;
  std::array<std::byte, 24> unused_between;
  std::uint64_t id;
  std::uint64_t parent_id;
  ULONG handles;
  std::array<std::byte, 84> unused_too;
  std::uint64_t pagefile_bytes;
  std::uint64_t peak_pagefile_bytes;
  std::uint64_t private_bytes;
};
static_assert(offsetof(ProcessEntry, user_100ns) == 40);
static_assert(offsetof(ProcessEntry, id) == 80 && offsetof(ProcessEntry, handles) == 96);
static_assert(offsetof(ProcessEntry, private_bytes) == 200);

constexpr std::size_t kFirstBytes = 256U << 10;
constexpr std::size_t kMaxBytes = 16U << 20;
constexpr NTSTATUS kTooSmall = static_cast<NTSTATUS>(0xC000'0004);  // STATUS_INFO_LENGTH_MISMATCH

// Empty if the system refuses.
std::vector<std::byte> list_of_processes() {
  using Query = NTSTATUS(NTAPI*)(SYSTEM_INFORMATION_CLASS, void*, ULONG, ULONG*);
  const auto query = ntdll_function<Query>("NtQuerySystemInformation");
  if (query == nullptr) return {};
  for (std::size_t size = kFirstBytes; size <= kMaxBytes; size *= 2) {
    std::vector<std::byte> bytes(size);
    ULONG used = 0;
    const NTSTATUS status =
        query(SystemProcessInformation, bytes.data(), static_cast<ULONG>(size), &used);
    if (status == kTooSmall) continue;
    bytes.resize(status >= 0 && used <= size ? used : 0);
    return bytes;
  }
  return {};
}

// Every process uses some of each, so zero means unknown.
std::optional<std::uint64_t> known(std::uint64_t number) {
  return number != 0 ? std::optional(number) : std::nullopt;
}

// What another process has in use, from the system's list of processes, because Wine's answers
// about a single process are zeros.
// Source: Learn, NtQuerySystemInformation, SYSTEM_PROCESS_INFORMATION.
ProcessUse process_use(DWORD process) {
  const std::vector<std::byte> bytes = list_of_processes();
  std::size_t at = 0;
  while (bytes.size() - at >= sizeof(ProcessEntry)) {
    ProcessEntry entry;
    std::memcpy(&entry, bytes.data() + at, sizeof entry);
    if (entry.id == process) {
      const std::uint64_t memory =
          entry.private_bytes != 0 ? entry.private_bytes : entry.pagefile_bytes;
      return {.private_bytes = known(memory),
              .handles = known(entry.handles),
              .threads = known(entry.threads),
              .cpu_seconds = static_cast<double>(entry.user_100ns + entry.kernel_100ns) / 1e7};
    }
    if (entry.next_offset == 0 || entry.next_offset > bytes.size() - at) break;
    at += entry.next_offset;
  }
  return {};
}

using Time = std::chrono::steady_clock::time_point;

// NTSTATUS values of severity "error" are unhandled exceptions; programs that exit have small
// codes, or -1.
constexpr DWORD kExceptions = 0xC000'0000;
constexpr DWORD kSeverity = 0xF000'0000;
// A breakpoint, and uncaught C++ exceptions of MSVC and GCC.
constexpr std::array<DWORD, 3> kOthers{0x8000'0003, 0xE06D'7363, 0x2047'4343};

EndStatus status_of(DWORD code) {
  const bool crashed =
      (code & kSeverity) == kExceptions || std::ranges::find(kOthers, code) != kOthers.end();
  return {.crashed = crashed, .code = code};
}

// Milliseconds, rounded up, so that a wait is never over too early.
DWORD left_until(Time time) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(time - std::chrono::steady_clock::now());
  return static_cast<DWORD>(std::clamp<std::int64_t>(left.count(), 0, INFINITE - 1));
}

class WindowsWorker final : public WorkerProcess {
 public:
  explicit WindowsWorker(Launched launched) : launched_(std::move(launched)) {}
  ~WindowsWorker() override { end(); }

  std::span<std::byte> shared() override { return launched_.memory.bytes(); }
  bool commit(std::size_t bytes) override { return launched_.memory.commit(bytes); }
  std::uint64_t id() const override { return launched_.id; }
  void wake() override { SetEvent(launched_.request.get()); }

  Wake wait(Time until) override {
    // In this order, so that a reply counts even if the process has ended after it.
    const std::array<HANDLE, 3> waited{launched_.reply.get(), launched_.interrupted.get(),
                                       launched_.process.get()};
    const DWORD which = WaitForMultipleObjects(static_cast<DWORD>(waited.size()), waited.data(),
                                               FALSE, left_until(until));
    if (which == WAIT_OBJECT_0) return Wake::kReply;
    if (which == WAIT_OBJECT_0 + 1) return Wake::kInterrupted;
    return which == WAIT_TIMEOUT ? Wake::kTimeOver : Wake::kEnded;
  }

  void interrupt() override { SetEvent(launched_.interrupted.get()); }

  bool ask_for_trace() override { return SetEvent(launched_.where.get()) != FALSE; }

  std::optional<EndStatus> end() override {
    if (!launched_.process) return ended_;
    if (WaitForSingleObject(launched_.process.get(), 0) == WAIT_OBJECT_0) {
      DWORD code = 0;
      if (GetExitCodeProcess(launched_.process.get(), &code)) ended_ = status_of(code);
    } else {
      TerminateProcess(launched_.process.get(), kEndedByParent);
    }
    launched_.process.reset();
    launched_.job.reset();  // ends any remaining processes in it
    return ended_;
  }

  ProcessUse use() const override {
    ProcessUse use = process_use(launched_.id);
    use.shared_bytes = launched_.memory.committed();
    return use;
  }

 private:
  static constexpr UINT kEndedByParent = 1;

  Launched launched_;
  std::optional<EndStatus> ended_;
};

}  // namespace

std::expected<std::unique_ptr<WorkerProcess>, Error> start_worker(const WorkerCommand& command) {
  auto launched = launch(command);
  if (!launched)
    return std::unexpected(
        Error{.code = ErrorCode::kWorkerStart, .where = "worker", .os_code = launched.error()});
  return std::make_unique<WindowsWorker>(*std::move(launched));
}

std::uint64_t own_process_id() { return GetCurrentProcessId(); }

std::filesystem::path own_executable() {
  return written_path(
      [](wchar_t* to, DWORD size) { return GetModuleFileNameW(nullptr, to, size); });
}

}  // namespace winperf::worker
