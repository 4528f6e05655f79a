// Which instances had most of a counter over a time, whether or not they still live.
//
// The value of an instance is cooked over the longest part of its life within the time that nothing
// interrupts, so it is no average of averages; its times are in the answer. Instances are ordered
// by what they contributed to the time: the value, times the share of the time that this part
// takes. Of gauges, the highest value counts. Left out, unless a query has no rivals, are instances
// that add up others, and the idle process, which has what the others leave.
// Thread rule: pure function.
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <string>
#include <vector>

#include "collectors/recorder/history.h"

namespace winperf::recorder {

struct LeaderQuery {
  std::string counter;  // its name
  Ticks100ns since;     // by the wall clock
  Ticks100ns until;
  std::size_t count = 10;
  std::function<bool(const InstanceSchema&)> instances{};  // empty: all
  bool has_rivals = true;  // false: an instance is asked for by its name
};

struct Leader {
  InstanceSchema instance;  // as it was at its end
  Instant from;             // of the samples between which the value is
  Instant to;
  bool was_born = false;   // within the time
  bool has_ended = false;  // within the time
  double value = 0;
  double weight = 0;  // by which leaders are ordered
};

[[nodiscard]] std::expected<std::vector<Leader>, Error> leaders(const Track& track,
                                                                const LeaderQuery& query);

}  // namespace winperf::recorder
