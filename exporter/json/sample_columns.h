// The values of a counterset as columns: what is the same for all values of a counter, or of an
// instance, is there once. Everything that perfmon's formulas need is there, too.
//
//   "clocks": {"perf_time": "81238", "perf_frequency": "10000000", "time_100ns": "1283...",
//              "object_time": "0", "object_frequency": "0"},
//   "instances": [{"name": "svchost", "parent": "...", "duplicate": 1, "id": 7, "process_id": 812,
//                  "thread_id": 9, "labels": {"site": "a"}}],
//   "counters": [{"name": "% Processor Time", "counter_index": 6, "type": "0x20510500",
//                 "type_name": "PERF_100NSEC_TIMER", "kind": "text", "raw": ["123"],
//                 "base": [1], "cooked": [82.1], "reasons": [null], "total": ["123"],
//                 "base_total": ["1"], "clocks": [{...}]}]
// kind says how raw is written, for the whole column: "number", or "text" for integers of 8 bytes,
// which a double may not hold; "number" and "text" of a base are chosen in the same way, and
// totals, which have 64 bits, and clocks are always texts. Values lie in the order of the
// instances; an object without instances has one. A raw value or a base is null where the block had
// none. Only if needed there are: base; reasons, if a value has one; total and base_total, if they
// differ from raw and base; clocks of a counter, one for each value, if the counter has others than
// the counterset; and all members of an instance but its name. Thread rule: pure functions.
#pragma once

#include <string>

#include "collectors/model/sample.h"

namespace winperf::json {

// Without braces. `sample`: null if there was none.
void append_columns(std::string& out, const CountersetSample* sample);

}  // namespace winperf::json
