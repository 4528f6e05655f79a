// Whether two ranges of bytes are equal. (std::ranges::equal() compares std::byte one by one.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace winperf {

inline bool equal_bytes(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

// The same for a few dozen bytes, which are compared before memcmp() would have been called.
inline bool equal_short_bytes(std::span<const std::byte> a, std::span<const std::byte> b) {
  constexpr std::size_t kEight = sizeof(std::uint64_t);
  if (a.size() != b.size()) return false;
  std::size_t at = 0;
  for (; a.size() - at >= kEight; at += kEight) {
    std::uint64_t eight_of_a = 0;
    std::uint64_t eight_of_b = 0;
    std::memcpy(&eight_of_a, a.data() + at, kEight);
    std::memcpy(&eight_of_b, b.data() + at, kEight);
    if (eight_of_a != eight_of_b) return false;
  }
  return equal_bytes(a.subspan(at), b.subspan(at));
}

}  // namespace winperf
