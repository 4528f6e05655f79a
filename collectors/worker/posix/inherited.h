// The numbers of the descriptors that a worker inherits. The worker's process gives them, and the
// link to the parent finds them.
#pragma once

namespace winperf::worker {

inline constexpr int kInheritedMemory = 3;
inline constexpr int kInheritedSocket = 4;

}  // namespace winperf::worker
