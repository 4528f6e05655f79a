// Reads a log record by record, one buffer at a time.
//
// Validated: the stream begins with a buffer; the size of each buffer, and how much of it is
// filled. An unsound buffer is an Error and costs only itself, because all buffers have the same
// size, which leads to the next one. A log may end within a buffer, which is an Error that costs
// only the missing bytes, or with buffers whose headers are zero bytes; if others follow those,
// they are an Error. The records of a circular log that has wrapped begin in the middle of the
// file, and those at its beginning continue those at its end (start_at). Memory: one buffer and one
// record, neither of them larger than what the stream holds. Thread rule: one thread at a time.
// Source: docs/blg.md.
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

// Finds out whether the samples of a log begin in the middle of the file: a circular log that has
// reached its largest size goes on at its beginning, over its oldest samples. Then the file has two
// runs of samples, and the second one is older.
//
// Judged by the samples' local times: where they fall the most the second run begins, and the last
// sample isn't later than the first one. Clocks that were set back, as at the end of daylight time,
// fall less, and a single sample before the fall that is far from all others has a wrong time.
// Thread rule: one thread. Source: docs/blg.md, "Circular logs".
class SampleRuns {
 public:
  // A part of a sample, in the order of the file.
  void note(std::uint64_t local_100ns, const Place& place);

  // Where the older run begins, if there are two.
  std::optional<Place> oldest() const;

 private:
  std::optional<std::uint64_t> first_;
  std::uint64_t last_ = 0;
  std::uint64_t times_ = 0;  // different ones, one after the other
  std::uint64_t depth_ = 0;  // of the deepest fall; 0: there is none
  std::uint64_t before_fall_ = 0;
  std::uint64_t second_ = 0;  // the time after it
  Place fall_;
};

class LogReader {
 public:
  // The error says why this is not a log. `log` must be seekable and outlive the reader.
  [[nodiscard]] static std::expected<LogReader, Error> open(std::istream& log);

  // The next record, or what is wrong in its place; empty after the last one.
  std::optional<JoinedRecord> next();
  // Goes on with the record that begins there.
  void seek(const Place& place);

  // From now on the log begins with the event there: after the last buffer of the file it goes on
  // with the first one.
  void start_at(const Place& oldest);
  // The older run of samples, as far as they were read in the order of the file (SampleRuns).
  std::optional<Place> oldest_run() const { return runs_.oldest(); }

  // The first bytes of the log, fewer if it is shorter.
  std::vector<std::byte> head(std::uint64_t length) { return read(/*offset=*/0, length); }

  // The system's events among those that were read.
  std::uint64_t foreign_events() const { return foreign_events_ + events_.foreign_events(); }

 private:
  explicit LogReader(std::istream& log) : log_(&log) {}

  // Bytes of the stream, fewer at its end.
  std::vector<std::byte> read(std::uint64_t offset, std::uint64_t length);
  // Begins to walk the events of the buffer at next_buffer_, which moves on.
  void read_buffer(std::uint64_t first_event);
  // The same for the buffer that comes next, if there is one.
  void read_next_buffer();
  // `header` is too short for one, or zero bytes.
  void pass_gap(const std::vector<std::byte>& header);
  // Where the first header that isn't zero bytes is, from next_buffer_ on.
  std::optional<std::uint64_t> find_buffer();
  void report(ErrorCode code, std::uint64_t actual, std::uint64_t limit);

  std::istream* log_;
  std::uint64_t log_bytes_ = 0;
  std::uint32_t buffer_bytes_ = 0;  // of every buffer
  std::uint64_t next_buffer_ = 0;   // offsets in the stream
  std::uint64_t this_buffer_ = 0;
  bool over_ = false;
  std::optional<Place> oldest_;    // if the log begins in the middle of the file
  bool went_around_ = false;       // what follows is at the beginning of the file
  std::vector<std::byte> buffer_;  // walked by events_
  EventWalk events_;
  std::uint64_t foreign_events_ = 0;
  RecordJoiner joiner_;
  SampleRuns runs_;
  std::deque<JoinedRecord> ready_;
};

}  // namespace winperf::blg
