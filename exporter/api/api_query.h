// The parameters of requests for the API (parameters.inc). They are checked here before a route's
// handler is called, which then only reads them. Their number and length are limited. Thread rule:
// pure functions.
#pragma once

#include <cstddef>
#include <expected>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/api/problem.h"

namespace winperf::api {

inline constexpr std::string_view kApiRoot = "/api/v1/";
// As long as the longest pattern that collectors/match takes.
inline constexpr std::size_t kMostBytesOfAValue = 1000;
inline constexpr std::size_t kMostValues = 100;

struct Parameter {
  std::string_view route;
  std::string_view name;
  std::size_t most;  // how often it may be there
  std::string_view meaning;
};
std::span<const Parameter> parameters();

using Query = std::multimap<std::string, std::string>;

// What is wrong with the parameters of a request for this route.
[[nodiscard]] std::optional<Problem> why_refused(std::string_view route, const Query& query);

// A missing parameter has no value.
std::optional<std::string> value_of(const Query& query, const std::string& name);
std::vector<std::string> values_of(const Query& query, const std::string& name);
// Of format, which is rows if it is missing.
[[nodiscard]] std::expected<bool, Problem> wants_columns(const Query& query);

}  // namespace winperf::api
