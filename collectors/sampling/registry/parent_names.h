// Names of parent instances: an instance refers to its parent by the parent object's title index
// and the parent's position in that object's instance list of the same block.
// Read from the block when first asked for. An object or position that is not there has no name.
// Lifetime: not longer than the block's bytes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/ids.h"
#include "collectors/wire/block_view.h"

namespace winperf {

class ParentNames {
 public:
  explicit ParentNames(BlockView block) : block_(block) {}

  std::string_view name(ObjectIndex parent_object, std::uint32_t position);

 private:
  std::vector<std::string> read(ObjectIndex parent_object) const;

  BlockView block_;
  std::map<ObjectIndex, std::vector<std::string>> names_;
};

}  // namespace winperf
