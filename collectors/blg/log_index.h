// The index of a log, which is needed to replay its samples: their places, times and the meaning of
// their items, the machines' name tables, and the registrations of V2 providers.
//
// One walk over the whole log collects it; two if the counter list comes after samples, or a
// circular log has wrapped. Validated: what LogReader, ItemWalk and the readers of
// the records validate; the summary counts what is unsound. A damaged sample is an error in its
// place; a damaged item only loses its values.
// Memory: 80 bytes per sample, and the counter lists, name tables and registrations, which the
// limits below bound. Thread rule: values. Source: docs/blg.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectors/blg/log_layout.h"
#include "collectors/blg/log_reader.h"
#include "collectors/blg/log_summary.h"
#include "collectors/model/clock.h"
#include "collectors/model/error.h"
#include "collectors/sources/source.h"

namespace winperf::blg {

// One sample per second for 48 days.
inline constexpr std::size_t kMaxLogSamples = std::size_t{1} << 22;
inline constexpr std::size_t kMaxListedCounters = std::size_t{1} << 18;
// Each machine is a separate source, which is queried for every counterset.
inline constexpr std::size_t kMaxMachines = 64;
inline constexpr std::size_t kMaxNameTableBytes = std::size_t{64} << 20;  // of all machines
inline constexpr std::size_t kMaxRegistrationBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMaxRegistrations = 4096;

struct IndexedSample {
  Place place;
  std::size_t layout = 0;  // in LogIndex::layouts
  Ticks100ns time{};       // UTC, if the time zone is known
};

// Converts the local times of a log's samples to UTC.
//
// Counters that are timed by the wall clock have a time in UTC in addition to their value. Its
// difference from the sample's local time, rounded to a quarter of an hour, is the sample's offset.
// A sample without such a counter takes the offset of the nearest sample before it or, failing
// that, after it. If no sample has one, the time zone in the log's trace header is used; a log that
// was rewritten by relog may have the time zone of another machine there. Thread rule: one thread.
// Source: docs/blg.md, "Times".
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

struct LogIndex {
  std::vector<std::expected<IndexedSample, Error>> samples;
  std::vector<LogLayout> layouts;     // the first one is for samples before any list
  std::vector<std::string> machines;  // at least one, which may have no name
  std::vector<Bytes> names;           // each machine's name table, without the closing NUL
  std::vector<RegistrationRecord> countersets;  // of the first machine
  LogSummary summary;
};

LogIndex index_log(LogReader& log);

}  // namespace winperf::blg
