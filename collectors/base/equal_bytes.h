// Whether two ranges of bytes are equal. (std::ranges::equal() compares std::byte one by one.)
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace winperf {

inline bool equal_bytes(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

}  // namespace winperf
