#include "exporter/deflate/symbols.h"

#include <gtest/gtest.h>

#include <span>

namespace winperf::deflate {
namespace {

struct TableRow {
  unsigned extra_bits;
  unsigned first;  // of the values of the symbol
};

// RFC 1951, section 3.2.5.
constexpr TableRow kLengthRows[] = {
    {0, 3},  {0, 4},  {0, 5},  {0, 6},   {0, 7},   {0, 8},   {0, 9},   {0, 10},  {1, 11}, {1, 13},
    {1, 15}, {1, 17}, {2, 19}, {2, 23},  {2, 27},  {2, 31},  {3, 35},  {3, 43},  {3, 51}, {3, 59},
    {4, 67}, {4, 83}, {4, 99}, {4, 115}, {5, 131}, {5, 163}, {5, 195}, {5, 227}, {0, 258}};
constexpr TableRow kDistanceRows[] = {
    {0, 1},     {0, 2},     {0, 3},     {0, 4},      {1, 5},      {1, 7},
    {2, 9},     {2, 13},    {3, 17},    {3, 25},     {4, 33},     {4, 49},
    {5, 65},    {5, 97},    {6, 129},   {6, 193},    {7, 257},    {7, 385},
    {8, 513},   {8, 769},   {9, 1025},  {9, 1537},   {10, 2049},  {10, 3073},
    {11, 4097}, {11, 6145}, {12, 8193}, {12, 12289}, {13, 16385}, {13, 24577}};

// The last row whose first value isn't greater.
std::size_t row_of(std::span<const TableRow> rows, unsigned value) {
  std::size_t row = rows.size() - 1;
  while (rows[row].first > value) --row;
  return row;
}

TEST(Symbols_OfLengths, AreThoseOfTheStandard) {
  for (unsigned length = kShortestLength; length <= kLongestLength; ++length) {
    const std::size_t row = row_of(kLengthRows, length);
    const Symbol symbol = length_symbol(length);
    EXPECT_EQ(symbol.symbol, kFirstLength + row) << length;
    EXPECT_EQ(symbol.extra, length - kLengthRows[row].first) << length;
    EXPECT_EQ(symbol.extra_bits, kLengthRows[row].extra_bits) << length;
    EXPECT_LT(symbol.extra, 1U << symbol.extra_bits) << length;
  }
}

TEST(Symbols_OfDistances, AreThoseOfTheStandard) {
  for (unsigned distance = 1; distance <= kLongestDistance; ++distance) {
    const std::size_t row = row_of(kDistanceRows, distance);
    const Symbol symbol = distance_symbol(distance);
    ASSERT_EQ(symbol.symbol, row) << distance;
    ASSERT_EQ(symbol.extra, distance - kDistanceRows[row].first) << distance;
    ASSERT_EQ(symbol.extra_bits, kDistanceRows[row].extra_bits) << distance;
  }
}

TEST(Symbols, SayHowManyBitsFollow) {
  for (unsigned symbol = 0; symbol < kFirstLength; ++symbol)
    EXPECT_EQ(length_extra_bits(symbol), 0U) << symbol;
  for (unsigned row = 0; row < std::size(kLengthRows); ++row)
    EXPECT_EQ(length_extra_bits(kFirstLength + row), kLengthRows[row].extra_bits) << row;
  for (unsigned row = 0; row < std::size(kDistanceRows); ++row)
    EXPECT_EQ(distance_extra_bits(row), kDistanceRows[row].extra_bits) << row;
}

}  // namespace
}  // namespace winperf::deflate
