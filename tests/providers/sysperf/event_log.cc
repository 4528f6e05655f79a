#include "tests/providers/sysperf/event_log.h"

#include <windows.h>

#include "sysperf_messages.h"

namespace sysperf {
namespace {

DWORD message_of(Trouble trouble) {
  switch (trouble) {
    case Trouble::kIndices:
      return SYSPERF_NOT_REGISTERED;
    case Trouble::kDevice:
      return SYSPERF_NO_DEVICE;
    case Trouble::kObject:
      return SYSPERF_NO_NUMBERS;
    case Trouble::kMemory:
      return SYSPERF_NO_MEMORY;
  }
  return SYSPERF_NO_MEMORY;
}

}  // namespace

void write_event(const Report& report) {
  const HANDLE source = RegisterEventSourceW(nullptr, L"sysperf");
  if (source == nullptr) return;
  LPCWSTR text = report.text.c_str();
  ReportEventW(source, EVENTLOG_ERROR_TYPE, 0, message_of(report.trouble), nullptr, 1, 0, &text,
               nullptr);
  DeregisterEventSource(source);
}

}  // namespace sysperf
