// Recorded buffers that wait for the end of a capture, because a name that is first found in the
// last one may also occur in the first. Thread rule: one thread.
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
  // `file`: its name in the store.
  void add(std::string file, BufferKind kind, Bytes bytes);
  std::uint64_t bytes() const { return bytes_; }

  // Learns names from all of them, then scrubs and stores them; none is held afterwards. `note`
  // gets a sentence for each part that can't be parsed and for each buffer that is left out.
  // Errors: those of the store.
  [[nodiscard]] std::expected<void, std::string> store(
      Scrubber& scrubber, Store& store, const std::function<void(std::string)>& note);

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
