#include "collectors/recorder/number_stream.h"

#include <gtest/gtest.h>

#include <random>

namespace winperf::recorder {
namespace {

constexpr Prediction kAll[] = {Prediction::kBefore, Prediction::kZero, Prediction::kTrend,
                               Prediction::kNeighbour};

std::vector<std::byte> written(const std::vector<std::uint64_t>& numbers, const CellOrder& order,
                               std::span<const Prediction> predictions) {
  NumberWriter writer;
  BitWriter out;
  writer.write(numbers, order, predictions, out);
  out.align();
  return out.bytes();
}

std::vector<std::uint64_t> read_back(const std::vector<std::byte>& bytes, const CellOrder& order,
                                     std::vector<std::uint64_t> numbers) {
  for (std::size_t i = order.known; i < numbers.size(); ++i) numbers[i] = 0xDEAD;
  BitReader in(bytes);
  EXPECT_TRUE(read_numbers(in, order, numbers));
  return numbers;
}

// Rows of frames that continue each other.
CellOrder frames_of_rows(std::size_t frames, std::size_t rows, bool first_is_known) {
  CellOrder order{.known = first_is_known ? rows : 0};
  for (std::size_t cell = order.known; cell < frames * rows; ++cell)
    order.before.push_back(cell < rows ? kNoCell : static_cast<std::uint32_t>(cell - rows));
  return order;
}

TEST(NumberStream, AnyNumbersAreReadBackWithEachPrediction) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937_64 random(seed);
    CellOrder order{.known = random() % 5};
    std::vector<std::uint64_t> numbers(order.known + random() % 50);
    const unsigned shift = random() % 64;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = random() % 3 == 0 ? random() >> shift : (i > 0 ? numbers[i - 1] : 0);
      if (i < order.known) continue;
      const bool is_new = i == 0 || random() % 4 == 0;
      order.before.push_back(is_new ? kNoCell : static_cast<std::uint32_t>(random() % i));
    }
    for (const Prediction& prediction : kAll)
      EXPECT_EQ(read_back(written(numbers, order, std::span(&prediction, 1)), order, numbers),
                numbers)
          << seed;
    EXPECT_EQ(read_back(written(numbers, order, kAll), order, numbers), numbers) << seed;
  }
}

TEST(NumberStream, WhatStaysTakesOneBit) {
  const CellOrder order = frames_of_rows(50, 40, true);
  const std::vector<std::uint64_t> numbers(2'000, 123'456'789);
  EXPECT_EQ(written(numbers, order, kAll).size(), 1u);
}

TEST(NumberStream, MultiplesAreDivided) {
  const CellOrder order = frames_of_rows(2, 100, true);
  std::vector<std::uint64_t> pages(200);
  std::vector<std::uint64_t> bytes(200);
  for (std::size_t i = 100; i < 200; ++i) {
    pages[i] = i % 7 + 1;
    bytes[i] = pages[i] * 4096;
  }
  const Prediction before[] = {Prediction::kBefore};
  EXPECT_LE(written(bytes, order, before).size(), written(pages, order, before).size() + 3);
}

TEST(NumberStream, ATrendIsFoundWhereThereIsOne) {
  const CellOrder order = frames_of_rows(20, 30, false);
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t frame = 0; frame < 20; ++frame)
    for (std::uint64_t row = 0; row < 30; ++row)
      numbers.push_back(1'000'000 + frame * (997 + row * 31));
  const Prediction before[] = {Prediction::kBefore};
  const Prediction both[] = {Prediction::kBefore, Prediction::kTrend};
  EXPECT_LT(written(numbers, order, both).size(), written(numbers, order, before).size() / 3);
}

TEST(NumberStream, ATruncatedOneIsDamageOrShorter) {
  const CellOrder order = frames_of_rows(3, 20, false);
  std::vector<std::uint64_t> numbers(60);
  for (std::size_t i = 0; i < 60; ++i) numbers[i] = i * i * 1'001;
  const auto bytes = written(numbers, order, kAll);
  for (std::size_t size = 0; size + 1 < bytes.size(); ++size) {
    BitReader in(std::span<const std::byte>(bytes).first(size));
    std::vector<std::uint64_t> cells(60);
    EXPECT_FALSE(read_numbers(in, order, cells)) << size;
  }
}

}  // namespace
}  // namespace winperf::recorder
