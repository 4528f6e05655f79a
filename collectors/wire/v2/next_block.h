// Where the block after a V2 block begins.
//
// It begins exactly where the block before it ends, at start + size. The program in Microsoft's
// documentation ("Using the PerfLib Functions to Consume Counter Data") reads it that way; padding,
// if there is any, is part of the size. PERF_MULTI_COUNTERS with an odd number of ids may therefore
// be 8 + 4n bytes long, and the next block begins at a multiple of 4.
//
// Tolerated: a sender that starts every block at a multiple of 8 and omits the padding from the
// size. Both places are examined; the padded one is taken only if a sound block begins there and
// none begins at the exact one.
// Lifetime: not longer than the bytes.
#pragma once

#include <cstddef>

#include "collectors/wire/byte_view.h"
#include "collectors/wire/v2/blocks.h"

namespace winperf::v2 {

struct NextBlock {
  ByteView rest;                  // from its start to the end of the container
  bool padding_left_out = false;  // it begins after padding that no size includes
};

// What follows a block of `size` bytes at the start of `container`, which holds all of it.
// `is_sound` decides whether the bytes from a place on can be the next block.
template <class IsSound>
NextBlock next_block(const ByteView& container, std::size_t size, IsSound is_sound) {
  const ByteView exact = *container.from(size, container.where());
  const std::size_t grid = aligned(size);
  if (grid == size || grid > container.size() || is_sound(exact)) return {exact};
  const ByteView padded = *container.from(grid, container.where());
  return is_sound(padded) ? NextBlock{padded, true} : NextBlock{exact};
}

// Whether a PERF_COUNTER_HEADER of a known kind begins here, with its result within the bytes.
bool is_sound_result(const ByteView& rest);

// Whether the values of all rows begin here, each block within the one around it, in the strict
// form of the documentation's program. `has_instances`: PERF_MULTI_INSTANCES comes first; otherwise
// there is one row. `columns`: values per row.
bool are_sound_rows(const ByteView& rest, bool has_instances, std::size_t columns);

}  // namespace winperf::v2
