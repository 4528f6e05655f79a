#include <windows.h>

#include "service/run/own_counters.h"

namespace winperf {

OwnPlatform own_platform() {
  OwnPlatform platform{.v1 = section_at({}), .v2 = perflib_provider()};
  // It never fails, and never changes.
  LARGE_INTEGER frequency{};
  if (QueryPerformanceFrequency(&frequency)) platform.frequency = frequency.QuadPart;
  return platform;
}

}  // namespace winperf
