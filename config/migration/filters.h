// The options that select what a collector reads, as filters of our own. Thread rule: any thread,
// with a Progress one. Source: Learn, "LIKE Operator (WQL)".
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/collectors.h"
#include "config/migration/settings.h"

namespace winperf::migration {

// Patterns for names.
struct Filters {
  std::vector<std::string> include{};
  std::vector<std::string> exclude{};
  bool operator==(const Filters&) const = default;
};

// Of the condition of a WQL query, as the options "...-where" of older versions have it: about the
// property Name alone, regardless of case, joined by OR, or with <> and NOT by AND. The error is
// the part that can't be said as a pattern.
[[nodiscard]] std::expected<Filters, std::string> patterns_of_wql(std::string_view condition);

// The setting that limits a collector to some of its parts: those, in lower case. Nothing: to none.
std::optional<std::vector<std::string>> parts_of(const Collector& collector, Progress& progress);

// `include`, `exclude`: the options' names; "" if there is none. `prefix`: a pattern of what
// precedes what they match. A filter that can't be taken over is lost.
Filters filters_of(const Collector& collector, std::string_view include, std::string_view exclude,
                   std::string_view prefix, Progress& progress);

}  // namespace winperf::migration
