// The time zone in a log's trace header, which converts the log's local times to UTC.
//
// Validated: the trace header exists and is complete. Thread rule: values.
// Source: evntrace.h (TRACE_LOGFILE_HEADER) and timezoneapi.h (TIME_ZONE_INFORMATION); docs/blg.md,
// "Times".
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

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

// `bytes`: the first ones of a log. Empty if they don't begin with a trace header.
std::optional<TimeZone> read_time_zone(std::span<const std::byte> bytes);

// What has to be added to a local FILETIME to convert it to UTC, in the same unit.
std::int64_t utc_offset(const TimeZone& zone, std::uint64_t local_100ns);

}  // namespace winperf::blg
