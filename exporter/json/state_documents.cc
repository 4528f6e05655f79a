#include "exporter/json/state_documents.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "exporter/json/json_text.h"

namespace winperf::json {
namespace {

using Json = nlohmann::ordered_json;

void append_label(std::string& out, std::string_view name, std::string_view value) {
  if (!out.ends_with('{')) out += ',';
  append_string(out, name);
  append_field(out, ":", value);
}

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

Json time_of(const std::optional<Ticks100ns>& time) {
  if (!time) return nullptr;
  std::string text;
  append_time(text, *time);
  return Json::parse(text);
}

// Names come from outside: invalid UTF-8 is replaced and throws no exception.
std::string line_of(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

std::string targets_document(std::span<const TargetState> targets, std::string_view address) {
  std::string out = "[";
  for (const TargetState& target : targets) {
    if (!target.is_named) continue;
    out += out.size() == 1 ? "\n{\"targets\":[" : ",\n{\"targets\":[";
    append_string(out, address);
    out += "],\"labels\":{";
    append_label(out, "__metrics_path__", "/probe");
    append_label(out, "__param_target", target.host);
    append_label(out, "__param_module", target.module);
    bool has_instance = false;
    for (const auto& [name, value] : target.labels) {
      append_label(out, name, value);
      has_instance |= name == "instance";
    }
    // Otherwise it would be this program's address, the same for all.
    if (!has_instance) append_label(out, "instance", target.host);
    // It tells the series of a machine's entries apart.
    if (target.module != kDefaultModule) append_label(out, "module", target.module);
    out += "}}";
  }
  return out + "\n]\n";
}

std::string facts_document(const FactSnapshot& facts, std::optional<FactTopic> topic,
                           SteadyTime now) {
  Json topics = Json::array();
  for (const FactState& state : facts.topics)
    if (!topic || state.topic == *topic) topics.push_back(topic_object(state, now));
  return line_of({{"topics", std::move(topics)}});
}

std::string discovery_document(const DiscoveryReport& report) {
  const Inventory& inventory = report.inventory;
  Json countersets = Json::array();
  for (const KnownCounterset& known : inventory.countersets)
    countersets.push_back({{"name", known.name},
                           {"key", known.key},
                           {"costly", known.is_costly},
                           {"active", known.is_active},
                           {"sampled", report.sampled.contains(known.key)}});
  Json problems = Json::array();
  for (const Error& problem : inventory.problems) problems.push_back(describe(problem));
  return line_of({{"found_at", time_of(report.at)},
                  {"supports_metadata", report.at ? Json(inventory.supports_metadata) : Json()},
                  {"asked", inventory.asked},
                  {"duration_seconds", report.at ? Json(inventory.took.count()) : Json()},
                  {"reply_bytes", report.at ? Json(inventory.bytes) : Json()},
                  {"error", report.error.empty() ? Json() : Json(report.error)},
                  {"incomplete", inventory.gap ? Json(describe(*inventory.gap)) : Json()},
                  {"problems", std::move(problems)},
                  {"absent", report.absent},
                  {"countersets", std::move(countersets)}});
}

}  // namespace winperf::json
