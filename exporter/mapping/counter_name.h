// The general rule for names: winperf_<object>_<counter>_<unit>[_total]. See docs/metrics.md.
// Thread rule: any thread.
#pragma once

#include <string>
#include <string_view>

#include "collectors/model/sample.h"
#include "exporter/mapping/family.h"
#include "exporter/mapping/overrides.h"

namespace winperf {

struct CounterName {
  std::string stem;   // "user_time"; may be empty if there is a unit
  std::string unit;   // "_seconds", "_idle_seconds", "_bytes", "_ratio", ...; may be empty
  double factor = 1;  // the name's unit in base units ("KBytes": 1024)
};

// `type` is how the counter is exposed, which an override may decide.
CounterName name_counter(const CounterSchema& counter, MetricType type, const Override& row);

// The name of the gauge of perfmon's number: "user_time" and "_displayed_percent".
CounterName name_displayed(const CounterSchema& counter);

// "PhysicalDisk" -> "physical_disk"; the index names an object without a name.
std::string name_object(const CountersetSchema& schema);

}  // namespace winperf
