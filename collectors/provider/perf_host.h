// PerfHost, the Performance Counter DLL Host: the service through which Windows reads 32-bit
// providers for 64-bit programs. It is started by hand or by whoever needs it, unless it is
// disabled.
// Thread rule: any thread. win/ and posix/ implement read_perf_host().
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace winperf {

enum class PerfHost : std::uint8_t { kRunning, kStopped, kDisabled, kAbsent };

// "running", "stopped", "disabled", "absent".
[[nodiscard]] std::string_view name_of(PerfHost state);

// What the system's service manager says. Nothing if it doesn't say anything.
[[nodiscard]] std::optional<PerfHost> read_perf_host();

}  // namespace winperf
