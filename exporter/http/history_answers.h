// The answers of /api/v1/range and /api/v1/top, from what the recorder remembers. Thread rule: pure
// functions.
#pragma once

#include <cstddef>
#include <expected>
#include <string>

#include "collectors/recorder/history.h"
#include "exporter/http/history_query.h"

namespace winperf {

// More windows are never in an answer.
inline constexpr std::size_t kMostWindows = 50'000;

// Each path may have * in the names of its counter and of its instance, which is called as perfmon
// shows it.
[[nodiscard]] std::expected<std::string, HistoryRefusal> range_answer(
    const recorder::History& history, const RangeQuery& query);

// The counter is one of the processes, or a path. At a moment, the value is that between the last
// two samples before it.
[[nodiscard]] std::expected<std::string, HistoryRefusal> top_answer(
    const recorder::History& history, const TopQuery& query);

}  // namespace winperf
