// Reads a log record by record, one buffer at a time.
//
// Validated: the stream begins with a buffer; the size of each buffer, and how much of it is
// filled. An unsound buffer is an Error and doesn't affect others, because all buffers have the
// same size. A log may end within a buffer, which is an Error that costs only the missing bytes, or
// with buffers whose headers are zero bytes; if others follow those, they are an Error. The records
// of a circular log that has wrapped begin in the middle of the file, and those at its beginning
// continue those at its end (start_at). Memory: one buffer and one record, neither of them larger
// than what the stream holds. Thread rule: one thread at a time. Source: docs/blg.md.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <istream>
#include <optional>
#include <span>
#include <vector>

#include "collectors/model/error.h"
#include "collectors/wire/byte_view.h"

namespace winperf::blg {

// When standard or daylight time begins, on the clock of the time that ends then.
struct Changeover {
  std::uint16_t year = 0;     // 0: every year, on the day below
  std::uint16_t month = 0;    // 0: never
  std::uint16_t weekday = 0;  // 0 is Sunday
  std::uint16_t day = 0;  // the n-th in the month, 5 for the last; in a given year the day itself
  std::chrono::milliseconds time{0};  // of the day
};

struct TimeZone {
  std::chrono::minutes bias{0};           // UTC minus local time
  std::chrono::minutes standard_bias{0};  // added to it
  std::chrono::minutes daylight_bias{0};
  Changeover standard{};
  Changeover daylight{};
};

// What has to be added to a local FILETIME to convert it to UTC, in the same unit.
std::int64_t utc_offset(const TimeZone& zone, std::uint64_t local_100ns);

// The trace header: the first event of a log, which the system writes about the log itself.
//
// Validated: the event is the trace header, and its pointers have a size that exists. Thread rule:
// values. Source: evntrace.h, TRACE_LOGFILE_HEADER, EVENT_TRACE_FILE_MODE_CIRCULAR; timezoneapi.h,
// TIME_ZONE_INFORMATION; docs/blg.md, "Times".
struct TraceHeader {
  bool is_circular = false;        // the log wraps to its beginning at its maximum size
  std::optional<TimeZone> zone{};  // of the log's local times; nothing if it isn't complete
};

// `bytes`: the first ones of a log, kTraceHeaderBytes of them if it has as many.
std::optional<TraceHeader> read_trace_header(std::span<const std::byte> bytes);

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

// Walks the performance library's events in one buffer of a log.
//
// Validated: each event lies within the filled part of its buffer, and a piece within its event.
// Not validated: part numbers (RecordJoiner does that) and pieces. The system's own events are
// passed over. An event that is neither of the performance library nor of the system, has an
// impossible size, or a size that includes the next event is an Error; the walk continues with the
// next event of the performance library, which is recognised by its header. Offsets of errors are
// offsets in the file, if the view of the buffer has its offset there. Lifetime: not longer than
// the bytes. Thread rule: one thread at a time. Source: docs/blg.md, "Buffers and events".
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

// Joins the parts of records, which follow one another in the log.
//
// A record is lost if a part of it is missing, duplicate or out of order, or if it is larger than
// kMaxRecord. It gives one Error, and its other parts are skipped. All parts of a record have the
// same type, time and number of parts; a part at the right place and time with another type or
// number is damaged. Memory: the bytes of the parts that were read; no allocation
// depends on the number of parts. Thread rule: one thread at a time. Source: docs/blg.md,
// "Records".

// Where a record begins in the file: its buffer, and the event of its first part.
struct Place {
  std::uint64_t buffer = 0;
  std::uint64_t event = 0;
};

class Record {
 public:
  Record(const Part& first, std::uint64_t buffer)
      : type_(first.type), time_(first.time), place_{buffer, first.offset} {}

  std::uint8_t type() const { return type_; }
  // FILETIME, the machine's local time.
  std::uint64_t time() const { return time_; }
  const Place& place() const { return place_; }
  const std::vector<std::byte>& bytes() const { return bytes_; }

  void append(const ByteView& piece);
  // Turns the offset of an error in bytes() into the offset in the file.
  Error in_file(Error error) const;

 private:
  struct Piece {
    std::size_t start;          // in bytes_
    std::uint64_t file_offset;  // of the same byte
  };

  std::uint8_t type_;
  std::uint64_t time_;
  Place place_;
  std::vector<std::byte> bytes_;
  std::vector<Piece> pieces_;
};

// A record, or why there is none.
struct JoinedRecord {
  std::optional<std::uint8_t> type;  // also of a record that can't be joined; empty: not a record
  std::expected<Record, Error> record;
};

class RecordJoiner {
 public:
  void add(const Part& part, std::uint64_t buffer, std::deque<JoinedRecord>& out);
  // Call this when no part follows.
  void finish(std::deque<JoinedRecord>& out);

 private:
  // The properties that all parts of a record share.
  struct RecordKey {
    std::uint8_t type;
    std::uint64_t time;
    std::uint32_t parts;
    bool operator==(const RecordKey&) const = default;
  };
  struct Joining {
    RecordKey key;
    std::uint32_t next_part;
    std::optional<Record> record;  // empty once it was dropped
  };
  // Whether the part that comes next in a record has another type or number of parts.
  bool is_damaged_part(const Part& part) const {
    return joining_ && part.part == joining_->next_part && part.time == joining_->key.time;
  }

  void start(const Part& part, std::uint64_t buffer, std::deque<JoinedRecord>& out);
  void drop(std::uint64_t offset, ErrorCode code, const char* where, std::uint64_t actual,
            std::uint64_t limit, std::deque<JoinedRecord>& out);

  std::optional<Joining> joining_;
  std::optional<RecordKey> lost_;  // the last record that was lost; its other parts may follow
};

// Detects whether the samples of a log begin in the middle of the file: a circular log that has
// reached its maximum size wraps to its beginning, over its oldest samples. Then the file has two
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

  // The next record, or the error in its place; empty after the last one.
  std::optional<JoinedRecord> next();
  // Continues with the record that begins there.
  void seek(const Place& place);

  // From now on the log begins with the event there: after the last buffer of the file it continues
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
  void read(std::uint64_t offset, std::uint64_t length, std::vector<std::byte>& bytes);
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
  bool has_whole_buffer_ = false;  // as it is in the file at this_buffer_
  EventWalk events_;
  std::uint64_t foreign_events_ = 0;
  RecordJoiner joiner_;
  SampleRuns runs_;
  std::deque<JoinedRecord> ready_;
};

}  // namespace winperf::blg
