#include "exporter/json/facts_document.h"

#include <chrono>
#include <nlohmann/json.hpp>

namespace winperf::json {
namespace {

using Json = nlohmann::ordered_json;

Json rows_of(const FactTable& table) {
  Json rows = Json::array();
  for (const FactRow& row : table.rows) {
    Json& to = rows.emplace_back(Json::object());
    for (const auto& [field, value] : row.fields())
      std::visit([&to, &name = field](const auto& one) { to[name] = one; }, value);
  }
  return rows;
}

Json topic_object(const FactState& state, SteadyTime now) {
  Json topic{{"topic", name_of(state.topic)},
             {"success", state.success},
             {"error", state.error ? Json(describe(*state.error)) : Json()},
             {"duration_seconds", state.duration_seconds},
             {"age_seconds", Json()}};
  if (!is_fresh(state, now)) return topic;
  topic["age_seconds"] = std::chrono::duration<double>(now - state.read_at).count();
  topic["rows"] = rows_of(*state.table);
  topic["problems"] = state.table->problems;
  return topic;
}

}  // namespace

std::string facts_document(const FactSnapshot& facts, std::optional<FactTopic> topic,
                           SteadyTime now) {
  Json topics = Json::array();
  for (const FactState& state : facts.topics)
    if (!topic || state.topic == *topic) topics.push_back(topic_object(state, now));
  return Json{{"topics", std::move(topics)}}.dump(-1, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

}  // namespace winperf::json
