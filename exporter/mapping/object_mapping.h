// Maps the counters of one object to metric families by the general rule of docs/metrics.md.
// Pure: depends on the schema alone. Keys are unique within the object; names may still clash, also
// with another object's, which resolve_name_clashes() settles.
#pragma once

#include "collectors/model/sample.h"
#include "exporter/mapping/family.h"

namespace winperf {

ObjectMapping map_object(const CountersetSchema& schema, const MappingOptions& options);

// "Processor" -> "winperf_processor": what the names of an object's metrics begin with.
std::string metric_prefix(const CountersetSchema& schema);

}  // namespace winperf
