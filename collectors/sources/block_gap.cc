#include "collectors/sources/block_gap.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace winperf {
namespace {

// Offsets within PERF_DATA_BLOCK.
constexpr std::size_t kTotalByteLength = 20;
constexpr std::size_t kHeaderLength = 24;
constexpr std::size_t kNumObjectTypes = 28;
constexpr std::size_t kBlockHeaderBytes = 88;

constexpr std::array<std::byte, 8> kSignature{std::byte{'P'}, std::byte{0},   std::byte{'E'},
                                              std::byte{0},   std::byte{'R'}, std::byte{0},
                                              std::byte{'F'}, std::byte{0}};

// The caller has proved offset + 4 <= buffer.size().
std::uint32_t read_u32(std::span<const std::byte> buffer, std::size_t offset) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;)
    value = (value << 8) | std::to_integer<std::uint32_t>(buffer[offset + i]);
  return value;
}

}  // namespace

bool close_block_gap(std::span<std::byte> buffer, std::size_t size) {
  if (size < kBlockHeaderBytes || size > buffer.size()) return false;
  if (buffer.size() - size < kBlockGapBytes) return false;
  if (!std::equal(kSignature.begin(), kSignature.end(), buffer.begin())) return false;
  if (read_u32(buffer, kTotalByteLength) != size) return false;
  if (read_u32(buffer, kNumObjectTypes) == 0) return false;
  const std::size_t header = read_u32(buffer, kHeaderLength);
  if (header < kBlockHeaderBytes || header >= size) return false;

  const std::span<std::byte> gap = buffer.subspan(header, kBlockGapBytes);
  const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
  if (!std::all_of(gap.begin(), gap.end(), is_zero)) return false;

  const std::span<std::byte> objects = buffer.subspan(header + kBlockGapBytes, size - header);
  std::copy(objects.begin(), objects.end(), gap.begin());
  const std::span<std::byte> rest = buffer.subspan(size, kBlockGapBytes);
  std::fill(rest.begin(), rest.end(), std::byte{0});
  return true;
}

}  // namespace winperf
