// One JSON object for each counter of each instance: what both the API and `query` show. They are
// written as the lines of a page are (series_text.h): what is the same for all values of a counter,
// or of an instance, is copied to where there is room for it.
//
//   {"object": "Processor", "path": "registry", "object_index": 238, "counter": "% Processor Time",
//    "counter_index": 6, "type": "0x21510500", "instance": "_Total", "instance_ordinal": 1,
//    "parent": "...", "raw": 123, "base": 456, "cooked": 82.1, "reason": null}
// path is "registry", "perflib" or "log". object_index is null unless path is "registry". Via
// PerfLib, guid is the counterset's, and counter_index is the counter's id in it; in a log,
// counter_index is the counter's number there. machine is present only if a recording covers
// several machines. raw and base have all 64 bits, as delivered: raw below 0 where Windows has a
// sign (docs/counter-types.md, "Decisions"), base never; for a PERF_DOUBLE_RAW, raw is the number
// itself; they are null if the block had none. base is present only if the counter has one, parent
// only if the instance has one. For an object without instances, instance is "" and
// instance_ordinal null. labels, an object of texts, is present only if the configuration takes
// labels from the instance's name. cooked is null if there is no value; reason says why
// ("not_finite" if JSON can't express the value). Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "collectors/model/sample.h"
#include "collectors/recorder/owners.h"

namespace winperf::json {

// The origin of a counterset: path, object_index, guid and machine, without braces.
void append_origin(std::string& out, const CountersetSchema& schema);

// Appends the objects, separated by commas. `first`: whether nothing precedes them; false
// afterwards if anything was appended.
void append_values(std::string& out, const CountersetSample& sample, bool& first);

// What tells an instance from others, each where it has it: its name, called `name` as that of
// append_field(), "parent", "duplicate" (perfmon's #1), "id", "process_id", "thread_id" and
// "labels"; without braces.
void append_identity(std::string& out, std::string_view name, const InstanceSchema& instance);

// ",\"owner\":..., \"command_line\":..." of the instance's process during that time, each if known.
void append_owner(std::string& out, const InstanceSchema& instance,
                  const recorder::ProcessOwners& owners, SteadyTime from, SteadyTime to);

// "0x21510500"; `name` as that of append_field().
void append_type(std::string& out, std::string_view name, CounterType type);

}  // namespace winperf::json
