// Converts the local times of a log's samples to UTC.
//
// Counters that are timed by the wall clock have a time in UTC beside their value. Its difference
// from the sample's local time, rounded to a quarter of an hour, is the sample's offset. A sample
// without such a counter takes the offset of the nearest sample before it or, failing that, after
// it. If no sample has one, the time zone in the log's trace header is used; a log that was
// rewritten by relog may have the time zone of another machine there. Thread rule: one thread.
// Source: docs/blg.md, "Times".
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
