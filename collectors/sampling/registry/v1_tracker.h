// Follows one object of V1 blocks from sample to sample: builds its schema once, reads its values,
// and has them matched and cooked (sample_chain.h). V2Tracker does the same for a V2 counterset,
// LoggedTracker for an object of a log of counters.
//
// If neither the definitions nor the instances have changed, a sample costs a walk over the bytes:
// it shares the schema and instance set of the previous one. A counter block that ends too early,
// or a counter of an odd size, costs only that cell, as a NoValue. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "collectors/catalog/catalog.h"
#include "collectors/model/sample.h"
#include "collectors/sampling/leading_instances.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/reading.h"
#include "collectors/sampling/registry/instance_reader.h"
#include "collectors/sampling/registry/object_layout.h"
#include "collectors/sampling/sample_chain.h"

namespace winperf {

class V1Tracker {
 public:
  // `block_clocks` are the block's; the object's own clock is added here. `parents` names the
  // parent instances of the same block. There is no sample if the object has only one counter
  // block and that is corrupt, or none of its instances can be read, or it has no counters.
  [[nodiscard]] ReadResult update(const ObjectView& object, Clocks block_clocks,
                                  const Catalog& catalog, std::uint64_t catalog_generation,
                                  ParentNames& parents, const Selection& selection);

 private:
  bool same_definitions(const ObjectView& object, std::uint64_t catalog_generation) const;

  std::vector<std::byte> definition_bytes_;  // of the object that layout_ was built from
  std::uint32_t num_counters_ = 0;
  std::uint64_t catalog_generation_ = 0;
  ObjectLayout layout_;
  InstanceReader instances_;
  SampleChain chain_;
  LeadingInstances leading_;
};

}  // namespace winperf
