#include "collectors/facts/win/returned_buffer.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace winperf {
namespace {

TEST(ReturnedBuffer, HoldsWhatIsInItAsAWhole) {
  ReturnedBuffer buffer(16);
  const auto* const bytes = static_cast<const std::byte*>(buffer.data());
  EXPECT_NE(buffer.at<std::uint64_t>(bytes), nullptr);
  EXPECT_NE(buffer.at<std::uint64_t>(bytes + 8), nullptr);
  EXPECT_EQ(buffer.at<std::uint64_t>(bytes + 16), nullptr) << "its end";
  EXPECT_EQ(buffer.at<std::uint64_t>(bytes + 4), nullptr) << "not aligned";
  EXPECT_NE(buffer.at<std::uint32_t>(bytes + 12), nullptr);
  EXPECT_EQ(buffer.at<std::uint64_t>(bytes - 8), nullptr) << "before it";
  EXPECT_EQ(buffer.at<std::uint64_t>(nullptr), nullptr);
  EXPECT_NE(buffer.range(bytes, 16), nullptr);
  EXPECT_EQ(buffer.range(bytes, 17), nullptr);
  EXPECT_EQ(buffer.range(bytes + 1, static_cast<std::size_t>(-1)), nullptr) << "no overflow";
}

TEST(ReturnedBuffer, WhatWasNotFilledIsNotHeld) {
  ReturnedBuffer buffer(16);
  const auto* const bytes = static_cast<const std::byte*>(buffer.data());
  buffer.filled(32);
  EXPECT_EQ(buffer.bytes(), 16U);
  buffer.filled(8);
  EXPECT_NE(buffer.at<std::uint64_t>(bytes), nullptr);
  EXPECT_EQ(buffer.at<std::uint64_t>(bytes + 8), nullptr);
}

TEST(ReturnedBuffer, ATextEndsInIt) {
  ReturnedBuffer buffer(4 * sizeof(wchar_t));
  auto* const text = static_cast<wchar_t*>(buffer.data());
  text[0] = L'a';
  text[1] = L'b';
  EXPECT_EQ(buffer.text(text), L"ab");
  EXPECT_EQ(buffer.text(text + 2), L"");
  text[2] = text[3] = L'c';
  EXPECT_EQ(buffer.text(text), std::nullopt) << "without a NUL";
  EXPECT_EQ(buffer.text(text + 4), std::nullopt);
  EXPECT_EQ(buffer.text(nullptr), std::nullopt);
}

}  // namespace
}  // namespace winperf
