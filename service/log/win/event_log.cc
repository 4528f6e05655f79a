#include "service/log/event_log.h"

#include <windows.h>

#include <algorithm>
#include <array>

#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"

namespace winperf {
namespace {

struct EventSourceTraits {
  using Handle = HANDLE;
  static HANDLE invalid() { return nullptr; }
  static void close(HANDLE source) { DeregisterEventSource(source); }
};

// An entry has at most 61,440 bytes in all.
constexpr std::size_t kMaxTextChars = 28'000;
constexpr std::size_t kMaxSubjectChars = 1'000;

// The event viewer replaces "%1" in a string with another string, so a blank separates the two. An
// IPv6 address may contain such text.
std::wstring insertable(std::string_view text, std::size_t max_chars) {
  std::wstring result;
  for (const wchar_t c : to_wide(text)) {
    if (!result.empty() && result.back() == L'%' && c >= L'0' && c <= L'9') result += L' ';
    result += c;
  }
  if (result.size() > max_chars) result.replace(max_chars, std::wstring::npos, L" ...");
  return result;
}

// Windows' two forms of a severity: the entry's type, and the two highest bits of a message's id.
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
    const std::wstring wide_subject = insertable(subject, kMaxSubjectChars);
    const std::wstring wide_text = insertable(text, kMaxTextChars);
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
