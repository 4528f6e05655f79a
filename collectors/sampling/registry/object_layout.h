// Where the values of a V1 object are, and the schema that they are published under. V2Layout is
// its twin for V2 countersets.
//
// It is built from the counter definitions, once for as long as these don't change. A base
// definition follows the counter that it belongs to and is accepted by its type, never by position
// alone; that counter carries it, so it gets no column of its own. A base that no counter needs
// keeps a column, so that no definition disappears.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "collectors/catalog/catalog.h"
#include "collectors/model/sample.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/selected_instances.h"
#include "collectors/wire/block_view.h"

namespace winperf {

struct ObjectColumn {
  CounterDefinition value;
  std::optional<CounterDefinition> base;
};

struct ObjectLayout {
  std::shared_ptr<const CountersetSchema> schema;
  std::vector<ObjectColumn> columns;  // in the order of schema->counters
  Identity<CounterDefinition> identity;
  bool has_counters = false;    // one at least, whether or not it is selected
  std::vector<Error> problems;  // nameless indices, and a bad definition, which ends the list, but
                                // not if that is why there are no counters
  std::optional<Error> damage;  // the bad definition
};

[[nodiscard]] ObjectLayout build_layout(const ObjectView& object, const Catalog& catalog,
                                        const Selection& selection);

}  // namespace winperf
