#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/fuzz_target.h"

namespace winperf::fuzz {

void require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", property);
  std::abort();
}

}  // namespace winperf::fuzz
