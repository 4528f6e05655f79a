// The layout of a V2 counterset's samples, from its registration: the schema, and the counter ids
// of each column. ObjectLayout is the counterpart for V1 objects.
//
// Base, divisor and clock of a counter are found by the ids that its registration names, never by
// position; an id that names no counter of the set counts as none. A base or a clock that another
// counter uses gets no column. Registrations have no sizes: until there is data, the size is the
// counter type's.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "collectors/catalog/v2_catalog.h"
#include "collectors/model/sample.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/selected_instances.h"

namespace winperf {

struct V2Column {
  std::uint32_t id = 0;
  std::optional<std::uint32_t> base_id{};
  std::optional<std::uint32_t> time_id{};  // its own clock
  std::optional<std::uint32_t> frequency_id{};
};

struct V2Layout {
  std::shared_ptr<const CountersetSchema> schema;
  std::shared_ptr<const SampleLayout> layout;  // of the schema
  std::vector<V2Column> columns;               // in the order of schema->counters
  bool has_own_clocks = false;
  Identity<std::uint32_t> identity;
};

// `sizes`: bytes of raw data by counter id, as far as data was seen.
[[nodiscard]] V2Layout build_v2_layout(const V2Counterset& counterset, const Selection& selection,
                                       const std::map<std::uint32_t, std::uint8_t>& sizes);

}  // namespace winperf
