// What the recorder remembers, as readers get it.
// Thread rule: immutable; any thread. A reader may keep it, which keeps its chunks in memory.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/recorder/chunk.h"
#include "collectors/recorder/owners.h"

namespace winperf::recorder {

// One counterset: its chunks, the oldest first. The levels of chunks only fall.
struct Track {
  std::string machine;  // as in CountersetState
  std::string name;
  std::vector<std::shared_ptr<const Chunk>> chunks;  // at least one
};

struct History {
  std::vector<std::shared_ptr<const Track>> tracks;  // by machine and name
  ProcessOwners owners{};
  std::size_t memory = 0;  // in bytes
  std::size_t budget = 0;  // that it may have

  // From the oldest sample to the newest one.
  std::chrono::steady_clock::duration reach() const {
    if (tracks.empty()) return {};
    const auto first = [](const auto& track) { return track->chunks.front()->first.steady; };
    const auto last = [](const auto& track) { return track->chunks.back()->last.steady; };
    return std::ranges::max(tracks | std::views::transform(last)) -
           std::ranges::min(tracks | std::views::transform(first));
  }

  // Null if there is none of that name.
  const Track* track(std::string_view name, std::string_view machine = {}) const {
    for (const auto& track : tracks)
      if (track->name == name && track->machine == machine) return track.get();
    return nullptr;
  }
};

}  // namespace winperf::recorder
