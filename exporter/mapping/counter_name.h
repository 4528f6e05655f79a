// The general rule for names: winperf_<object>_<counter>_<unit>[_total]. See docs/metrics.md.
// Thread rule: any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/sample.h"
#include "exporter/mapping/family.h"
#include "exporter/mapping/name_table.h"

namespace winperf {

// Gives every family a unique name, regardless of the order of the families.
//
// If several families share a name, the well-known one keeps it, or else the one with the least
// key; in OpenMetrics a gauge "x" and a counter "x_total" share one. The others, and their bases,
// get a hash of their key between stem and suffix, which is the same on every machine and after
// every restart. Families with equal keys and names are the same family (of an object that two
// countersets request). Thread rule: any thread.

// The name of each family, in the order of `families`.
std::vector<std::string> resolve_name_clashes(std::span<const FamilyMapping* const> families);

// Eight hexadecimal digits (FNV-1a, 32 bits).
std::string short_hash(std::string_view text);

struct CounterName {
  std::string stem;    // "queue_length"; empty if the object says it all
  std::string unit;    // of the raw value: "_seconds", "_idle_seconds", "_bytes", "_ratio", ...
  double factor = 1;   // the name's unit in base units ("KBytes": 1024)
  std::string cooked;  // instead of the unit, for perfmon's number: "_percent", "_per_second", ...
  double cooked_factor = 1;
};

// `type` is how the counter is exposed, which the row may decide. `object`: name_object().
CounterName name_counter(const CounterSchema& counter, MetricType type, const CounterRow& row,
                         std::string_view object);

// "PhysicalDisk" -> "physical_disk"; the index names an object without a name.
std::string name_object(const CountersetSchema& schema);

}  // namespace winperf
