// Has this process write where it is (trace.h): when it crashes, when a provider ends it by exit(),
// and when its parent sends kWhereSignal. Windows' twin is win/crash_trace.h. Thread rule: the main
// thread, once.
#pragma once

#include <csignal>
#include <cstddef>
#include <span>

namespace winperf::worker {

inline constexpr int kWhereSignal = SIGUSR1;

// `shared`: as long as this process lives.
void write_traces_to(std::span<std::byte> shared);

}  // namespace winperf::worker
