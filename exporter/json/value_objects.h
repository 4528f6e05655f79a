// One JSON object for each counter of each instance: what both the API and `query` print.
//
//   {"object": "Processor", "path": "registry", "object_index": 238, "counter": "% Processor Time",
//    "counter_index": 6, "type": "0x21510500", "instance": "_Total", "instance_ordinal": 1,
//    "parent": "...", "raw": 123, "base": 456, "cooked": 82.1, "reason": null}
// path is "registry", "perflib" or "log"; object_index is null but for the registry. By PerfLib
// guid is the counterset's, and counter_index the counter's id in it; in a log it is the counter's
// number there. machine is there alone where a recording is of several machines. raw and base: all
// 64 bits, unsigned, as delivered; of a PERF_DOUBLE_RAW the number itself; null where the block
// held none. base only where the counter has one, parent only where the instance has one. instance
// is "" and instance_ordinal null for an object without instances. cooked is null where there is no
// value; reason tells why ("not_finite" where the value is no number of JSON).
#pragma once

#include <string>

#include "collectors/model/sample.h"

namespace winperf::json {

// Where a counterset was read: path, object_index, guid and machine, without braces.
void append_origin(std::string& out, const CountersetSchema& schema);

// Appends the objects, separated by commas. `first` is whether nothing precedes them; it is false
// afterwards if anything was appended.
void append_values(std::string& out, const CountersetSample& sample, bool& first);

}  // namespace winperf::json
