#include "collectors/sources/wine_quirk.h"

#include <algorithm>

#include "collectors/wire/v1_format.h"

namespace winperf {

bool close_block_gap(std::span<std::byte> buffer, std::size_t size) {
  if (size < v1::block::kBytes || size > buffer.size()) return false;
  if (buffer.size() - size < kBlockGapBytes) return false;
  const ByteView block(buffer.first(size), "block");
  if (block.get(v1::block::kSignature) != v1::kPerfSignature) return false;
  if (block.get(v1::block::kTotalByteLength) != size) return false;
  if (block.get(v1::block::kNumObjectTypes) == 0) return false;
  const std::size_t header = block.get(v1::block::kHeaderLength);
  if (header < v1::block::kBytes || header >= size) return false;

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
