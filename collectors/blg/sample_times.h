// Converts the local times of a log's samples to UTC.
//
// Counters that are timed by the wall clock have a time in UTC beside their value. Its difference
// from the sample's local time, rounded to a quarter of an hour, is the sample's offset. A sample
// without such a counter takes the offset of the nearest sample before it or, failing that, after
// it. If no sample has one, the time zone in the log's trace header is used; a log that was
// rewritten by relog may have the time zone of another machine there. Thread rule: one thread.
// Source: docs/blg.md, "Times".
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <vector>

#include "collectors/model/error.h"

namespace winperf::blg {

// The time zone in a log's trace header, which converts the log's local times to UTC.
//
// Validated: the trace header exists and is complete. Thread rule: values.
// Source: evntrace.h (TRACE_LOGFILE_HEADER) and timezoneapi.h (TIME_ZONE_INFORMATION); docs/blg.md,
// "Times".

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

// `bytes`: the first ones of a log. Empty if they don't begin with a trace header.
std::optional<TimeZone> read_time_zone(std::span<const std::byte> bytes);

// What has to be added to a local FILETIME to convert it to UTC, in the same unit.
std::int64_t utc_offset(const TimeZone& zone, std::uint64_t local_100ns);

struct IndexedSample;

class SampleTimes {
 public:
  explicit SampleTimes(std::optional<TimeZone> zone) : zone_(zone) {}

  // Begins the n-th sample, which has this local time.
  void begin(std::size_t sample, std::uint64_t local_100ns);
  // A value of the current sample was taken at this time.
  void note_utc(std::uint64_t time_100ns);

  // Sets the samples' times. Returns whether all of them are UTC.
  bool apply(std::span<std::expected<IndexedSample, Error>> samples) const;

 private:
  struct Time {
    std::uint64_t local_100ns = 0;
    std::optional<std::int64_t> offset;  // from the sample's own values
  };

  std::optional<TimeZone> zone_;
  std::vector<Time> times_;  // by sample
};

}  // namespace winperf::blg
