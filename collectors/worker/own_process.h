// Which process this is, by the operating system's id. Thread rule: any thread.
#pragma once

#include <cstdint>

namespace winperf::worker {

std::uint64_t own_process_id();

}  // namespace winperf::worker
