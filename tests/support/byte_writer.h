// Appends little-endian integers and text to bytes, for tests that build input.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace winperf::testing {

// Sizes and counts as fields have them.
constexpr std::uint32_t u32(std::size_t value) { return static_cast<std::uint32_t>(value); }

class ByteWriter {
 public:
  std::size_t size() const { return bytes_.size(); }

  template <std::integral Integer>
  ByteWriter& put(Integer value) {
    grow(sizeof value);
    return set(size() - sizeof value, value);
  }

  // Writes over bytes that are there already; what would lie outside is left out.
  template <std::integral Integer>
  ByteWriter& set(std::size_t offset, Integer value) {
    const auto bits = static_cast<std::uint64_t>(value);
    for (std::size_t i = 0; i < sizeof value && offset + i < size(); ++i)
      bytes_[offset + i] = static_cast<std::byte>((bits >> (8 * i)) & 0xFF);
    return *this;
  }

  ByteWriter& put(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }

  ByteWriter& utf16(std::u16string_view text) {
    for (const char16_t unit : text) put(static_cast<std::uint16_t>(unit));
    return *this;
  }

  ByteWriter& narrow(std::u16string_view text) {
    for (const char16_t unit : text) put(static_cast<std::uint8_t>(unit & 0xFF));
    return *this;
  }

  // Zero bytes.
  ByteWriter& grow(std::size_t bytes) {
    bytes_.resize(size() + bytes);
    return *this;
  }

  ByteWriter& align_to_8() { return grow((8 - size() % 8) % 8); }

  std::vector<std::byte> take() && { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace winperf::testing
