// The events of one buffer of a log, those of the performance library picked out.
//
// Validated: every event lies within the filled part of its buffer, and a piece within its event.
// Not validated: part numbers (RecordJoiner) and pieces. An event of which only the contents are
// unsound is an Error, and the walk goes on behind it; one whose size leads nowhere ends the walk.
// Offsets of errors are those of the bytes given, which start where the buffer does in the file.
// Lifetime: not longer than the bytes. Thread rule: one thread at a time.
// Source: docs/blg.md, "Buffers and events".
#pragma once

#include <cstdint>
#include <expected>
#include <optional>

#include "collectors/wire/byte_view.h"

namespace winperf::blg {

// One part of a record.
struct Part {
  std::uint8_t type = 0;   // RecordType, or one that is not known
  std::uint64_t time = 0;  // FILETIME, the local time of the machine; the same for a record's parts
  std::uint32_t part = 0;  // counted from 1
  std::uint32_t parts = 0;   // of the record
  std::uint64_t offset = 0;  // of the event
  ByteView piece;
};

class EventWalk {
 public:
  EventWalk() = default;
  // `buffer` ends where the events do. `first` is where the walk begins, from the start of it.
  EventWalk(const ByteView& buffer, std::uint64_t first) : buffer_(buffer), at_(first) {}

  std::optional<std::expected<Part, Error>> next();

  // Events of others that were walked over.
  std::uint64_t foreign_events() const { return foreign_events_; }

 private:
  // The event at at_, which moves behind it; nothing behind the last one.
  std::expected<std::optional<ByteView>, Error> next_event();

  ByteView buffer_;
  std::uint64_t at_ = 0;
  std::uint64_t foreign_events_ = 0;
};

}  // namespace winperf::blg
