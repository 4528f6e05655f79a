// What the recorder remembers, as readers get it.
// Thread rule: immutable; any thread. A reader may keep it, which keeps its chunks in memory.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/recorder/chunk.h"

namespace winperf::recorder {

// One counterset: its chunks, the oldest first. The levels of chunks only fall.
struct Track {
  std::string machine;  // as in CountersetState
  std::string name;
  std::vector<std::shared_ptr<const Chunk>> chunks;
};

struct History {
  std::vector<std::shared_ptr<const Track>> tracks;  // by machine and name
  std::size_t memory = 0;                            // in bytes

  // Null if there is none of that name.
  const Track* track(std::string_view name, std::string_view machine = {}) const {
    for (const auto& track : tracks)
      if (track->name == name && track->machine == machine) return track.get();
    return nullptr;
  }
};

}  // namespace winperf::recorder
