// Encodes frames: first the numbers of all of them, one stream for each field, then the instances
// of each. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "collectors/recorder/bits.h"
#include "collectors/recorder/frame.h"

namespace winperf::recorder {

// `before`: the frame that the first one continues; null: none, and it is described as a whole.
void write_frames(std::span<const Frame> frames, const Frame* before, bool is_multi_instance,
                  BitWriter& out);
// Appends that many to `frames`. False if the data is damaged.
[[nodiscard]] bool read_frames(BitReader& in, std::size_t count, const Frame* before,
                               bool is_multi_instance, std::vector<Frame>& frames);

}  // namespace winperf::recorder
