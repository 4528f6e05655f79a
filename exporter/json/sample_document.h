// The JSON documents: the API's answer and the lines of `query --format json`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "collectors/model/sample.h"

namespace winperf::json {

// The first of `names` that is no counterset of the sample (letter case does not matter).
std::optional<std::string> unknown_counterset(const Sample& sample,
                                              std::span<const std::string> names);

// GET /api/v1/sample:
//   {"sequence", "time", "countersets": [{"name", "object", "object_index", "success", "error",
//    "sampled_at", "age_seconds", "duration_seconds", "values": [...]}], "problems": [...]}
// object, object_index, sampled_at and age_seconds are null where there is no sample yet. Only the
// named countersets, or all where `names` is empty. `now` as CountersetState::sampled_at.
std::string sample_document(const Sample& sample, std::span<const std::string> names,
                            Ticks100ns now);

// {"error": "..."}
std::string error_document(std::string_view message);

// {"sample": 0, "time": "...Z", "values": [...]} and a line feed; time is null where not known.
void append_query_line(std::string& out, std::uint64_t sample_number,
                       std::optional<Ticks100ns> time,
                       std::span<const std::shared_ptr<const CountersetSample>> countersets);

}  // namespace winperf::json
