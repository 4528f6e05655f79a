// Where the values of an object are, and the schema that they are published under.
//
// Built from the counter definitions, once for as long as these do not change. A base definition
// follows the counter that it belongs to and is accepted by its type, never by position alone; it
// is carried by that counter and gets no column of its own. A base that nobody needs keeps a
// column, so that no definition disappears.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "collectors/catalog/catalog.h"
#include "collectors/model/sample.h"
#include "collectors/sampling/plan.h"
#include "collectors/wire/object_view.h"

namespace winperf {

struct ObjectColumn {
  CounterDefinition value;
  std::optional<CounterDefinition> base;
};

struct ObjectLayout {
  std::shared_ptr<const CountersetSchema> schema;
  std::vector<ObjectColumn> columns;  // in the order of schema->counters
  // Counters that tell instances apart, whether or not they are selected.
  std::optional<CounterDefinition> process_id;
  std::optional<CounterDefinition> thread_id;
  std::optional<CounterDefinition> started;
  bool has_unknown_names = false;
};

// Definition problems are appended; the definitions before the first bad one are used.
ObjectLayout build_layout(const ObjectView& object, const Catalog& catalog,
                          const Selection& selection, std::vector<Error>& problems);

}  // namespace winperf
