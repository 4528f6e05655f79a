// Follows one object of V1 blocks from sample to sample: builds its schema once, reads its values,
// and has them matched and cooked (sample_chain.h).
//
// When neither the definitions nor the instances have changed, a sample costs a walk over the
// bytes: schema and instance set of the previous sample are shared. A counter block that ends too
// early, or a counter of an odd size, is a NoValue of that cell alone. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "collectors/catalog/catalog.h"
#include "collectors/model/sample.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/registry/instance_reader.h"
#include "collectors/sampling/registry/object_layout.h"
#include "collectors/sampling/registry/parent_names.h"
#include "collectors/sampling/sample_chain.h"

namespace winperf {

class V1Tracker {
 public:
  // `block_clocks` are the block's; the object's own clock is added here. `parents` names the
  // parent instances of the same block. Problems are appended to `problems`. Null where the
  // object's only counter block is corrupt.
  std::shared_ptr<const CountersetSample> update(const ObjectView& object, Clocks block_clocks,
                                                 const Catalog& catalog,
                                                 std::uint64_t catalog_generation,
                                                 ParentNames& parents, const Selection& selection,
                                                 std::vector<Error>& problems);

 private:
  bool same_definitions(const ObjectView& object, std::uint64_t catalog_generation) const;

  std::vector<std::byte> definition_bytes_;  // of the object that layout_ was built from
  std::uint64_t catalog_generation_ = 0;
  ObjectLayout layout_;
  InstanceReader instances_;
  SampleChain chain_;
};

}  // namespace winperf
