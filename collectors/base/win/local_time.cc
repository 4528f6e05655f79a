#include "collectors/base/local_time.h"

#include <windows.h>

namespace winperf {

std::chrono::seconds utc_offset(Ticks100ns time) {
  ULARGE_INTEGER utc{};
  utc.QuadPart = static_cast<ULONGLONG>(time.ticks);
  const FILETIME file_time{.dwLowDateTime = utc.LowPart, .dwHighDateTime = utc.HighPart};
  SYSTEMTIME utc_date{};
  SYSTEMTIME local_date{};
  FILETIME local_time{};
  if (!FileTimeToSystemTime(&file_time, &utc_date) ||
      !SystemTimeToTzSpecificLocalTime(nullptr, &utc_date, &local_date) ||
      !SystemTimeToFileTime(&local_date, &local_time))
    return {};
  ULARGE_INTEGER local{};
  local.LowPart = local_time.dwLowDateTime;
  local.HighPart = local_time.dwHighDateTime;
  // The conversion to a date drops what is less than a millisecond.
  const auto milliseconds = [](ULONGLONG ticks) { return static_cast<long long>(ticks / 10'000); };
  return std::chrono::seconds((milliseconds(local.QuadPart) - milliseconds(utc.QuadPart)) / 1000);
}

}  // namespace winperf
