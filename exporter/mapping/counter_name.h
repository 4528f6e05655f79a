// The general rule for names: winperf_<object>_<counter>_<unit>[_total]. See docs/metrics.md.
// Thread rule: any thread.
#pragma once

#include <string>
#include <string_view>

#include "collectors/model/sample.h"
#include "exporter/mapping/family.h"
#include "exporter/mapping/name_table.h"

namespace winperf {

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
