// Reads the instances of an object and the counter block of each.
//
// As long as the instance list is byte for byte the one of the previous sample (and the identity
// counters in the blocks are too), the previous InstanceSet is shared and nothing is allocated for
// it. Thread rule: one thread.
#pragma once

#include <memory>
#include <vector>

#include "collectors/model/sample.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/registry/object_layout.h"
#include "collectors/sampling/registry/parent_names.h"

namespace winperf {

struct InstanceRows {
  std::shared_ptr<const InstanceSet> set;  // selected instances
  std::vector<CounterBlockView> blocks;    // one a row; one in all for an object without instances
};

class InstanceReader {
 public:
  InstanceRows read(const ObjectView& object, const ObjectLayout& layout, ParentNames& parents,
                    const Selection& selection, std::vector<Error>& problems);

 private:
  void build_set(const std::vector<InstanceView>& instances, const ObjectLayout& layout,
                 ParentNames& parents, const Selection& selection);

  std::vector<std::byte> fingerprint_;   // of the list that set_ was built from
  std::vector<std::uint32_t> selected_;  // positions in the list of the rows of set_
  std::shared_ptr<const InstanceSet> set_ = std::make_shared<InstanceSet>();
};

}  // namespace winperf
