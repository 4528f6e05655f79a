// A counter of GET /api/v1/range?format=columns, for charts and tables:
//   {"counterset", "counter", "type", "times": [...],
//    "instances": [{"instance", ..., "cooked": [...], "reasons", "min", "mean", "max"}]}
// times has the end of each step in which an instance has a window, once, in the order in which
// the samples were taken. The windows of a step end with the same sample, so that the arrays of
// each instance have one cell for each time: null where it has no window. reasons is only there if
// a window has no value; min, mean and max only if a window has another one than cooked. The keys
// of an instance are those of the rows (range_document.h).
// Thread rule: pure function.
#pragma once

#include <string>

#include "exporter/json/range_document.h"

namespace winperf::json {

void append_range_columns(std::string& out, const RangeOfCounter& counter,
                          const recorder::ProcessOwners& owners);

}  // namespace winperf::json
