// Builds perfmon's binary logs for tests: records in the parts, events and buffers that hold them.
//
//   const BuiltLog log = BlgBuilder()
//                            .record(34, sample_bytes({{.kind = 5, .body = block}}))
//                            .build();
//   log.bytes                 the file: a buffer with a foreign event, then those of the records
//   log.events[0]             where the first record's first event begins
//   log.text()                the same for a stream
//
// Events that do not fit into what is left of a buffer begin the next one.
// Source: docs/blg.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/block_builder.h"

namespace winperf::testing {

struct BuiltLog {
  ByteVector bytes;
  std::vector<std::size_t> events;  // offsets, without the foreign ones

  std::string text() const;
  // Copies with one field changed.
  BuiltLog with(std::size_t offset, std::uint32_t value) const;
  BuiltLog with_byte(std::size_t offset, std::uint8_t value) const;
  BuiltLog cut_to(std::size_t size) const;
};

// One event of the performance library.
struct PartSpec {
  std::uint8_t type = 34;
  std::uint64_t time = 0;
  std::uint32_t part = 1;
  std::uint32_t parts = 1;
  ByteVector piece{};
};

// Daylight time is from March to October, an hour off.
struct TraceHeaderSpec {
  std::int32_t bias = 0;  // minutes
  std::uint32_t pointer_bytes = 8;
  bool circular = false;
};

class BlgBuilder {
 public:
  explicit BlgBuilder(std::uint32_t buffer_bytes = 1024) : buffer_bytes_(buffer_bytes) {}

  // The time of the next record; each gets one a second later than the one before.
  BlgBuilder& at(std::uint64_t local_100ns);
  // In parts of so many bytes.
  BlgBuilder& record(std::uint8_t type, const ByteVector& bytes, std::size_t part_bytes = 400);
  BlgBuilder& part(const PartSpec& spec);
  // An event of somebody else, with a header that keeps its size elsewhere.
  BlgBuilder& system_event();
  // The system's first event, which tells the time zone.
  BlgBuilder& trace_header(const TraceHeaderSpec& spec);
  // What follows begins a new buffer.
  BlgBuilder& new_buffer();

  BuiltLog build() const;

 private:
  struct Event {
    ByteVector bytes;
    bool foreign = false;
    bool begins_buffer = false;
  };

  std::uint32_t buffer_bytes_;
  std::uint64_t next_time_ = 128'315'796'386'590'000;
  std::vector<Event> events_;
  bool new_buffer_ = true;
};

struct ItemSpec {
  std::uint8_t kind = 5;
  ByteVector body{};
};
ByteVector sample_bytes(const std::vector<ItemSpec>& items);

struct RawSpec {
  std::uint32_t status = 0;
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};
ByteVector counter_body(const RawSpec& value, std::uint64_t time, std::uint32_t multi_count);

struct InstanceValueSpec {
  std::u16string name;
  RawSpec value;
};
// Offsets of names count from the names, or from the start of the body.
ByteVector instances_body(const std::vector<InstanceValueSpec>& instances, std::uint64_t time,
                          bool offsets_from_body = false);

struct ListedCounter {
  std::u16string machine = u"\\\\HOST-01";
  std::u16string object{};
  std::optional<std::u16string> instance{};
  std::u16string counter = u"*";
  std::optional<std::u16string> parent{};
  std::uint32_t wildcard = 16;
  std::uint32_t type = 16;
  std::uint64_t time_base = 0;
  std::int32_t default_scale = 0;
};
ByteVector counter_list_bytes(const std::vector<ListedCounter>& counters);

// The machine, then the strings, each with its NUL.
ByteVector name_record_bytes(std::u16string_view machine,
                             const std::vector<std::u16string_view>& texts);

}  // namespace winperf::testing
