// What the program needs to know about a log before it can replay the samples: where they are, when
// they were taken, what their items mean, the machines' names for their objects, and what V2
// providers have registered.
//
// One walk over the whole log collects it; two if the counter list comes after samples, or a
// circular log has wrapped. Validated: what LogReader, ItemWalk and the readers of
// the records validate; the summary counts what is unsound. A damaged sample is an error in its
// place; a damaged item only loses its values.
// Memory: 80 bytes per sample, and the counter lists, name tables and registrations, which the
// limits below bound. Thread rule: values. Source: docs/blg.md.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <vector>

#include "collectors/blg/log_layout.h"
#include "collectors/blg/log_reader.h"
#include "collectors/blg/log_summary.h"
#include "collectors/model/clock.h"
#include "collectors/sources/source.h"

namespace winperf::blg {

// One sample per second for 48 days.
inline constexpr std::size_t kMaxLogSamples = std::size_t{1} << 22;
inline constexpr std::size_t kMaxListedCounters = std::size_t{1} << 18;
// Each machine is a source of its own, which is queried for every counterset.
inline constexpr std::size_t kMaxMachines = 64;
inline constexpr std::size_t kMaxNameTableBytes = std::size_t{64} << 20;  // of all machines
inline constexpr std::size_t kMaxRegistrationBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMaxRegistrations = 4096;

struct IndexedSample {
  Place place;
  std::size_t layout = 0;  // in LogIndex::layouts
  Ticks100ns time{};       // UTC, if the time zone is known
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
