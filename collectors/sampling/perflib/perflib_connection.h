// The PerfLib path of one sampler: client, catalog, and the query handles.
//
// Countersets with the same interval share a handle, so that one call serves them all and none is
// asked more often than it wants. The list of countersets is read again every five minutes, since
// the system does not tell of changes, and at most once a minute when something was not found.
// Names that the system failed to give are asked for again after 5, 10, 20, ... seconds. Thread
// rule: one thread.
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

  // `names`: the language besides English in which countersets are named. `api` outlives the path.
  PerflibConnection(PerflibApi& api, std::u16string machine, const PerflibLimits& limits,
                    Language names, Time now);
  PerflibConnection(const PerflibConnection&) = delete;
  PerflibConnection& operator=(const PerflibConnection&) = delete;

  // Call once before each round of sampling.
  void begin_round(Time now);
  void report_unknown() { unknown_reported_ = true; }

  V2Catalog& catalog() { return catalog_; }
  // Met with the names of countersets since the last call.
  std::vector<Error> take_problems() { return catalog_.take_problems(); }
  // Why the list of countersets could not be read the last time.
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
  std::chrono::seconds names_delay_;  // from then until they are asked for again
};

}  // namespace winperf
