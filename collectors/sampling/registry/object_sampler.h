// From one reply of a source to the samples of the objects in it.
//
// Holds what has to be remembered between replies, a tracker an object. A block that cannot be
// parsed, or an object that is corrupt, costs itself alone and is reported.
// Thread rule: one thread.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "collectors/catalog/catalog.h"
#include "collectors/model/sample.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/registry/logged_tracker.h"
#include "collectors/sampling/registry/v1_tracker.h"
#include "collectors/sources/source.h"

namespace winperf {

class ObjectSampler {
 public:
  explicit ObjectSampler(Selection selection = {}) : selection_(std::move(selection)) {}

  // The objects whose index is in `wanted` (all of them where it is empty), in the order of the
  // reply. Objects that carry only metadata have no values and are left out. Problems are appended.
  // `catalog_generation` tells when names have to be looked up again.
  std::vector<std::shared_ptr<const CountersetSample>> take(const Reply& reply,
                                                            const Catalog& catalog,
                                                            std::uint64_t catalog_generation,
                                                            std::span<const ObjectIndex> wanted,
                                                            std::vector<Error>& problems);

 private:
  Selection selection_;
  std::map<ObjectIndex, V1Tracker> trackers_;
  std::map<ObjectIndex, LoggedTracker> logged_trackers_;
};

}  // namespace winperf
