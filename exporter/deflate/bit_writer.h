// Writes bits, lowest first, as deflate has them. Source: RFC 1951, section 3.1.1.
//
// Nothing is checked: whoever makes a writer has room for all that will be written, and for
// kSpare bytes after it. Thread rule: one thread.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace winperf::deflate {

static_assert(std::endian::native == std::endian::little);  // so a word is written as it is

class BitWriter {
 public:
  // Each write is of a whole word, whose last bytes the next one overwrites.
  static constexpr std::size_t kSpare = sizeof(std::uint64_t);
  static constexpr unsigned kMostBits = 56;  // at a time: 7 may be waiting

  explicit BitWriter(char* to) : to_(to) {}

  // `bits` has no more of them than `count`.
  void put(std::uint64_t bits, unsigned count) {
    word_ |= bits << filled_;
    filled_ += count;
    std::memcpy(to_, &word_, sizeof word_);
    to_ += filled_ / 8;
    word_ >>= filled_ / 8 * 8;
    filled_ %= 8;
  }
  bool is_aligned() const { return filled_ == 0; }
  unsigned bits_to_align() const { return (8 - filled_) % 8; }
  void align() { put(0, bits_to_align()); }
  // At a byte boundary.
  void put(std::string_view bytes) { to_ = std::ranges::copy(bytes, to_).out; }
  char* end() const { return to_; }  // at a byte boundary

 private:
  char* to_;
  std::uint64_t word_ = 0;
  unsigned filled_ = 0;
};

}  // namespace winperf::deflate
