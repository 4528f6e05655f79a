// What a perfmon path selects of what the recorder remembers. Thread rule: pure function.
#pragma once

#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/recorder/history.h"
#include "exporter/api/problem.h"

namespace winperf::api {

// Lifetime: that of the history.
struct RecordedPath {
  const recorder::Track* track = nullptr;
  std::vector<const CounterSchema*> counters{};            // at least one, by their newest schema
  std::function<bool(const InstanceSchema&)> instances{};  // empty: all
  bool names_instance = false;                             // without *
};
// `parameter`: that has the path.
[[nodiscard]] std::expected<RecordedPath, Problem> recorded_path(const recorder::History& history,
                                                                 std::string_view parameter,
                                                                 const std::string& text);

}  // namespace winperf::api
