// Collects one planned counterset: finds out which object of this machine it is, queries it, and
// keeps its state.
//
// A name may stand for several indices, and several names may be given as alternatives. Which one
// is meant is decided by what a block really holds: the first alternative of which any candidate
// index is delivered. It is kept until it is no longer delivered or the catalog changes. Thread
// rule: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "collectors/model/sample.h"
#include "collectors/sampling/catalog_keeper.h"
#include "collectors/sampling/clock_source.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/reply_sampler.h"
#include "collectors/sources/source.h"

namespace winperf {

class CountersetCollector {
 public:
  explicit CountersetCollector(PlannedCounterset planned);

  // One attempt. The outcome is in state(); problems of the data are appended to `problems`.
  void collect(CounterSource& source, CatalogKeeper& catalog, const ClockSource& clocks,
               std::vector<Error>& problems, std::stop_token stop);

  void count_skipped_ticks(std::uint64_t ticks) { state_.skipped_ticks += ticks; }
  const CountersetState& state() const { return state_; }

 private:
  using Collected = std::expected<std::shared_ptr<const CountersetSample>, Error>;

  Collected collect_resolved(CounterSource& source, CatalogKeeper& catalog,
                             std::vector<Error>& problems, std::stop_token stop);
  Collected query(CounterSource& source, CatalogKeeper& catalog,
                  const std::vector<ObjectIndex>& candidates, std::vector<Error>& problems,
                  std::stop_token stop);

  PlannedCounterset planned_;
  ReplySampler sampler_;
  std::vector<ObjectIndex> resolved_;  // one index; empty while not known
  std::uint64_t resolved_generation_ = 0;
  CountersetState state_;
};

}  // namespace winperf
