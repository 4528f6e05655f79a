// The JSON documents: the API's answer and the lines of `query --format json`. Thread rule: any
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "collectors/model/sample.h"

namespace winperf::json {

// The first of `names` that is not a counterset of the sample, regardless of case.
std::optional<std::string> unknown_counterset(const Sample& sample,
                                              std::span<const std::string> names);

// GET /api/v1/sample:
//   {"sequence", "time", "countersets": [{"name", "object", "object_index", "success", "error",
//    "sampled_at", "age_seconds", "duration_seconds", "values": [...]}], "problems": [...]}
// object, object_index, sampled_at and age_seconds are null until there is a sample; age_seconds is
// also null if the clock was set back since the sample. Only the named countersets, or all if
// `names` is empty. `now`: on the clock of CountersetState::sampled_at.
std::string sample_document(const Sample& sample, std::span<const std::string> names,
                            Ticks100ns now);

// {"error": "..."}
std::string error_document(std::string_view message);

// {"sample": 0, "time": "...Z", "values": [...]} and a line feed; time is null if unknown.
void append_query_line(std::string& out, std::uint64_t sample_number,
                       std::optional<Ticks100ns> time,
                       std::span<const std::shared_ptr<const CountersetSample>> countersets);

}  // namespace winperf::json
