// What the CRC-32 of a text becomes when so many bytes follow it, before theirs is added: the CRC
// of both is shift(first) ^ second.
//
// Each bit of a CRC is moved by itself, so what becomes of each of the 32 is all that has to be
// known. It is kept for a part of a page that many answers share: zlib's crc32_combine_op() takes
// three times as many instructions. Errors: none. Thread rule: immutable. Source: zlib's crc32.c,
// "CRC combination".
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace winperf {

class CrcShift {
 public:
  CrcShift() = default;  // of nothing
  explicit CrcShift(std::uint64_t bytes);

  std::uint32_t operator()(std::uint32_t crc) const {
    std::uint32_t shifted = 0;
    for (; crc != 0; crc &= crc - 1)
      shifted ^= becomes_[static_cast<std::size_t>(std::countr_zero(crc))];
    return shifted;
  }

 private:
  std::array<std::uint32_t, 32> becomes_{};  // by bit
};

}  // namespace winperf
