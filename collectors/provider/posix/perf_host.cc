#include "collectors/provider/perf_host.h"

namespace winperf {

std::optional<PerfHost> read_perf_host() { return std::nullopt; }

}  // namespace winperf
