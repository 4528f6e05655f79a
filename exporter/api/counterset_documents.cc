#include "exporter/api/counterset_documents.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/hex.h"
#include "config/patterns.h"
#include "exporter/api/documents.h"
#include "exporter/api/sample_query.h"

namespace winperf::api {
namespace {

using Json = nlohmann::ordered_json;

// Names come from outside: invalid UTF-8 is replaced.
std::string text_of(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

std::string hex_of(CounterType type) {
  constexpr std::size_t kDigits = 8;
  return "0x" + std::string(upper_hex(value_of(type), kDigits));
}

std::string_view status_of(const CountersetState& state, SteadyTime now) {
  if (state.is_absent) return "absent";
  if (state.attempts == 0 && state.sample == nullptr) return "pending";
  if (is_stale(state, now)) return "stale";
  return state.success ? "ok" : "failed";
}

Json identity_of(const CountersetState& state) {
  Json entry{{"name", state.name}, {"object", Json()}, {"path", Json()}, {"object_index", Json()}};
  if (!state.machine.empty()) entry["machine"] = state.machine;
  if (state.sample == nullptr) return entry;
  const CountersetSchema& schema = *state.sample->schema;
  entry["object"] = schema.name;
  entry["path"] = name_of(schema.path);
  if (schema.path == CounterPath::kRegistry) entry["object_index"] = value_of(schema.index);
  if (schema.guid) entry["guid"] = to_string(*schema.guid);
  return entry;
}

Json repair_of(const std::vector<RepairStep>& steps) {
  Json repair = Json::array();
  for (const RepairStep& step : steps)
    repair.push_back({{"command", or_null(step.command)}, {"text", step.text}});
  return repair;
}

Json state_of(const CountersetState& state, SteadyTime now, const Advise& advise) {
  const Advice advice = state.error && advise ? advise(state) : Advice();
  Json entry = identity_of(state);
  entry["status"] = status_of(state, now);
  entry["reason"] = state.error ? Json(name_of(state.error->code)) : Json();
  entry["sentence"] = or_null(advice.sentence);
  if (state.error && advice.sentence.empty()) entry["sentence"] = describe_failure(state);
  entry["repair"] = repair_of(advice.repair);
  entry["interval_seconds"] = std::chrono::duration<double>(state.interval).count();
  entry["age_seconds"] = state.sample ? Json(age(state, now).count()) : Json();
  entry["duration_seconds"] = state.duration_seconds;
  entry["attempts"] = state.attempts;
  entry["failures"] = state.failures;
  entry["missed"] = state.skipped_ticks;
  entry["late_seconds"] = state.late_seconds ? Json(*state.late_seconds) : Json();
  return entry;
}

Json metric_of(const NamedMetric& metric) {
  return {{"name", metric.name},
          {"type", name_of(metric.type)},
          {"unit", or_null(metric.unit)},
          {"on_page", metric.on_page},
          {"promql", or_null(with_labels(metric, {}))}};
}

Json type_of(const CounterSchema& counter) {
  return {{"type", hex_of(counter.type)}, {"type_name", to_string(counter.type)}};
}

Json counter_of(const CounterSchema& counter, const std::vector<NamedMetric>& metrics) {
  Json entry{{"name", counter.name}, {"counter_index", value_of(counter.index)}};
  entry.update(type_of(counter));
  if (counter.has_base) entry["base_type"] = hex_of(counter.base_type);
  entry["formula"] = or_null(std::string(winperf::text_of(counter.info().formula)));
  entry["help"] = counter.help;
  entry["scale"] = counter.default_scale;
  entry["metrics"] = Json::array();
  for (const NamedMetric& metric : metrics) entry["metrics"].push_back(metric_of(metric));
  return entry;
}

// How well it fits: 0 is best; 3: not at all. All texts are in lower case, but for the counter's.
int rank_of(const CounterSchema& counter, const std::string& counterset, const std::string& text) {
  const auto has = [&](const std::string& name) {
    return ascii_lower(name).find(text) != std::string::npos;
  };
  if (has(counter.name) || has(counter.local_name)) return 0;
  if (counterset.find(text) != std::string::npos) return 1;
  return has(counter.help) ? 2 : 3;
}

Json found_counter(const CountersetState& state, const CounterSchema& counter) {
  Json entry{{"counterset", state.name},
             {"object", state.sample->schema->name},
             {"name", counter.name},
             {"local_name", or_null(counter.local_name)}};
  entry.update(type_of(counter));
  entry["help"] = counter.help;
  return entry;
}

}  // namespace

std::string countersets_document(const Sample& sample, std::span<const std::uint64_t> series,
                                 SteadyTime now, const Advise& advise) {
  Json countersets = Json::array();
  for (std::size_t i = 0; i < sample.countersets.size(); ++i) {
    const CountersetState& state = sample.countersets[i];
    Json& entry = countersets.emplace_back(state_of(state, now, advise));
    const CountersetSample* const values = state.sample.get();
    entry["counters"] = values ? Json(values->columns()) : Json();
    entry["instances"] = values && values->schema->multi_instance ? Json(values->rows()) : Json();
    entry["series"] = i < series.size() ? Json(series[i]) : Json();
  }
  return text_of({{"countersets", std::move(countersets)}});
}

std::string counterset_document(const Sample& sample, std::size_t place, MetricNames& names,
                                SteadyTime now, const Advise& advise) {
  const CountersetState& state = sample.countersets[place];
  Json document = state_of(state, now, advise);
  document["help"] = Json();
  document["multi_instance"] = Json();
  document["counters"] = Json::array();
  document["instance_names"] = Json::array();
  if (state.sample == nullptr) return text_of(document);
  const CountersetSchema& schema = *state.sample->schema;
  document["help"] = schema.help;
  document["multi_instance"] = schema.multi_instance;
  const auto metrics = names.of(sample, place);
  for (std::size_t column = 0; column < schema.counters.size(); ++column)
    document["counters"].push_back(counter_of(schema.counters[column], metrics[column]));
  if (schema.multi_instance)
    for (const InstanceSchema& instance : state.sample->instances->instances)
      document["instance_names"].push_back(display_name(instance));
  return text_of(document);
}

std::string counters_document(const Sample& sample, std::string_view text) {
  const std::string wanted = ascii_lower(text);
  std::vector<std::vector<Json>> by_rank(3);
  std::size_t found = 0;
  for (const CountersetState& state : sample.countersets) {
    if (state.sample == nullptr) continue;
    const std::string counterset = ascii_lower(state.sample->schema->name);
    for (const CounterSchema& counter : state.sample->schema->counters) {
      const int rank = rank_of(counter, counterset, wanted);
      if (rank == 3) continue;
      ++found;
      auto& list = by_rank.at(static_cast<std::size_t>(rank));
      if (list.size() < kMostCountersFound) list.push_back(found_counter(state, counter));
    }
  }
  Json counters = Json::array();
  for (auto& list : by_rank)
    for (Json& counter : list)
      if (counters.size() < kMostCountersFound) counters.push_back(std::move(counter));
  const std::size_t left_out = found - counters.size();
  return text_of({{"counters", std::move(counters)}, {"left_out", left_out}});
}

namespace {

// The metrics of a counter with the series of the instances at these rows.
Json named_metrics_of(const std::vector<NamedMetric>& metrics, const CountersetSample& sample,
                      const std::vector<std::size_t>& rows) {
  Json list = Json::array();
  for (const NamedMetric& metric : metrics) {
    Json& entry = list.emplace_back(metric_of(metric));
    Json& series = entry["series"] = Json::array();
    for (const RowText& row : metric.rows) {
      if (series.size() == kMostInstancesNamed) break;
      if (std::ranges::find(rows, row.row) == rows.end()) continue;
      std::string labels(row.labels());
      if (!metric.labels.empty()) labels += (labels.empty() ? "" : ",") + metric.labels;
      const bool has_instance = sample.schema->multi_instance;
      series.push_back(
          {{"instance", has_instance ? display_name(sample.instances->instances[row.row]) : ""},
           {"labels", Json::parse(label_object(labels))},
           {"promql", or_null(with_labels(metric, row.labels()))}});
    }
  }
  return list;
}

// The rows of the whole sample that are in the part, whose instances have their order.
std::vector<std::size_t> rows_in(const CountersetSample& whole, const CountersetSample& part) {
  if (!whole.schema->multi_instance) return {0};
  std::vector<std::size_t> rows;
  std::size_t next = 0;
  for (std::size_t row = 0; row < whole.rows() && next < part.rows(); ++row)
    if (whole.instances->instances[row] == part.instances->instances[next]) {
      rows.push_back(row);
      ++next;
    }
  return rows;
}

void add_named(Json& counters, const CountersetIndex& index, const CountersetState& part,
               MetricNames& names) {
  const auto& all = index.sample().countersets;
  const auto state = std::ranges::find_if(all, [&](const CountersetState& one) {
    return one.sample != nullptr && one.name == part.name && one.machine == part.machine;
  });
  if (state == all.end()) return;
  const auto metrics = names.of(index.sample(), static_cast<std::size_t>(state - all.begin()));
  const CountersetSchema& schema = *state->sample->schema;
  const auto rows = rows_in(*state->sample, *part.sample);
  for (const CounterSchema& counter : part.sample->schema->counters) {
    const auto column = static_cast<std::size_t>(
        std::ranges::find(schema.counters, counter.index, &CounterSchema::index) -
        schema.counters.begin());
    Json& entry = counters.emplace_back(Json{{"object", schema.name}, {"counter", counter.name}});
    entry.update(type_of(counter));
    entry["metrics"] = named_metrics_of(metrics.at(column), *state->sample, rows);
  }
}

}  // namespace

std::expected<std::string, Problem> names_document(const CountersetIndex& index,
                                                   const std::string& path, MetricNames& names) {
  const auto parsed = parse_perfmon_path(path);
  if (const auto problem = name_problem(path); !parsed || problem)
    return std::unexpected(Problem{.detail = excerpt(path) + ' ' +
                                             problem.value_or("is not a path; write, for example, "
                                                              "\\Memory\\Available Bytes"),
                                   .parameter = "path"});
  Json counters = Json::array();
  // An unknown counterset may still be one that the configuration could sample.
  if (const auto part = select_sample(index, {{"path", path}}))
    for (const CountersetState& state : part->sample->countersets)
      if (state.sample != nullptr) add_named(counters, index, state, names);
  std::string quoted = local_path(*parsed);
  for (std::size_t at = 0; (at = quoted.find('\'', at)) != std::string::npos; at += 2)
    quoted.insert(at, 1, '\'');
  const bool is_sampled = !counters.empty();
  return text_of({{"path", local_path(*parsed)},
                  {"sampled", is_sampled},
                  {"counters", std::move(counters)},
                  {"configuration", "countersets:\n  - '" + quoted + "'\n"}});
}

}  // namespace winperf::api
