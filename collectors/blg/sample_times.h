// Makes the local times of a log's samples into UTC.
//
// Counters that are timed by the wall clock have their time in UTC beside their value: what is
// between that and the sample's own time, to the next quarter of an hour, holds for the sample, and
// for those that tell nothing of their own the nearest one before it, or after it. Where no sample
// tells, the time zone of the log's trace header does; a log that was written anew (relog) may have
// got that of another machine.
// Thread rule: one thread. Source: docs/blg.md, "Times".
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <vector>

#include "collectors/blg/time_zone.h"
#include "collectors/model/error.h"

namespace winperf::blg {

struct IndexedSample;

class SampleTimes {
 public:
  explicit SampleTimes(std::optional<TimeZone> zone) : zone_(zone) {}

  // What follows is about the n-th sample, which has this local time.
  void begin(std::size_t sample, std::uint64_t local_100ns);
  // A value of the sample was taken at this time.
  void note_utc(std::uint64_t time_100ns);

  // Sets the samples' times. Whether they are UTC.
  bool apply(std::span<std::expected<IndexedSample, Error>> samples) const;

 private:
  struct Time {
    std::uint64_t local_100ns = 0;
    std::optional<std::int64_t> offset;  // that the sample itself tells
  };

  std::optional<TimeZone> zone_;
  std::vector<Time> times_;  // by sample
};

}  // namespace winperf::blg
