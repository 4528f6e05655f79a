// Decides what the provider reports to the event log, without flooding it: several programs may
// call Collect every second, and a problem may last for days.
//
// A problem is reported once, when it begins, and again only if it had stopped in between and an
// hour has passed. A report contains the number of failures of the same subject that were not
// reported since the last one.
// Does not depend on Windows, so that it is tested everywhere; event_log.h writes the reports.
// Thread rule: any thread. One thread at a time calls the sink, with the journal locked.
// Source: Learn, PM_COLLECT_PROC: report errors to the event log, but not on every collection.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace sysperf {

// Each has a message in sysperf_messages.mc.
enum class Trouble : std::uint8_t { kIndices, kDevice, kObject, kMemory };

// What has a problem. Reports are counted per subject.
enum class Subject : std::uint8_t {
  kRegistration,
  kDevices,
  kSystem,
  kProcessor,
  kMemory,
  kProcess,
  kReply,
};
inline constexpr std::size_t kSubjects = 7;

struct Report {
  Trouble trouble{};
  std::wstring text;  // the message's %1: what failed, which one, and the error
  bool operator==(const Report&) const = default;
};

class Journal {
 public:
  using Clock = std::function<std::chrono::milliseconds()>;  // never goes back
  using Sink = std::function<void(const Report&)>;
  Journal(Clock clock, Sink sink) : clock_(std::move(clock)), sink_(std::move(sink)) {}

  // `error`: a Win32 error code. `name`: of a device.
  void failed(Subject subject, std::uint32_t error, const std::wstring& name = {});
  void succeeded(Subject subject);

 private:
  struct State {
    bool reported = false;  // since it last succeeded
    std::optional<std::chrono::milliseconds> last_report;
    std::uint64_t unreported = 0;
  };

  const Clock clock_;
  const Sink sink_;
  std::mutex mutex_;
  std::array<State, kSubjects> states_;
};

}  // namespace sysperf
