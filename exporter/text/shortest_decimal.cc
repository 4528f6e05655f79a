#include "exporter/text/shortest_decimal.h"

#include <array>
#include <bit>

namespace winperf {
namespace {

constexpr int kMostPlaces = 19;
constexpr auto kPowersOfFive = [] {
  std::array<std::uint64_t, kMostPlaces + 1> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = 5 * powers[i - 1];
  return powers;
}();

// The decimal places that the doubles of one binary exponent need: with them, neighbours are at
// least 1 apart, and less than 10. A multiplication by log10(2), 1233 / 4096, rounds down exactly.
constexpr int places_of(int exponent) { return ((-exponent * 1233) >> 12) + 1; }

struct Product {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
};

// `a` has at most 54 bits, `b` at most 45.
Product product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kLow = 0xFFFF'FFFF;
  const std::uint64_t middle = (a >> 32U) * (b & kLow) + (a & kLow) * (b >> 32U);
  const std::uint64_t low = (a & kLow) * (b & kLow);
  const std::uint64_t sum = low + (middle << 32U);
  return {(a >> 32U) * (b >> 32U) + (middle >> 32U) + (sum < low ? 1U : 0U), sum};
}

}  // namespace

// The double is m * 2^exponent. Times 10^places it is 2m * 5^places / 2^shift, exactly, and the
// numbers that read back as it lie between (2m - 1) and (2m + 1) times the same. These ends are odd
// numbers over a power of two, so that no whole number is one of them. At most 10 whole numbers
// lie between them: one that ends in a zero is the shortest; without it, the nearest one is.
Decimal shortest_decimal(double value) {
  constexpr unsigned kFractionBits = 52;
  constexpr std::uint64_t kImplied = std::uint64_t{1} << kFractionBits;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const int exponent = static_cast<int>(bits >> kFractionBits) - 1075;
  const int places = places_of(exponent);
  const auto shift = static_cast<unsigned>(1 - exponent - places);
  const std::uint64_t five = kPowersOfFive[static_cast<std::size_t>(places)];
  const Product scaled = product(2 * ((bits & (kImplied - 1)) | kImplied), five);
  const std::uint64_t whole = scaled.high << (64U - shift) | scaled.low >> shift;
  const std::uint64_t rest = scaled.low & ((std::uint64_t{1} << shift) - 1);
  const std::uint64_t most = whole + ((rest + five) >> shift);
  const auto below = (static_cast<std::int64_t>(five) - static_cast<std::int64_t>(rest)) >> shift;
  const std::uint64_t least = whole - static_cast<std::uint64_t>(below);
  const std::uint64_t round = most - most % 10;
  const auto count = static_cast<unsigned>(places);
  if (round >= least) return {round, count};
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  const bool is_up = rest > half || (rest == half && whole % 2 != 0);
  return {whole + (is_up ? 1U : 0U), count};
}

}  // namespace winperf
