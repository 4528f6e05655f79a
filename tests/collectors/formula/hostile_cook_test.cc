// Numbers that no provider should deliver: there is a finite value or a reason, never anything
// else.
#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <random>

#include "tests/support/cook_cell.h"

namespace winperf {
namespace {

using testing::cook;
using testing::Measurement;
using testing::Observation;

class Numbers {
 public:
  std::uint64_t any() {
    constexpr std::uint64_t kEdges[]{0,
                                     1,
                                     2,
                                     0x7FFF'FFFF,
                                     0x8000'0000,
                                     0xFFFF'FFFF,
                                     0x1'0000'0000,
                                     1ull << 53,
                                     ~0ull >> 1,
                                     1ull << 63,
                                     0x7FF0'0000'0000'0000,  // infinity
                                     0x7FF8'0000'0000'0000,  // not a number
                                     ~0ull - 1,
                                     ~0ull};
    return random_() % 2 == 0 ? kEdges[random_() % std::size(kEdges)] : random_();
  }
  std::int64_t time() { return static_cast<std::int64_t>(any()); }

  Observation observation() {
    constexpr std::uint8_t kWidths[]{4, 8, 4, 8, 0, 255};
    return {any(), any(), kWidths[random_() % std::size(kWidths)],
            kWidths[random_() % std::size(kWidths)]};
  }
  Clocks clocks() { return {{time()}, {time()}, {time()}, {time()}, {time()}}; }

 private:
  std::mt19937_64 random_{20};
};

void cook_hostile(const CounterTypeInfo& type, Numbers& numbers) {
  const Observation now = numbers.observation();
  Observation before = numbers.observation();
  if (numbers.any() % 4 != 0) {
    before.value_bytes = now.value_bytes;
    before.base_bytes = now.base_bytes;
  }
  const Clocks clocks_before = numbers.clocks();
  const Clocks clocks_now = numbers.clocks();
  const bool paired = numbers.any() % 8 != 0;
  const auto previous = paired ? std::optional(Measurement{before, clocks_before}) : std::nullopt;
  const auto cooked = cook(type, previous, {now, clocks_now});
  if (!cooked) {
    ASSERT_NE(cooked.error(), NoValue::kNone) << to_string(type.type);
    return;
  }
  ASSERT_TRUE(std::isfinite(*cooked)) << to_string(type.type) << ": " << *cooked;
  if (type.formula != Formula::kDouble && !negative_of(type, {}, now.value, now.value_bytes)) {
    ASSERT_GE(*cooked, 0) << to_string(type.type);
  }
}

TEST(Cook, OfHostileNumbersIsFiniteOrHasAReason) {
  Numbers numbers;
  for (const CounterTypeInfo& type : known_counter_types())
    for (int i = 0; i < 5'000; ++i) cook_hostile(type, numbers);
}

TEST(Cook, OfHostileTypesIsFiniteOrHasAReason) {
  Numbers numbers;
  for (int i = 0; i < 200'000; ++i)
    cook_hostile(describe(CounterType{static_cast<std::uint32_t>(numbers.any() >> (i % 33))}),
                 numbers);
}

}  // namespace
}  // namespace winperf
