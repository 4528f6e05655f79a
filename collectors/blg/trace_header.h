// The trace header: the first event of a log, which the system writes about the log itself.
//
// Validated: the event is the trace header, and its pointers have a size that exists.
// Lifetime: not longer than the bytes. Thread rule: immutable.
// Source: evntrace.h, TRACE_LOGFILE_HEADER, EVENT_TRACE_FILE_MODE_CIRCULAR.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "collectors/wire/byte_view.h"

namespace winperf::blg {

class TraceHeader {
 public:
  // `bytes`: the first ones of a log, kTraceHeaderBytes of them if it has as many.
  static std::optional<TraceHeader> find(std::span<const std::byte> bytes);

  // Whether the log goes on at its beginning when it has reached its largest size.
  bool is_circular() const;
  // TIME_ZONE_INFORMATION; empty if it isn't complete.
  std::optional<ByteView> time_zone() const;

 private:
  explicit TraceHeader(const ByteView& event) : event_(event) {}

  ByteView event_;
};

inline constexpr std::size_t kTraceHeaderBytes = 512;  // enough for the header

}  // namespace winperf::blg
