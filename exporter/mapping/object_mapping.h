// Maps the counters of one object to metric families by the general rule of docs/metrics.md.
// Pure: depends on the schema alone. Keys are unique within the object; names may still clash, also
// with another object's, which resolve_name_clashes() settles.
#pragma once

#include "collectors/model/sample.h"

#include <string>

#include "exporter/mapping/family.h"

namespace winperf {

ObjectMapping map_object(const CountersetSchema& schema, const MappingOptions& options);

// "Processor" -> "winperf_processor": what the names of an object's metrics begin with.
std::string metric_prefix(const CountersetSchema& schema);

// HELP of a metric family: the system's own help text on one line of bounded length, then where the
// value comes from: "[Processor\% User Time, PERF_100NSEC_TIMER, 238/142]".
std::string help_of(const CountersetSchema& schema, const CounterSchema& counter);
std::string base_help_of(const CountersetSchema& schema, const CounterSchema& counter);
std::string displayed_help_of(const CountersetSchema& schema, const CounterSchema& counter);

}  // namespace winperf
