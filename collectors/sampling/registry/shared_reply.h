// One query for the objects of several countersets that are due together. The system calls the same
// providers for it as for one of them, so it costs little more than that one.
//
// Nothing that is wrong is shared: if the query fails, or any part of the reply is corrupt, there
// is no shared reply. Each reader then queries its own object, which costs the others nothing but
// time and shows whose fault it is. For a while afterwards nothing is queried together, at first a
// minute, then longer each time. Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/model/ids.h"
#include "collectors/sources/clock_source.h"
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
  };

  // Queries these objects together, unless there are fewer than two, or the last such query failed
  // not long ago.
  void fetch(CounterSource& source, std::span<const ObjectIndex> objects, const ClockSource& clocks,
             StopToken stop);
  void clear();

  // Nothing if one of these objects isn't in it.
  [[nodiscard]] std::optional<Part> part(std::span<const ObjectIndex> objects) const;

 private:
  // Whether every part of the reply is sound; its objects are listed then.
  bool list_objects(const Reply& reply);

  Reply reply_;
  std::map<ObjectIndex, std::uint64_t> sizes_;  // of its objects with values, in bytes
  std::chrono::steady_clock::duration took_{};
  std::chrono::minutes rest_ = kFirstRest;  // after the next failure
  Time not_before_ = Time::min();
};

}  // namespace winperf
