#include "collectors/provider/perf_host.h"

namespace winperf {

std::string_view name_of(PerfHost state) {
  switch (state) {
    case PerfHost::kRunning:
      return "running";
    case PerfHost::kStopped:
      return "stopped";
    case PerfHost::kDisabled:
      return "disabled";
    case PerfHost::kAbsent:
      return "absent";
  }
  return "";  // unreachable: all cases return
}

}  // namespace winperf
