// The condition of a WQL query, as the options "...-where" of older versions have it, as patterns
// for names. Thread rule: any thread. Source: Learn, "LIKE Operator (WQL)".
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace winperf::migration {

struct NamePatterns {
  std::vector<std::string> include;  // regardless of case, as WQL compares
  std::vector<std::string> exclude;
  bool operator==(const NamePatterns&) const = default;
};

// Conditions about the property Name alone, joined by OR, or with <> and NOT by AND. The error is
// the part that can't be said as a pattern.
[[nodiscard]] std::expected<NamePatterns, std::string> patterns_of_wql(std::string_view condition);

// Whether a text is such a condition, or was meant as one: no name looks like that.
bool looks_like_wql(std::string_view text);

}  // namespace winperf::migration
