// Turns one reply of a source, raw bytes or logged values, into samples of the objects in it. One
// tracker per object keeps what it needs from one reply to the next. RegistryReader sits above
// this: it finds out which object a name means, and queries the source.
//
// A block that can't be parsed, or a corrupt object, costs only itself and is reported.
// Thread rule: one thread.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "collectors/catalog/catalog.h"
#include "collectors/model/sample.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/reading.h"
#include "collectors/sampling/registry/logged_tracker.h"
#include "collectors/sampling/registry/v1_tracker.h"
#include "collectors/sources/source.h"

namespace winperf {

struct SampledObjects {
  std::vector<std::shared_ptr<const CountersetSample>> samples;  // in the order of the reply
  std::vector<Error> problems;

  void add(ReadResult object);
};

class ObjectSampler {
 public:
  explicit ObjectSampler(Selection selection = {}) : selection_(std::move(selection)) {}

  // The objects whose index is in `wanted`, all of them if it is empty. Objects that carry only
  // metadata have no values and are left out. Names are looked up again if `catalog_generation`
  // has changed.
  [[nodiscard]] SampledObjects take(const Reply& reply, const Catalog& catalog,
                                    std::uint64_t catalog_generation,
                                    std::span<const ObjectIndex> wanted);

 private:
  Selection selection_;
  std::map<ObjectIndex, V1Tracker> trackers_;
  std::map<ObjectIndex, LoggedTracker> logged_trackers_;
};

}  // namespace winperf
