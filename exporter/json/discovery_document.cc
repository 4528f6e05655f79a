#include "exporter/json/discovery_document.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "exporter/json/json_text.h"

namespace winperf::json {
namespace {

using Json = nlohmann::ordered_json;

Json time_of(const std::optional<Ticks100ns>& time) {
  if (!time) return nullptr;
  std::string text;
  append_time(text, *time);
  return Json::parse(text);
}

}  // namespace

std::string discovery_document(const DiscoveryReport& report) {
  const Inventory& inventory = report.inventory;
  Json countersets = Json::array();
  for (const KnownCounterset& known : inventory.countersets)
    countersets.push_back({{"name", known.name},
                           {"key", known.key},
                           {"costly", known.is_costly},
                           {"active", known.is_active},
                           {"sampled", report.sampled.contains(known.key)}});
  Json absent = Json::array();
  for (const std::string& name : report.absent) absent.push_back(name);
  Json problems = Json::array();
  for (const Error& problem : inventory.problems) problems.push_back(describe(problem));
  const Json document{
      {"found_at", time_of(report.at)},
      {"supports_metadata", report.at ? Json(inventory.supports_metadata) : Json(nullptr)},
      {"asked", inventory.asked},
      {"duration_seconds", report.at ? Json(inventory.took.count()) : Json(nullptr)},
      {"reply_bytes", report.at ? Json(inventory.bytes) : Json(nullptr)},
      {"error", report.error.empty() ? Json(nullptr) : Json(report.error)},
      {"incomplete", inventory.gap ? Json(describe(*inventory.gap)) : Json(nullptr)},
      {"problems", std::move(problems)},
      {"absent", std::move(absent)},
      {"countersets", std::move(countersets)}};
  return document.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace winperf::json
