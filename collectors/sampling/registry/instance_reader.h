// Reads the instances of one V1 object and finds the counter block of each. V1Tracker uses it; on
// the V2 path, V2Table and V2Tracker do the same.
//
// As long as the instance list and the identity counters in the blocks are byte for byte those of
// the previous sample, its InstanceSet is shared and nothing is allocated. Otherwise only the
// instances that weren't in the list before are decoded. Thread rule: one thread.
#pragma once

#include <cstdint>
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
#include "collectors/sampling/known_instances.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/selected_instances.h"
#include "collectors/wire/block_view.h"
#include "collectors/wire/counter_blocks.h"

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

struct InstanceRows {
  std::shared_ptr<const InstanceSet> set;  // the selected instances
  const CounterBlocks* blocks = nullptr;   // one per row; an object without instances has one row
  std::optional<Error> cut_short{};        // why the list ends before its last instance
  std::optional<Error> nameless_parent{};  // why the parent of an instance has no name
};

class InstanceReader {
 public:
  // The error is why an object without instances has no counter block, or why none of its instances
  // can be read. The blocks last until the next call.
  [[nodiscard]] std::expected<InstanceRows, Error> read(const ObjectView& object,
                                                        const Identity<CounterDefinition>& identity,
                                                        const CountersetSchema& schema,
                                                        ParentNames& parents,
                                                        const Selection& selection);

  const SelectedInstances& selected() const { return instances_; }

 private:
  struct Walked {
    bool is_same = false;  // as the list before
    std::optional<Error> cut_short;
  };

  Walked walk(const ObjectView& object, const Identity<CounterDefinition>& identity,
              ParentNames& parents);
  bool has_its_parent(const InstanceBytes& instance, std::uint32_t place,
                      ParentNames& parents) const;
  std::vector<InstanceSchema> schemas_of(const ObjectView& object,
                                         const Identity<CounterDefinition>& identity,
                                         ParentNames& parents) const;
  const InstanceSchema* schema_before(std::uint32_t place) const;

  KnownInstances known_;
  std::uint32_t code_page_ = 0;        // that the list before says
  std::uint32_t decoded_page_ = 0;     // in which its names were decoded
  std::vector<std::uint32_t> places_;  // of each instance, in the list before
  CounterBlocks all_;                  // of each instance
  CounterBlocks some_;                 // of the selected ones, if others are left out
  SelectedInstances instances_;
};

}  // namespace winperf
