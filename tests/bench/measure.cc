#include <cstdint>
#include <cstdio>

#include "tests/bench/bench.h"

namespace winperf::testing {

bool measure(const char* name, std::chrono::milliseconds least, const Step& step) {
  using Clock = std::chrono::steady_clock;
  std::size_t bytes = step();  // the first time fills the caches
  std::uint64_t runs = 0;
  const Clock::time_point start = Clock::now();
  Clock::duration taken{};
  do {
    bytes = step();
    ++runs;
    taken = Clock::now() - start;
  } while (bytes != 0 && taken < least);
  const double seconds = std::chrono::duration<double>(taken).count() / static_cast<double>(runs);
  std::printf("%-28s %10.1f us  %8zu bytes  %8.1f MB/s  %7llu runs\n", name, seconds * 1e6, bytes,
              static_cast<double>(bytes) / seconds / 1e6, static_cast<unsigned long long>(runs));
  return bytes != 0;
}

}  // namespace winperf::testing
