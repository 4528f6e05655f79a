// GET /api/v1/facts: what is known of each topic that is not a counter. Thread rule: any thread.
#pragma once

#include <optional>
#include <string>

#include "collectors/facts/fact_state.h"

namespace winperf::json {

// {"topics": [{"topic", "success", "error", "duration_seconds", "age_seconds",
//              "rows": [{field: text or number}], "problems": ["..."]}]}
// error: why the last reading failed; null if it did not. age_seconds is null, and rows are
// missing, if there are none, or they have got too old. `topic`: only that one.
std::string facts_document(const FactSnapshot& facts, std::optional<FactTopic> topic,
                           SteadyTime now);

}  // namespace winperf::json
