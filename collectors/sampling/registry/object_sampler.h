// Turns one reply of a source, raw bytes or logged values, into samples of the objects in it. One
// tracker per object keeps what it needs from one reply to the next. RegistryReader uses it: it
// finds the object of a name, and queries the source.
//
// A block that can't be parsed, or a corrupt object, costs only itself and is reported.
// Thread rule: one thread.
#pragma once

#include <cstddef>
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

#include "collectors/catalog/catalog.h"
#include "collectors/model/sample.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/registry/instance_reader.h"
#include "collectors/sampling/registry/logged_tracker.h"
#include "collectors/sampling/sample_chain.h"
#include "collectors/sampling/selected_instances.h"
#include "collectors/sources/source.h"
#include "collectors/wire/block_view.h"

namespace winperf {

// The places of a V1 object's values, and their schema. V2Layout is the counterpart for V2
// countersets.
//
// It is built from the counter definitions, once for as long as these don't change. A base
// definition follows the counter that it belongs to and is accepted by its type, never by position
// alone; that counter carries it, so it gets no column. A base that no counter needs keeps a
// column, so that no definition disappears.
struct ObjectColumn {
  CounterDefinition value;
  std::optional<CounterDefinition> base;
};

struct ObjectLayout {
  std::shared_ptr<const CountersetSchema> schema;
  std::shared_ptr<const SampleLayout> layout;  // of the schema
  std::vector<ObjectColumn> columns;           // in the order of schema->counters
  Identity<CounterDefinition> identity;
  bool has_counters = false;    // one at least, whether or not it is selected
  std::vector<Error> problems;  // nameless indices, and a bad definition, which ends the list, but
                                // not if that is why there are no counters
  std::optional<Error> damage;  // the bad definition
};

[[nodiscard]] ObjectLayout build_layout(const ObjectView& object, const Catalog& catalog,
                                        const Selection& selection);

// Follows one object of V1 blocks from sample to sample: builds its schema once, reads its values,
// and has them matched and cooked (sample_chain.h). V2Tracker does the same for a V2 counterset,
// LoggedTracker for an object of a log of counters.
//
// If neither the definitions nor the instances have changed, a sample costs a walk over the bytes:
// it shares the schema and instance set of the previous one. A counter block that ends too early,
// or a counter of an odd size, costs only that cell, as a NoValue. Thread rule: one thread.
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
};

// Why an object that a reply has already is left out.
[[nodiscard]] Error duplicate_of(const ObjectView& object);

struct SampledObjects {
  std::vector<std::shared_ptr<const CountersetSample>> samples;  // in the order of the reply
  std::vector<Error> problems;
};

class ObjectSampler {
 public:
  explicit ObjectSampler(Selection selection = {}) : selection_(std::move(selection)) {}

  // The objects whose index is in `wanted`, all of them if it is empty. Objects that carry only
  // metadata have no values and are left out, as are those that only hold the names of parents.
  // Names are looked up again if `catalog_generation` has changed.
  [[nodiscard]] SampledObjects take(const Reply& reply, const Catalog& catalog,
                                    std::uint64_t catalog_generation,
                                    std::span<const ObjectIndex> wanted);
  // The same into `taken`, whose memory is used again.
  void take(const Reply& reply, const Catalog& catalog, std::uint64_t catalog_generation,
            std::span<const ObjectIndex> wanted, SampledObjects& taken);

 private:
  struct Tracked {
    V1Tracker tracker;
    std::uint64_t last_reply = 0;  // that had the object; a second one in it is a duplicate
  };

  Selection selection_;
  std::uint64_t replies_ = 0;
  std::vector<ReplyBlocks::Place> places_;  // of the last reply; kept for its memory
  std::map<ObjectIndex, Tracked> trackers_;
  std::map<ObjectIndex, LoggedTracker> logged_trackers_;
};

}  // namespace winperf
