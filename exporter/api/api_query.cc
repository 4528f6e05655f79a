#include "exporter/api/api_query.h"

#include <algorithm>
#include <iterator>

#include "collectors/base/wording.h"

namespace winperf::api {
namespace {

std::vector<std::string_view> names_for(std::string_view route) {
  std::vector<std::string_view> names;
  for (const Parameter& parameter : parameters())
    if (parameter.route == route) names.push_back(parameter.name);
  return names;
}

Problem unknown_parameter(std::string_view name, std::span<const std::string_view> known) {
  std::string detail = "unknown parameter " + excerpt(name);
  const std::string nearest = nearest_name(name, known);
  if (known.empty())
    detail += "; this route has none";
  else if (nearest.empty())
    detail += "; known are " + joined(known, ", ", [](auto one) { return std::string(one); });
  else
    detail += "; did you mean " + nearest + '?';
  return {.detail = detail, .parameter = std::string(name.substr(0, 100)), .nearest = nearest};
}

std::optional<Problem> check_count(const Parameter& parameter, const Query& query) {
  const std::string name(parameter.name);
  const std::size_t count = query.count(name);
  if (count <= parameter.most) return std::nullopt;
  if (parameter.most == 1)
    return Problem{.detail = "the parameter " + name + " may be there only once",
                   .parameter = name};
  return Problem{.detail = "the parameter " + name + " is there " + std::to_string(count) +
                           " times; " + std::to_string(parameter.most) + " are allowed",
                 .parameter = name};
}

}  // namespace

std::span<const Parameter> parameters() {
#define PARAMETER(route, name, most, meaning) {route, name, most, meaning},
  static constexpr Parameter kParameters[] = {
#include "exporter/api/parameters.inc"
  };
  return kParameters;
}

std::optional<Problem> why_refused(std::string_view route, const Query& query) {
  const auto known = names_for(route);
  for (const auto& [name, value] : query) {
    if (std::ranges::find(known, name) == known.end()) return unknown_parameter(name, known);
    if (value.size() > kMostBytesOfAValue)
      return Problem{.detail = "the parameter " + name + " has " + std::to_string(value.size()) +
                               " bytes; " + std::to_string(kMostBytesOfAValue) + " are allowed",
                     .parameter = name};
  }
  for (const Parameter& parameter : parameters())
    if (parameter.route == route)
      if (auto problem = check_count(parameter, query)) return problem;
  return std::nullopt;
}

std::optional<std::string> value_of(const Query& query, const std::string& name) {
  const auto found = query.find(name);
  return found == query.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> values_of(const Query& query, const std::string& name) {
  std::vector<std::string> values;
  const auto [begin, end] = query.equal_range(name);
  std::transform(begin, end, std::back_inserter(values),
                 [](const auto& one) { return one.second; });
  return values;
}

std::expected<bool, Problem> wants_columns(const Query& query) {
  constexpr std::string_view kForms[] = {"rows", "columns"};
  const std::string name = value_of(query, "format").value_or("rows");
  if (name == kForms[0] || name == kForms[1]) return name == kForms[1];
  return std::unexpected(unknown_name("format", name, " does not exist", kForms));
}

}  // namespace winperf::api
