#include "tests/support/allocations.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <new>

namespace winperf::testing {
namespace {

// A call of the operator, unlike a new expression, may not be optimised away.
TEST(Allocations, AreCountedWithTheirBytes) {
  const Allocations before = allocations();
  EXPECT_EQ((allocations() - before).count, 0U);
  void* const small = ::operator new(100);
  void* const several = ::operator new[](200);
  const Allocations made = allocations() - before;
  ::operator delete(small);
  ::operator delete[](several);
  EXPECT_EQ(made.count, 2U);
  EXPECT_EQ(made.bytes, 300U);
  EXPECT_EQ((allocations() - before).count, 2U) << "freeing is no allocation";
}

TEST(Allocations, OfLargeAlignmentsAreCountedAndAligned) {
  constexpr std::align_val_t kAlignment{256};
  const Allocations before = allocations();
  void* const memory = ::operator new(10, kAlignment);
  const Allocations made = allocations() - before;
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 256, 0U);
  ::operator delete(memory, kAlignment);
  EXPECT_EQ(made.count, 1U);
  EXPECT_EQ(made.bytes, 10U);
}

TEST(Allocations, OfSeveralMomentsAddUp) {
  Allocations sum{.count = 1, .bytes = 2};
  sum += {.count = 10, .bytes = 20};
  EXPECT_EQ(sum.count, 11U);
  EXPECT_EQ(sum.bytes, 22U);
}

}  // namespace
}  // namespace winperf::testing
