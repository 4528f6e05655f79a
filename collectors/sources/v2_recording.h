// The V2 countersets of a recording, whatever its form: a capture or a log. collectors/capture
// makes PerfLib's functions of it (replay_perflib.h), which know the shapes of the bytes.
// Errors: what the recording doesn't have or can't read; nobody has checked the bytes.
// Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <expected>

#include "collectors/model/error.h"
#include "collectors/model/guid.h"
#include "collectors/sources/perflib_api.h"
#include "collectors/sources/source.h"

namespace winperf {

class V2Recording {
 public:
  V2Recording() = default;
  V2Recording(const V2Recording&) = delete;
  V2Recording& operator=(const V2Recording&) = delete;
  virtual ~V2Recording() = default;

  virtual std::uint32_t samples() const = 0;
  // The GUIDs of the countersets, 16 bytes each.
  [[nodiscard]] virtual std::expected<Bytes, Error> countersets() = 0;
  // What PerfQueryCounterInfo returned: which counterset each result of a reply is for.
  [[nodiscard]] virtual std::expected<Bytes, Error> order() = 0;
  // What PerfQueryCounterSetRegistrationInfo returned.
  [[nodiscard]] virtual std::expected<Bytes, Error> registration(const Guid& counterset,
                                                                 RegistrationInfo info,
                                                                 std::uint32_t argument) = 0;
  // What PerfQueryCounterData returned for all of them in the n-th sample, counted from 0.
  [[nodiscard]] virtual std::expected<Bytes, Error> reply(std::uint32_t sample) = 0;
};

}  // namespace winperf
