// Joins the parts of records, which follow one another in the log.
//
// A record is lost if a part of it is missing, duplicate or out of order, or if it is larger than
// kMaxRecord. It gives one Error, and its other parts are skipped. All parts of a record have the
// same type, time and number of parts; a part at the right place and time with another type or
// number is damaged. Memory: the bytes of the parts that were read; no allocation
// depends on the number of parts. Thread rule: one thread at a time. Source: docs/blg.md,
// "Records".
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <optional>
#include <vector>

#include "collectors/blg/event_walk.h"
#include "collectors/model/error.h"

namespace winperf::blg {

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
  // What all parts of a record have in common.
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
  void drop(const Part& part, ErrorCode code, const char* where, std::uint64_t actual,
            std::uint64_t limit, std::deque<JoinedRecord>& out);

  std::optional<Joining> joining_;
  std::optional<RecordKey> lost_;  // the last record that was lost; its other parts may follow
};

}  // namespace winperf::blg
