// What one sampler needs of one machine's PerfLib: the client, the catalog of V2 countersets, and a
// session (a query handle) per interval. PerflibReader reads countersets through it.
//
// Countersets with the same interval share a session, so that one call serves them all and none is
// collected more often than configured. The list of countersets is read again every five minutes,
// since the system doesn't report changes, and at most once a minute when something wasn't found.
// Names that the system failed to give are requested again after 5, 10, 20, ... seconds.
// Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectors/catalog/v2_catalog.h"
#include "collectors/sampling/perflib/perflib_session.h"
#include "collectors/sources/perflib_client.h"
#include "collectors/sources/source.h"

namespace winperf {

class PerflibConnection {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Interval = std::chrono::milliseconds;

  // `names`: the language, besides English, in which countersets are looked up. `api` outlives the
  // connection.
  PerflibConnection(PerflibApi& api, std::u16string machine, const PerflibLimits& limits,
                    Language names, Time now);
  PerflibConnection(const PerflibConnection&) = delete;
  PerflibConnection& operator=(const PerflibConnection&) = delete;

  // To be called before each round of sampling.
  void begin_round(Time now);
  // A counterset wasn't found, or its data didn't fit its registration.
  void report_unknown() { unknown_reported_ = true; }

  V2Catalog& catalog() { return catalog_; }
  // Problems with the names of countersets since the last call.
  std::vector<Error> take_problems() { return catalog_.take_problems(); }
  // Why the list of countersets couldn't be read the last time.
  const std::optional<Error>& catalog_error() const { return catalog_error_; }
  PerflibSession& session(Interval interval);
  // Closes the query handles.
  void release() { sessions_.clear(); }

 private:
  void refresh(Time now);
  void retry_names(Time now);

  PerflibClient client_;
  V2Catalog catalog_;
  std::optional<Error> catalog_error_;
  std::map<Interval, PerflibSession> sessions_;
  bool unknown_reported_ = false;
  Time refreshed_at_;
  Time names_asked_at_;
  std::chrono::seconds names_delay_;  // from names_asked_at_ to the next attempt
};

}  // namespace winperf
