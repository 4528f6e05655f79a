// Gives every family a name of its own, whatever the order of the families.
//
// If several families have one name, one that is well known keeps it, or else the one with the
// least key; in OpenMetrics a gauge
// "x" and a counter "x_total" have one. The others, and their bases, get a hash of their key
// between stem and suffix, which is the same on every machine and after every restart. Families
// with equal keys and names are the same family (of an object that two countersets request). Thread
// rule: any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/mapping/family.h"

namespace winperf {

// The name of each family, in the order of `families`.
std::vector<std::string> resolve_name_clashes(std::span<const FamilyMapping* const> families);

// Eight hexadecimal digits (FNV-1a, 32 bits).
std::string short_hash(std::string_view text);

}  // namespace winperf
