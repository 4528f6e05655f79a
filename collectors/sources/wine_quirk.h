// Corrects what Wine does differently on HKEY_PERFORMANCE_DATA, right after the query, so that all
// other code sees a correct block.
//
// Wine (seen in 8.0) writes the first object sizeof(PERF_DATA_BLOCK) = 88 bytes after HeaderLength;
// the size that it returns and TotalByteLength don't count these 88 bytes. They are never written,
// so they are zero in a buffer that was zeroed before the query, while no object can begin with a
// TotalByteLength of zero. That tells a block with the gap from one without.
// So Wine may write 88 bytes past the size that it was given: the query gives it a size that is 88
// bytes smaller than the buffer, and repair() closes the gap. A reply of a Wine version without the
// gap stays unchanged.
// Validated: nothing is moved unless the header, the gap and the objects lie within the buffer;
// apart from that the block stays as it is. The content of the objects isn't examined.
// Thread rule: any thread.
// Source: winperf.h, PERF_DATA_BLOCK; docs/registry-path.md, "Wine".
#pragma once

#include <cstddef>
#include <span>

namespace winperf {

inline constexpr std::size_t kBlockGapBytes = 88;

// `buffer` is the whole buffer, zeroed before the query; `size` is what the query returned. True if
// there was a gap: then the objects were moved, the block is `size` bytes long, and the bytes after
// it are zero.
bool close_block_gap(std::span<std::byte> buffer, std::size_t size);

// On Windows, where it isn't active, both functions do nothing.
class WineQuirk {
 public:
  explicit WineQuirk(bool active) : active_(active) {}

  // The size to pass to the system for a buffer of `capacity` bytes.
  std::size_t usable(std::size_t capacity) const {
    if (!active_) return capacity;
    return capacity < kBlockGapBytes ? 0 : capacity - kBlockGapBytes;
  }
  // As close_block_gap().
  void repair(std::span<std::byte> buffer, std::size_t size) const {
    if (active_) close_block_gap(buffer, size);
  }

 private:
  bool active_;
};

}  // namespace winperf
