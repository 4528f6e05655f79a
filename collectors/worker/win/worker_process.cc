#include "collectors/worker/worker_process.h"

#include <windows.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "collectors/base/win/unique_handle.h"
#include "collectors/worker/trace.h"
#include "collectors/worker/win/launch.h"
#include "collectors/worker/win/process_use.h"

namespace winperf::worker {
namespace {

using Time = std::chrono::steady_clock::time_point;

// NTSTATUS values of severity "error" are exceptions that nobody handled; programs that end by
// themselves have small codes, or -1.
constexpr DWORD kExceptions = 0xC000'0000;
constexpr DWORD kSeverity = 0xF000'0000;
// A breakpoint, and what a C++ exception ends a process with that nobody catches: MSVC's and GCC's.
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

  void trace() override {
    constexpr int kLooks = 100;
    constexpr DWORD kPause = 2;  // milliseconds
    SetEvent(launched_.where.get());
    for (int i = 0; i < kLooks && !is_trace_whole(shared()); ++i) Sleep(kPause);
  }

  std::optional<EndStatus> end() override {
    if (!launched_.process) return ended_;
    if (WaitForSingleObject(launched_.process.get(), 0) == WAIT_OBJECT_0) {
      DWORD code = 0;
      if (GetExitCodeProcess(launched_.process.get(), &code)) ended_ = status_of(code);
    } else {
      TerminateProcess(launched_.process.get(), kEndedByParent);
    }
    launched_.process.reset();
    launched_.job.reset();  // ends what may be left in it
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

std::filesystem::path own_executable() {
  constexpr DWORD kLongest = 32'768;
  std::wstring path(kLongest, L'\0');
  const DWORD length = GetModuleFileNameW(nullptr, path.data(), kLongest);
  if (length == 0 || length >= kLongest) return {};
  path.resize(length);
  return path;
}

}  // namespace winperf::worker
