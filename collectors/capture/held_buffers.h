// Recorded buffers that wait for the end of a capture, because a name that is first met in the last
// one may stand in the first. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <vector>

#include "collectors/capture/name_places.h"
#include "collectors/capture/scrubber.h"
#include "collectors/capture/store.h"
#include "collectors/sources/source.h"

namespace winperf::capture {

enum class BufferKind { kBlock, kV2Data };

class HeldBuffers {
 public:
  // `file`: the name it gets in the store.
  void add(std::string file, BufferKind kind, Bytes bytes);
  std::uint64_t bytes() const { return bytes_; }

  // Learns from all of them, then scrubs and stores them; holds none afterwards. `note` gets a
  // sentence for each part that can't be followed and for each buffer that is left out.
  // Errors: the store's.
  std::expected<void, std::string> store(Scrubber& scrubber, Store& store,
                                         const std::function<void(std::string)>& note);

 private:
  struct Held {
    std::string file;
    BufferKind kind;
    Bytes bytes;
  };
  std::vector<Held> all_;
  std::uint64_t bytes_ = 0;
};

}  // namespace winperf::capture
