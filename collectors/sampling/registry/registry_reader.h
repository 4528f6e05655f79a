// Reads one planned counterset from a CounterSource (the registry or a recording): finds the object
// that the name means, and queries it. PerflibReader does the same via PerfLib.
//
// A name may have several indices. The contents of a block decide which of them is meant. The
// reader keeps that one until it is no longer delivered, or until the catalog changes. Thread rule:
// one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/back_off.h"
#include "collectors/base/clock.h"
#include "collectors/base/stop.h"
#include "collectors/catalog/catalog.h"
#include "collectors/model/ids.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/registry/object_sampler.h"
#include "collectors/sources/source.h"

namespace winperf {

// One query for the objects of several countersets that are due together, by a list of them or, if
// that is everything, by the system's name for that. Each provider is called once, however many of
// its objects are queried; those without an object list are called for every query.
//
// Only sound replies are shared: if the query fails, or any part of the reply is corrupt, there is
// no shared reply. Each reader then queries its own object, which costs the others only time and
// shows the culprit. For a while afterwards these objects are not queried together, at first for a
// minute, then longer each time. Thread rule: one thread.
class SharedReply {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::minutes kFirstRest{1};
  static constexpr std::chrono::minutes kLastRest{60};

  // A reader's part of it.
  struct Part {
    const Reply& reply;                          // with other objects, too
    std::uint64_t bytes = 0;                     // of the objects that were asked for
    std::chrono::steady_clock::duration took{};  // of the whole query
    Instant at{};                                // when it was over
  };

  // Queries these objects together, unless there are fewer than two, or that failed recently.
  // `value_name`: of a reply that has them all, and perhaps others; empty: their list. Returns why
  // there is no reply if there should be one: the query's error, the first corrupt part of the
  // reply, or kDuplicateObject.
  std::optional<Error> fetch(CounterSource& source, std::span<const ObjectIndex> objects,
                             std::string_view value_name, const ClockSource& clocks,
                             StopToken stop);
  // Forgets the reply, whose memory the source may use again.
  void give_back(CounterSource& source);

  bool is_there() const { return at_.has_value(); }
  // Nothing if one of these objects is missing without a reason.
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

class RegistryReader {
 public:
  explicit RegistryReader(const PlannedCounterset& planned) : sampler_(planned.selection) {
    if (planned.object) found_.push_back(*planned.object);
  }

  // The object called `name`, from `shared` if it is there (may be null). The error is kNoSuchName
  // if the catalog has no such name, and kNoSuchObject if no provider delivers the object.
  [[nodiscard]] ReadResult read(CounterSource& source, CatalogKeeper& catalog,
                                std::string_view name, StopToken stop,
                                const SharedReply* shared = nullptr);

  // What read() can take from a shared reply; nothing while the object is unresolved and not in the
  // plan, and if a provider delivers the object only to separate queries.
  std::span<const ObjectIndex> shareable(const CatalogKeeper& catalog) const;

 private:
  std::span<const ObjectIndex> known(const CatalogKeeper& catalog) const;
  void resolve(std::vector<ObjectIndex> object, std::string_view name,
               const CatalogKeeper& catalog);
  [[nodiscard]] ReadResult query(CounterSource& source, CatalogKeeper& catalog,
                                 const std::vector<ObjectIndex>& candidates, StopToken stop);
  [[nodiscard]] ReadResult take(const Reply& reply, std::uint64_t bytes, CounterSource& source,
                                CatalogKeeper& catalog, const std::vector<ObjectIndex>& candidates);

  ObjectSampler sampler_;
  SampledObjects objects_;             // empty; kept for its memory
  std::vector<ObjectIndex> found_;     // by discovery; empty after the first read()
  std::vector<ObjectIndex> resolved_;  // one index; empty while it isn't known
  std::string resolved_name_;
  std::uint64_t resolved_generation_ = 0;
  bool is_left_out_ = false;  // of replies to queries for several objects
};

}  // namespace winperf
