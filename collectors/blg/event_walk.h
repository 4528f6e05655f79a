// Walks the performance library's events in one buffer of a log.
//
// Validated: each event lies within the filled part of its buffer, and a piece within its event.
// Not validated: part numbers (RecordJoiner does that) and pieces. The system's own events are
// passed over. An event that is neither of the performance library nor of the system, has an
// impossible size, or a size that includes the next event is an Error; the walk goes on with the
// next event of the performance library, which is recognised by its header.
// Offsets of errors are offsets in the file, if the view of the buffer has its offset there.
// Lifetime: not longer than the bytes. Thread rule: one thread at a time.
// Source: docs/blg.md, "Buffers and events".
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>

#include "collectors/wire/byte_view.h"

namespace winperf::blg {

// The trace header: the first event of a log, which the system writes about the log itself.
//
// Validated: the event is the trace header, and its pointers have a size that exists.
// Lifetime: not longer than the bytes. Thread rule: immutable.
// Source: evntrace.h, TRACE_LOGFILE_HEADER, EVENT_TRACE_FILE_MODE_CIRCULAR.
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

// One part of a record.
struct Part {
  std::uint8_t type = 0;   // RecordType, or an unknown type
  std::uint64_t time = 0;  // FILETIME, the machine's local time; the same for all parts of a record
  std::uint32_t part = 0;  // counted from 1
  std::uint32_t parts = 0;   // of the record
  std::uint64_t offset = 0;  // of the event
  ByteView piece;
};

class EventWalk {
 public:
  EventWalk() = default;
  // `buffer`: up to the end of the events. `first`: where in the buffer the walk begins.
  EventWalk(const ByteView& buffer, std::uint64_t first) : buffer_(buffer), at_(first) {}

  [[nodiscard]] std::optional<std::expected<Part, Error>> next();

  // The system's events, which were passed over.
  std::uint64_t foreign_events() const { return foreign_events_; }

 private:
  // The event at at_, which then moves past it; empty after the last event.
  [[nodiscard]] std::expected<std::optional<ByteView>, Error> next_event();
  // The event of the performance library at `start`, which at_ has passed.
  [[nodiscard]] std::expected<Part, Error> take(const ByteView& event, std::uint64_t start);
  // Where the first event of the performance library in a part of the buffer begins; `end` if there
  // is none.
  std::uint64_t find_event(std::uint64_t begin, std::uint64_t end) const;

  ByteView buffer_;
  std::uint64_t at_ = 0;
  std::uint64_t foreign_events_ = 0;
};

}  // namespace winperf::blg
