// The answers of /api/v1/range and /api/v1/top, from what the recorder remembers. Thread rule: pure
// functions.
#pragma once

#include <cstddef>
#include <expected>
#include <string>

#include "collectors/recorder/history.h"
#include "exporter/api/history_query.h"

namespace winperf::api {

// More windows are never in an answer. As columns they take a third of the text.
inline constexpr std::size_t kMostWindows = 50'000;
inline constexpr std::size_t kMostWindowsAsColumns = 100'000;

// Each path may have * in the names of its counter and of its instance, which is called as perfmon
// shows it.
[[nodiscard]] std::expected<std::string, Problem> range_answer(const recorder::History& history,
                                                               const RangeQuery& query);

// The counter is one of the processes, or a path. At a moment, the value is that between the last
// two samples before it.
[[nodiscard]] std::expected<std::string, Problem> top_answer(const recorder::History& history,
                                                             const TopQuery& query);

}  // namespace winperf::api
