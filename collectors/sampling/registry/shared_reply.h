// One query for the objects of several countersets that are due together, by a list of them or, if
// that is everything, by the system's name for that. Each provider is called once for it, however
// many of its objects are queried; those that don't say which objects they have are called for
// every query.
//
// Nothing that is wrong is shared: if the query fails, or any part of the reply is corrupt, there
// is no shared reply. Each reader then queries its own object, which costs the others nothing but
// time and shows whose fault it is. For a while afterwards these objects are not queried together,
// at first for a minute, then longer each time. Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "collectors/base/back_off.h"
#include "collectors/base/clock.h"
#include "collectors/base/stop.h"
#include "collectors/model/ids.h"
#include "collectors/sources/source.h"

namespace winperf {

class SharedReply {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::minutes kFirstRest{1};
  static constexpr std::chrono::minutes kLastRest{60};

  // What a reader gets of it.
  struct Part {
    const Reply& reply;                          // with other objects, too
    std::uint64_t bytes = 0;                     // of the objects that were asked for
    std::chrono::steady_clock::duration took{};  // of the whole query
    Instant at{};                                // when it was over
  };

  // Queries these objects together, unless there are fewer than two, or that failed not long ago.
  // `value_name`: of a reply that has them all, and perhaps others; empty: their list.
  // Returns why there is no reply if there should be one: the query's error, the first corrupt part
  // of the reply, or kDuplicateObject.
  std::optional<Error> fetch(CounterSource& source, std::span<const ObjectIndex> objects,
                             std::string_view value_name, const ClockSource& clocks,
                             StopToken stop);
  // Forgets the reply, whose memory the source may use again.
  void give_back(CounterSource& source);

  bool is_there() const { return at_.has_value(); }
  // Nothing if one of these objects isn't in it, and nobody knows why.
  [[nodiscard]] std::optional<Part> part(std::span<const ObjectIndex> objects) const;

 private:
  // Whether a query for these objects would be the one that failed, or more.
  bool has_failed_with(std::span<const ObjectIndex> objects) const;

  Reply reply_;
  std::chrono::steady_clock::duration took_{};
  std::optional<Instant> at_;

  std::vector<ObjectIndex> failed_;  // the objects of the last query that failed
  BackOff rest_{kFirstRest, kLastRest};
  Time not_before_;
};

}  // namespace winperf
