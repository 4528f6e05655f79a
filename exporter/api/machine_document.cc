#include "exporter/api/documents.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <ranges>
#include <string_view>
#include <utility>
#include <variant>

#include "collectors/base/ascii.h"
#include "exporter/api/processor_count.h"
#include "exporter/json/json_text.h"

namespace winperf::api {
namespace {

using MachineJson = nlohmann::ordered_json;

// The one row of a topic about the machine; null if it isn't known, or is too old.
const FactRow* row_of(const FactSnapshot* facts, FactTopic topic, SteadyTime now) {
  if (facts == nullptr) return nullptr;
  const auto state = std::ranges::find(facts->topics, topic, &FactState::topic);
  if (state == facts->topics.end() || !is_fresh(*state, now) || state->table->rows.empty())
    return nullptr;
  return &state->table->rows.front();
}

MachineJson field_of(const FactRow* row, std::string_view field) {
  const FactValue* const value = row == nullptr ? nullptr : row->find(field);
  if (value == nullptr) return nullptr;
  return std::visit([](const auto& one) { return MachineJson(one); }, *value);
}

MachineJson fields_of(const FactRow* row,
                      std::initializer_list<std::pair<const char*, std::string_view>> fields) {
  MachineJson object = MachineJson::object();
  for (const auto& [key, field] : fields) object[key] = field_of(row, field);
  return object;
}

MachineJson time_text(std::optional<Ticks100ns> time) {
  if (!time) return nullptr;
  std::string text;
  json::append_time(text, *time);
  return MachineJson::parse(text);
}

std::optional<Ticks100ns> time_of_seconds(const MachineJson& unix_seconds) {
  if (!unix_seconds.is_number()) return std::nullopt;
  return Ticks100ns{kUnixEpoch100ns +
                    static_cast<std::int64_t>(unix_seconds.get<double>() * kTicks100nsPerSecond)};
}

const CountersetState* newest(const Sample* sample) {
  const CountersetState* found = nullptr;
  if (sample != nullptr)
    for (const CountersetState& state : sample->countersets)
      if (state.sample != nullptr &&
          (found == nullptr || state.sampled_at.steady > found->sampled_at.steady))
        found = &state;
  return found;
}

MachineJson clocks_of(const CountersetState* state) {
  if (state == nullptr) return nullptr;
  const Clocks& clocks = state->sample->clocks;
  return {{"perf_time", std::to_string(clocks.perf_time.ticks)},
          {"perf_frequency", std::to_string(clocks.perf_frequency.ticks_per_second)},
          {"time_100ns", std::to_string(clocks.time_100ns.ticks)}};
}

// "System\System Up Time", if it is sampled.
std::optional<double> counted_uptime(const Sample* sample, SteadyTime now) {
  if (sample == nullptr) return std::nullopt;
  for (const CountersetState& state : sample->countersets) {
    if (state.sample == nullptr || !equal_names(state.sample->schema->name, "System")) continue;
    if (!is_fresh(state, now) || state.sample->rows() != 1) continue;
    const auto& counters = state.sample->schema->counters;
    for (std::size_t column = 0; column < counters.size(); ++column)
      if (equal_names(counters[column].name, "System Up Time") &&
          state.sample->reason[state.sample->cell(0, column)] == NoValue::kNone)
        return state.sample->cooked[state.sample->cell(0, column)];
  }
  return std::nullopt;
}

MachineJson uptime_of(const Sample* sample, std::optional<Ticks100ns> boot, const MachineNow& now) {
  if (boot && now.wall && *boot <= *now.wall)
    return static_cast<double>(now.wall->ticks - boot->ticks) / double{kTicks100nsPerSecond};
  const auto counted = counted_uptime(sample, now.steady);
  return counted ? MachineJson(*counted) : MachineJson();
}

MachineJson recorder_of(const recorder::History* history) {
  if (history == nullptr || history->tracks.empty()) return nullptr;
  const auto first = [](const auto& track) { return track->chunks.front()->first; };
  const Instant oldest = std::ranges::min(history->tracks | std::views::transform(first), {},
                                          [](const Instant& at) { return at.steady; });
  return {{"oldest", time_text(oldest.wall)},
          {"bytes", history->memory},
          {"budget_bytes", history->budget}};
}

}  // namespace

std::string machine_document(const MachineData& data, const BuildInfo& build, const MachineNow& now,
                             std::string_view host) {
  const auto& [sample, facts, history] = data;
  const FactRow* const os = row_of(facts, FactTopic::kOs, now.steady);
  const FactRow* const time = row_of(facts, FactTopic::kTime, now.steady);
  const FactRow* const memory = row_of(facts, FactTopic::kMemory, now.steady);
  const auto boot = time_of_seconds(field_of(os, "boot_time"));
  const auto processors = logical_processors(sample, facts, now.steady);
  const MachineJson document{
      {"name", host.empty() ? field_of(os, "hostname") : MachineJson(host)},
      {"domain", field_of(os, "domain")},
      {"os", fields_of(os, {{"product", "product"},
                            {"version", "version"},
                            {"edition", "edition"},
                            {"installation_type", "installation_type"}})},
      {"exporter",
       {{"version", build.version},
        {"revision", build.revision},
        {"os", build.os},
        {"arch", build.arch}}},
      {"time", time_text(host.empty() ? now.wall : std::nullopt)},
      {"timezone", field_of(time, "timezone")},
      {"utc_offset_seconds", field_of(time, "utc_offset")},
      {"boot_time", time_text(boot)},
      {"uptime_seconds", uptime_of(sample, boot, now)},
      {"memory", fields_of(memory, {{"physical_total_bytes", "physical_total"},
                                    {"physical_free_bytes", "physical_free"},
                                    {"commit_limit_bytes", "commit_limit"},
                                    {"commit_free_bytes", "commit_free"}})},
      {"logical_processors", processors ? MachineJson(*processors) : MachineJson()},
      {"clocks", clocks_of(newest(sample))},
      {"recorder", recorder_of(history)}};
  return document.dump(-1, ' ', false, MachineJson::error_handler_t::replace) + '\n';
}

}  // namespace winperf::api
