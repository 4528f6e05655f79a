// Stubs for Windows-only functions.
#include "collectors/provider/library_head.h"

namespace winperf {

LibraryOrigin read_library_origin(const std::string&) { return {}; }

std::optional<PerfHost> read_perf_host() { return std::nullopt; }

}  // namespace winperf
