#include "exporter/text/crc_shift.h"

#define ZLIB_CONST  // as in gzip.cc, which is compiled together with this
#include <zlib.h>

#include <algorithm>

namespace winperf {

// A CRC is a polynomial over two elements, whose highest bit is the coefficient of x^0. What
// follows multiplies it by x for each bit, modulo the polynomial of the CRC.
CrcShift::CrcShift(std::uint64_t bytes) {
  constexpr std::uint32_t kOne = 0x8000'0000;
  constexpr std::uint32_t kPolynomial = 0xEDB8'8320;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30U;  // z_off_t has 32 bits on Windows
  std::uint32_t factor = kOne;
  while (bytes != 0) {
    const std::uint64_t some = std::min(bytes, kMost);
    const auto shift = crc32_combine_gen(static_cast<z_off_t>(some));
    factor = static_cast<std::uint32_t>(crc32_combine_op(factor, 0, shift));
    bytes -= some;
  }
  for (std::size_t bit = becomes_.size(); bit-- > 0;) {
    becomes_[bit] = factor;
    factor = (factor >> 1U) ^ ((factor & 1U) != 0 ? kPolynomial : 0);
  }
}

}  // namespace winperf
