#include "tests/fuzz/fuzz_target.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace winperf::fuzz {

Input copy_of(const std::uint8_t* data, std::size_t size) {
  Input bytes(size);
  std::transform(data, data + size, bytes.begin(),
                 [](std::uint8_t byte) { return std::byte{byte}; });
  return bytes;
}

void require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", property);
  std::abort();
}

}  // namespace winperf::fuzz
