// Maps the counters of one object to metric families by the general rule of docs/metrics.md. The
// result depends only on the schema. Keys are unique within the object. Names may still clash, even
// with those of another object; resolve_name_clashes() resolves that. Thread rule: any thread.
#pragma once

#include <string>

#include "collectors/model/sample.h"
#include "exporter/mapping/family.h"

namespace winperf {

ObjectMapping map_object(const CountersetSchema& schema, const MappingOptions& options);

// "Processor" -> "winperf_processor": what the names of an object's metrics begin with.
std::string metric_prefix(const CountersetSchema& schema);

// HELP of a metric family: the system's own help text on one line of bounded length, then the
// origin of the value: "[Processor\% User Time, PERF_100NSEC_TIMER, 238/142]".
std::string help_of(const CountersetSchema& schema, const CounterSchema& counter);
std::string base_help_of(const CountersetSchema& schema, const CounterSchema& counter);
std::string displayed_help_of(const CountersetSchema& schema, const CounterSchema& counter);

}  // namespace winperf
