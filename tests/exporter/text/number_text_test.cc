#include "exporter/text/number_text.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace winperf {
namespace {

template <class Number>
std::string written(Number value, char* (*write)(char*, Number) = &write_number) {
  std::array<char, kMostOfANumber> text{};
  return {text.data(), write(text.data(), value)};
}

std::string ticks(std::uint64_t value) { return written(value, &write_ticks); }

template <class Number>
std::string shortest(Number value) {
  std::array<char, kMostOfANumber> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

// As many of each length as of others.
std::vector<std::uint64_t> numbers_of_all_lengths() {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> numbers;
  for (int i = 0; i < 30'000; ++i) numbers.push_back(random() >> (i % 64));
  for (std::uint64_t power = 1; power <= 1'000'000'000'000'000'000; power *= 10)
    for (const std::uint64_t factor : {1U, 2U, 9U})
      for (const std::uint64_t more : {0U, 1U})
        for (const std::uint64_t less : {0U, 1U}) numbers.push_back(power * factor + more - less);
  numbers.push_back(std::numeric_limits<std::uint64_t>::max());
  return numbers;
}

TEST(NumberText_OfAWholeNumber, HasItsDigits) {
  for (const std::uint64_t number : numbers_of_all_lengths()) {
    EXPECT_EQ(written(number), shortest(number));
    const auto with_sign = std::bit_cast<std::int64_t>(number);
    EXPECT_EQ(written(with_sign), shortest(with_sign));
    EXPECT_EQ(written(-with_sign / 2), shortest(-with_sign / 2));
  }
}

TEST(NumberText_OfUpToEightDigits, HasItsDigits) {
  constexpr std::uint64_t kStep = 1'009;
  for (std::uint64_t number = 0; number < 100'000'000; number += kStep)
    ASSERT_EQ(written(number), shortest(number));
}

TEST(NumberText_OfADouble, IsTheShortest) {
  for (const std::uint64_t number : numbers_of_all_lengths()) {
    const auto whole = static_cast<double>(number);
    for (const double value : {whole, -whole, whole / 7, whole / 1024, whole / 1e7, whole / 1e3,
                               1 / (whole + 1), std::nextafter(whole / 1e7, 0)})
      EXPECT_EQ(written(value), shortest(value));
    if (const auto any = std::bit_cast<double>(number); std::isfinite(any)) {
      EXPECT_EQ(written(any), shortest(any));
    }
  }
  EXPECT_EQ(written(0.0), "0");
  EXPECT_EQ(written(-0.0), "-0");
  EXPECT_EQ(written(100'000.0), "1e+05");
  EXPECT_EQ(written(120'000.0), "120000");
  EXPECT_EQ(written(std::nan("")), "NaN");
  EXPECT_EQ(written(HUGE_VAL), "+Inf");
  EXPECT_EQ(written(-HUGE_VAL), "-Inf");
}

// Between numbers that need an exponent, also those next to short ones.
TEST(NumberText_OfADoubleThatNeedsNoExponent, IsTheShortest) {
  std::mt19937_64 random(2);
  for (std::uint64_t exponent = 1023 - 12; exponent <= 1023 + 55; ++exponent) {
    for (int bits = 0; bits <= 52; ++bits) {
      for (int i = 0; i < 10; ++i) {
        const std::uint64_t fraction = (random() << (52 - bits)) & ((std::uint64_t{1} << 52) - 1);
        const auto value = std::bit_cast<double>(exponent << 52 | fraction);
        for (const double one :
             {value, std::nextafter(value, 0), std::nextafter(value, HUGE_VAL)}) {
          ASSERT_EQ(written(one), shortest(one));
          ASSERT_EQ(written(-one), shortest(-one));
        }
      }
    }
  }
}

TEST(NumberText_OfTicks, IsThatOfTheirSeconds) {
  for (const std::uint64_t number : numbers_of_all_lengths())
    EXPECT_EQ(ticks(number), shortest(static_cast<double>(number) / 1e7)) << number;
  EXPECT_EQ(ticks(0), "0");
  EXPECT_EQ(ticks(9'999), "0.0009999");
  EXPECT_EQ(ticks(10'000), "0.001");
  EXPECT_EQ(ticks(12'345'000'000), "1234.5");
  EXPECT_EQ(ticks(1'000'000'000'000), "1e+05");
}

}  // namespace
}  // namespace winperf
