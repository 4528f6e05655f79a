#include "service/event_log.h"

#include <windows.h>

#include <algorithm>
#include <array>

#include "collectors/sources/win/unique_handle.h"
#include "collectors/sources/win/wide.h"

namespace winperf {
namespace {

struct EventSourceTraits {
  using Handle = HANDLE;
  static HANDLE invalid() { return nullptr; }
  static void close(HANDLE source) { DeregisterEventSource(source); }
};

// ReportEvent refuses longer strings.
constexpr std::size_t kMaxChars = 31'000;

// How the two parts of Windows call a severity: the entry's type, and the two highest bits of a
// message's id.
struct Severity {
  WORD type;
  DWORD bits;
};

Severity severity_of(LogLevel level) {
  if (level == LogLevel::kError) return {EVENTLOG_ERROR_TYPE, 3};
  if (level == LogLevel::kWarn) return {EVENTLOG_WARNING_TYPE, 2};
  return {EVENTLOG_INFORMATION_TYPE, 1};
}

class WindowsEventLog final : public EventLog {
 public:
  explicit WindowsEventLog(UniqueHandle<EventSourceTraits> source) : source_(std::move(source)) {}

  void write(Event event, std::string_view subject, std::string_view text) override {
    const EventKind& kind = kind_of(event);
    const Severity severity = severity_of(kind.level);
    const std::wstring wide_subject = to_wide(subject).substr(0, kMaxChars);
    const std::wstring wide_text = to_wide(text).substr(0, kMaxChars);
    // In the order of %1 and %2 in messages.mc.
    std::array<LPCWSTR, 2> strings{wide_text.c_str(), wide_subject.c_str()};
    ReportEventW(source_.get(), severity.type, 0, (severity.bits << 30) | kind.id, nullptr,
                 static_cast<WORD>(strings.size()), 0, strings.data(), nullptr);
  }

 private:
  const UniqueHandle<EventSourceTraits> source_;
};

}  // namespace

std::unique_ptr<EventLog> open_event_log(const std::string& source) {
  UniqueHandle<EventSourceTraits> handle(RegisterEventSourceW(nullptr, to_wide(source).c_str()));
  if (!handle) return nullptr;
  return std::make_unique<WindowsEventLog>(std::move(handle));
}

}  // namespace winperf
