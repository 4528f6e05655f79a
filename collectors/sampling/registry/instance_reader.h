// Reads the instances of one V1 object and finds the counter block of each. V1Tracker uses it; on
// the V2 path, V2Table and V2Tracker do the same.
//
// As long as the instance list and the identity counters in the blocks are byte for byte those of
// the previous sample, its InstanceSet is shared and nothing is allocated for it.
// Thread rule: one thread.
#pragma once

#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/model/sample.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/registry/object_layout.h"
#include "collectors/sampling/selected_instances.h"
#include "collectors/wire/block_view.h"

namespace winperf {

// Names of parent instances: an instance refers to its parent by the parent object's title index
// and the parent's position in that object's instance list of the same block. A list is read from
// the block when it is first needed. An object or position that isn't there has no name; if that is
// because the list is corrupt, take_problem() says so.
// Lifetime: not longer than the block's bytes.
class ParentNames {
 public:
  // `block`: its objects.
  explicit ParentNames(std::span<const ObjectView> block) : block_(block) {}

  std::string_view name(ObjectIndex parent_object, std::uint32_t position);
  // Why a name was missing since the last call.
  std::optional<Error> take_problem() { return std::exchange(problem_, std::nullopt); }

 private:
  struct Names {
    std::vector<std::string> all;
    std::optional<Error> cut_short;
  };
  Names read(ObjectIndex parent_object) const;

  std::span<const ObjectView> block_;
  std::map<ObjectIndex, Names> names_;
  std::optional<Error> problem_;
};

// The raw values of the counters of a block, as Identity takes them.
inline auto values_in(const CounterBlockView& block) {
  return [block](const CounterDefinition& counter) {
    const auto value = block.read(counter);
    return value ? std::optional(*value) : std::nullopt;
  };
}

struct InstanceRows {
  std::shared_ptr<const InstanceSet> set;  // the selected instances
  std::vector<CounterBlockView> blocks;    // one per row; an object without instances has one row
  std::optional<Error> cut_short{};        // why the list ends before its last instance
  std::optional<Error> nameless_parent{};  // why the parent of an instance has no name
};

class InstanceReader {
 public:
  // The error is why an object without instances has no counter block, or why none of its instances
  // can be read.
  [[nodiscard]] std::expected<InstanceRows, Error> read(const ObjectView& object,
                                                        const ObjectLayout& layout,
                                                        ParentNames& parents,
                                                        const Selection& selection);

 private:
  std::vector<std::byte> fingerprint_;  // of the list that instances_ was selected from
  SelectedInstances instances_;
};

}  // namespace winperf
