// What the provider reports to the event log, without flooding it: Collect may be called every
// second by several programs, and whatever keeps it from working may last for days.
//
// Trouble is reported once, when it begins, and again only after it was over in between and an hour
// has passed since: what comes and goes is not reported each time. A report says how many failures
// of the same subject were not reported since the last one.
// Knows nothing of Windows, so that it is tested anywhere; event_log.h is where reports go.
// Thread rule: any thread. The sink is called with the journal locked, by one thread at a time.
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

// Each has its message in sysperf_messages.mc.
enum class Trouble : std::uint8_t { kIndices, kDevice, kObject, kMemory };

// What is in trouble; each has its reports counted by itself.
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
  std::wstring text;  // what, which and with which error: what the message has as %1
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
