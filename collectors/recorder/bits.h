// Writes and reads bits, lowest first. A number is its width in unary, then its bits; its lowest
// bits, as many as both sides agree on, don't count for the width.
//
// The reader checks each range: what lies after the end is 0, and failed() says so from then on.
// Thread rule: one thread.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace winperf::recorder {

inline constexpr unsigned kWordBits = 64;

// The bits that follow a number's width: the highest one is known.
constexpr unsigned rest_of(unsigned width, unsigned low) {
  return (width == 0 ? 0 : width - 1) + low;
}

constexpr std::uint64_t lowest_bits(std::uint64_t value, unsigned count) {
  return count == kWordBits ? value : value & ((std::uint64_t{1} << count) - 1);
}

class BitWriter {
 public:
  // `value` has no other bits.
  void bits(std::uint64_t value, unsigned count) {
    word_ |= value << filled_;
    if (filled_ + count < kWordBits) {
      filled_ += count;
      return;
    }
    flush(sizeof word_);
    const unsigned written = kWordBits - filled_;
    word_ = written == kWordBits ? 0 : value >> written;
    filled_ = filled_ + count - kWordBits;
  }
  void flag(bool value) { bits(value ? 1 : 0, 1); }

  void number(std::uint64_t value, unsigned low) {
    const auto width = static_cast<unsigned>(std::bit_width(value >> low));
    if (width < kWordBits) {
      bits((std::uint64_t{1} << width) - 1, width + 1);
    } else {
      bits(~std::uint64_t{0}, kWordBits);
      bits(0, 1);
    }
    bits(lowest_bits(value, rest_of(width, low)), rest_of(width, low));
  }

  // The next number begins with a byte.
  void align() {
    flush((filled_ + 7) / 8);
    word_ = 0;
    filled_ = 0;
  }
  // After align().
  const std::vector<std::byte>& bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  void flush(std::size_t count) {
    std::byte bytes[sizeof word_];
    for (std::byte& byte : bytes) {
      byte = static_cast<std::byte>(word_ & 0xFFU);
      word_ >>= 8U;
    }
    bytes_.insert(bytes_.end(), bytes, bytes + count);
  }

  std::vector<std::byte> bytes_;
  std::uint64_t word_ = 0;
  unsigned filled_ = 0;  // bits of word_
};

class BitReader {
 public:
  explicit BitReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool failed() const { return failed_; }
  // For what isn't a range: a number that can't be.
  void fail() { failed_ = true; }
  std::uint64_t bits_left() const { return bytes_.size() * 8 - at_; }

  std::uint64_t bits(unsigned count) {
    const std::uint64_t value = lowest_bits(peek(), count);
    skip(count);
    return failed_ ? 0 : value;
  }
  bool flag() { return bits(1) != 0; }

  std::uint64_t number(unsigned low) {
    const auto width = static_cast<unsigned>(std::countr_one(peek()));
    const unsigned rest = rest_of(width, low);
    skip(width + 1);
    if (rest >= kWordBits) failed_ = true;
    if (failed_) return 0;
    const std::uint64_t value = bits(rest);
    return width == 0 || failed_ ? value : value | (std::uint64_t{1} << rest);
  }

  void align() { at_ = (at_ + 7) / 8 * 8; }
  std::size_t byte() const { return static_cast<std::size_t>(at_ / 8); }

 private:
  // The next 64 bits; 0 after the end.
  std::uint64_t peek() const {
    const auto byte = static_cast<std::size_t>(at_ / 8);
    const auto shift = static_cast<unsigned>(at_ % 8);
    std::uint64_t word = 0;
    const std::size_t left = bytes_.size() - std::min(byte, bytes_.size());
    for (std::size_t i = 0; i < std::min(left, sizeof word); ++i)
      word |= std::to_integer<std::uint64_t>(bytes_[byte + i]) << (8 * i);
    if (shift == 0) return word;
    word >>= shift;
    if (left > sizeof word)
      word |= std::to_integer<std::uint64_t>(bytes_[byte + sizeof word]) << (kWordBits - shift);
    return word;
  }

  void skip(unsigned count) {
    if (count > bits_left()) {
      failed_ = true;
      at_ = bytes_.size() * 8;
    } else {
      at_ += count;
    }
  }

  std::span<const std::byte> bytes_;
  std::uint64_t at_ = 0;  // in bits
  bool failed_ = false;
};

}  // namespace winperf::recorder
