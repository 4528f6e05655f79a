#include "exporter/api/problem.h"

#include <cstddef>
#include <cstdint>

#include "collectors/base/printable.h"
#include "collectors/match/nearest.h"
#include "exporter/json/json_text.h"

namespace winperf::api {
namespace {

constexpr std::size_t kMostShown = 100;
constexpr std::size_t kLongestCompared = 64;

// As RFC 9110 calls them, which is what "about:blank" means.
std::string_view title_of(int status) {
  switch (status) {
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 429:
      return "Too Many Requests";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

}  // namespace

std::string problem_document(const Problem& problem) {
  std::string out = R"({"type":"about:blank")";
  json::append_field(out, ",\"title\":", title_of(problem.status));
  json::append_field(out, ",\"status\":", static_cast<unsigned>(problem.status));
  json::append_field(out, ",\"detail\":", problem.detail);
  if (!problem.parameter.empty()) json::append_field(out, ",\"parameter\":", problem.parameter);
  if (!problem.nearest.empty()) json::append_field(out, ",\"nearest\":", problem.nearest);
  if (!problem.reason.empty()) json::append_field(out, ",\"reason\":", problem.reason);
  if (problem.most_values != 0)
    json::append_field(out, ",\"most_values\":", static_cast<std::uint64_t>(problem.most_values));
  return out + "}\n";
}

Problem wrong_parameter(std::string_view name, std::string_view what) {
  return {.detail = std::string(name) + ' ' + std::string(what), .parameter = std::string(name)};
}

std::string excerpt(std::string_view text) {
  const std::string shown = printable(text.substr(0, kMostShown));
  return "'" + shown + (text.size() > kMostShown ? "...'" : "'");
}

std::string nearest_name(std::string_view name, std::span<const std::string_view> known) {
  if (name.size() > kLongestCompared) return {};
  return std::string(nearest(name, known));
}

Problem unknown_name(std::string_view parameter, std::string_view name, std::string_view what,
                     std::span<const std::string_view> known) {
  const std::string meant = nearest_name(name, known);
  std::string detail = std::string(parameter) + ' ' + excerpt(name) + std::string(what);
  if (!meant.empty()) detail += "; did you mean " + excerpt(meant) + '?';
  return {.detail = detail, .parameter = std::string(parameter), .nearest = meant};
}

}  // namespace winperf::api
