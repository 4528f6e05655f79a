// Finds a counterset in a reply and counts what of it the configured filters let through.
// Damage costs its own part and is reported: what is before it is counted.
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

// The one with the lowest index, where several of `wanted` are there: the system's own, as the
// sampler takes it. Nothing where none is there, or only its definitions. Problems are appended.
std::optional<DeliveredObject> find_delivered(const Reply& reply, const Catalog& catalog,
                                              std::span<const ObjectIndex> wanted,
                                              const Selection& selection,
                                              std::vector<Error>& problems);

// The same of a sample that holds everything.
DeliveredObject count_delivered(const CountersetSample& sample, const Selection& selection);

}  // namespace winperf
