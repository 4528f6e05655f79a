// What a provider has left in the process that ran it, and that harms whatever runs there next: the
// worker looks after each call, and restores what can be restored.
// Thread rule: pure.
#pragma once

#include <cstdint>
#include <string>

namespace winperf::worker {

// Bits of a reply.
enum class LeftBehind : std::uint32_t {
  kFloatingPoint = 1,  // exceptions of the floating-point unit unmasked, or another rounding
  kIdentity = 2,       // the thread acts as somebody else
  kHeap = 4,           // a heap is damaged; looked at when providers are closed
};
inline constexpr std::uint32_t kAllLeftBehind = 7;

// "left a changed floating-point unit, a damaged heap": for people. Empty if there is nothing.
[[nodiscard]] std::string describe_left_behind(std::uint32_t bits);

}  // namespace winperf::worker
