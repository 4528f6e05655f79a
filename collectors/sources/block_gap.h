// Repairs a V1 block whose objects begin later than its header says.
//
// Wine (seen in 8.0) writes the first object sizeof(PERF_DATA_BLOCK) = 88 bytes after HeaderLength;
// the size that it returns and TotalByteLength don't count these 88 bytes. They are never written,
// so they are zero in a buffer that was zeroed before the query, while no object can begin with a
// TotalByteLength of zero. That tells a block with the gap from one without.
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

}  // namespace winperf
