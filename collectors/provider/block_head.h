// Writes PERF_DATA_BLOCK: what the system puts before the objects of a reply.
// Thread rule: any thread. Source: winperf.h, PERF_DATA_BLOCK.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "collectors/provider/provider_machine.h"

namespace winperf {

// Header and name, a multiple of 8.
[[nodiscard]] std::size_t block_head_bytes(std::u16string_view computer_name);

// `block`: the whole block, whose objects begin after block_head_bytes().
void write_block_head(std::span<std::byte> block, const BlockMoment& moment,
                      std::u16string_view computer_name, std::uint32_t object_count);

}  // namespace winperf
