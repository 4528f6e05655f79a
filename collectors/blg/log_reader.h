// Reads a log record by record, one buffer at a time.
//
// Validated: the stream begins with a buffer; the size of each buffer, and how much of it is
// filled. An unsound buffer is an Error and costs only itself, because all buffers have the same
// size, which leads to the next one. A log may end within a buffer, which is an Error that costs
// only the missing bytes, or at a header of zero bytes. Memory: one buffer and one record, neither
// of them larger than what the stream holds. Thread rule: one thread at a time. Source:
// docs/blg.md.
#pragma once

#include <cstdint>
#include <deque>
#include <expected>
#include <istream>
#include <optional>
#include <vector>

#include "collectors/blg/event_walk.h"
#include "collectors/blg/record_joiner.h"

namespace winperf::blg {

class LogReader {
 public:
  // The error says why this is not a log. `log` must be seekable and outlive the reader.
  [[nodiscard]] static std::expected<LogReader, Error> open(std::istream& log);

  // The next record, or what is wrong in its place; empty after the last one.
  std::optional<JoinedRecord> next();
  // Goes on with the record that begins there.
  void seek(const Place& place);

  // The first bytes of the log, fewer if it is shorter.
  std::vector<std::byte> head(std::uint64_t length) { return read(/*offset=*/0, length); }

  // Events of other providers among those that were read.
  std::uint64_t foreign_events() const { return foreign_events_ + events_.foreign_events(); }

 private:
  explicit LogReader(std::istream& log) : log_(&log) {}

  // Bytes of the stream, fewer at its end.
  std::vector<std::byte> read(std::uint64_t offset, std::uint64_t length);
  // Begins to walk the events of the buffer at next_buffer_, which moves on.
  void read_buffer(std::uint64_t first_event);
  void report(ErrorCode code, std::uint64_t actual, std::uint64_t limit);

  std::istream* log_;
  std::uint64_t log_bytes_ = 0;
  std::uint32_t buffer_bytes_ = 0;  // of every buffer
  std::uint64_t next_buffer_ = 0;   // offsets in the stream
  std::uint64_t this_buffer_ = 0;
  bool over_ = false;
  std::vector<std::byte> buffer_;  // walked by events_
  EventWalk events_;
  std::uint64_t foreign_events_ = 0;
  RecordJoiner joiner_;
  std::deque<JoinedRecord> ready_;
};

}  // namespace winperf::blg
