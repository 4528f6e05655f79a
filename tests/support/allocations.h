// Counts the allocations of an executable that links winperf_allocations, which replaces operator
// new (not on Windows):
//
//   const Allocations before = allocations();
//   sampler.take(reply);
//   EXPECT_EQ((allocations() - before).count, 0U);
//
// Memory that C libraries allocate isn't counted. Thread rule: any thread; the counts are of all
// threads together.
#pragma once

#include <cstdint>

namespace winperf::testing {

struct Allocations {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;

  friend Allocations operator-(const Allocations& a, const Allocations& b) {
    return {.count = a.count - b.count, .bytes = a.bytes - b.bytes};
  }
  Allocations& operator+=(const Allocations& more) {
    count += more.count;
    bytes += more.bytes;
    return *this;
  }
};

// Since the start of the program.
Allocations allocations();

// What is allocated now, as large as the C library made it.
std::uint64_t allocated_bytes();

// While one lives, each allocation of any thread fails. Thread rule: one at a time.
class FailingAllocations {
 public:
  FailingAllocations();
  FailingAllocations(const FailingAllocations&) = delete;
  FailingAllocations& operator=(const FailingAllocations&) = delete;
  ~FailingAllocations();
};

}  // namespace winperf::testing
