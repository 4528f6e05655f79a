// Finds a counterset in a reply and counts how much of it the configured filters accept.
// A damaged part costs only itself and is reported: what comes before it is counted.
// Thread rule: any thread.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "collectors/catalog/catalog.h"
#include "collectors/diagnosis/facts.h"
#include "collectors/sampling/plan.h"
#include "collectors/sources/source.h"

namespace winperf {

struct Delivered {
  std::optional<DeliveredObject> object{};
  std::vector<Error> problems{};
};

// If the reply has several of `wanted`, this is the one with the lowest index, the system's own, as
// in the sampler. There is no object if the reply has none of them, or only definitions.
[[nodiscard]] Delivered find_delivered(const Reply& reply, const Catalog& catalog,
                                       std::span<const ObjectIndex> wanted,
                                       const Selection& selection);

// Counts a sample that was taken without a selection.
[[nodiscard]] DeliveredObject count_delivered(const CountersetSample& sample,
                                              const Selection& selection);

}  // namespace winperf
