#include "exporter/json/sample_document.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "collectors/model/sample.h"
#include "exporter/json/json_text.h"
#include "exporter/json/sample_columns.h"
#include "exporter/json/value_objects.h"
#include "exporter/json/worker_objects.h"

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
    // It distinguishes the series of a machine's entries.
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

namespace {

// Up to and including what depends on the time.
void append_start(std::string& out, const CountersetState& state, SteadyTime now) {
  append_field(out, "{\"name\":", state.name);
  if (state.sample == nullptr) {
    out +=
        ",\"object\":null,\"path\":null,\"object_index\":null,\"sampled_at\":null,"
        "\"age_seconds\":null,\"stale\":null";
    if (!state.machine.empty()) {
      append_field(out, ",\"machine\":", state.machine);
    }
    return;
  }
  append_field(out, ",\"object\":", state.sample->schema->name);
  out += ',';
  append_origin(out, *state.sample->schema);
  append_field(out, ",\"sampled_at\":", state.sampled_at.wall);
  append_field(out, ",\"age_seconds\":", age(state, now).count());
  append_field(out, ",\"stale\":", is_stale(state, now));
}

void append_rows(std::string& out, const CountersetSample* sample) {
  out += "\"values\":[";
  bool first = true;
  if (sample != nullptr) append_values(out, *sample, first);
  out += ']';
}

void append_rest(std::string& out, const CountersetState& state, SampleForm form) {
  append_field(out, ",\"success\":", state.success);
  if (state.is_absent) out += ",\"absent\":true";
  append_field(out, ",\"error\":", state.error);
  append_field(out, ",\"preferred_path_error\":", state.preferred_path_error);
  append_field(out, ",\"damage\":", state.sample != nullptr ? state.sample->damage : std::nullopt);
  if (state.sample != nullptr && state.sample->instances_left_out != 0) {
    append_field(out, ",\"instances_left_out\":", state.sample->instances_left_out);
  }
  append_field(out, ",\"duration_seconds\":", state.duration_seconds);
  out += ',';
  (form == SampleForm::kRows ? append_rows : append_columns)(out, state.sample.get());
  out += '}';
}

void append_problem(std::string& out, const ProblemCount& problem) {
  append_field(out, "{\"counterset\":", problem.counterset);
  append_field(out, ",\"reason\":", name_of(problem.code));
  append_field(out, ",\"count\":", problem.count);
  append_field(out, ",\"last\":", describe(problem.last));
  out += '}';
}

}  // namespace

SampleDocument::SampleDocument(std::shared_ptr<const Sample> sample, SampleForm form)
    : sample_(std::move(sample)),
      form_(form),
      index_(sample_),
      values_(sample_->countersets.size()) {}

std::optional<std::string> SampleDocument::unknown_counterset(
    std::span<const std::string> names) const {
  const auto unknown =
      std::ranges::find_if(names, [&](const std::string& name) { return !index_.has(name); });
  return unknown != names.end() ? std::optional(*unknown) : std::nullopt;
}

template <class AddOwn, class AddShared>
void SampleDocument::write(std::span<const std::string> names, SteadyTime now,
                           const AddOwn& add_own, const AddShared& add_shared) {
  const PageSelection selection(PageFilter{.countersets = {names.begin(), names.end()}}, &index_);
  std::string own;
  append_field(own, "{\"sequence\":", sample_->sequence);
  append_field(own, ",\"time\":", sample_->published_at);
  own += ",\"countersets\":[";
  bool first = true;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (!selection.has_counterset(i)) continue;
    if (!first) own += ',';
    first = false;
    append_start(own, sample_->countersets[i], now);
    add_own(std::exchange(own, {}));
    add_shared(i);
  }
  own += ']';
  if (next_) append_field(own, ",\"next\":", next_->empty() ? std::nullopt : next_);
  own += ",\"problems\":[";
  append_list(own, sample_->problems, append_problem);
  own += "],\"workers\":[";
  append_list(own, sample_->workers, append_worker);
  own += "],\"providers\":[";
  append_list(own, sample_->providers, append_provider);
  add_own(own + "]}\n");
}

SharedText SampleDocument::text(std::span<const std::string> names, SteadyTime now) {
  SharedText document;
  write(
      names, now, [&](std::string text) { document.add(std::move(text)); },
      [&](std::size_t index) { document.add(rendered(index)); });
  return document;
}

SharedText SampleDocument::gzipped(std::span<const std::string> names, SteadyTime now) {
  GzipFile file;
  write(
      names, now, [&](const std::string& text) { file.store(text); },
      [&](std::size_t index) { file.add(compressed(index)); });
  return std::move(file).finish();
}

SharedText::Piece SampleDocument::rendered(std::size_t index) {
  Values& values = values_[index];
  std::call_once(values.render_once, [&] {
    std::string text;
    append_rest(text, sample_->countersets[index], form_);
    text.shrink_to_fit();  // it stays until the next sample
    values.text = std::make_shared<const std::string>(std::move(text));
  });
  return values.text;
}

const DeflatedPart& SampleDocument::compressed(std::size_t index) {
  Values& values = values_[index];
  std::call_once(values.compress_once, [&] { values.compressed = deflate_part(*rendered(index)); });
  return values.compressed;
}

std::string SampleDocument::etag(SteadyTime now) const {
  // Of the newest values: while sampling works, a document is gone before it is a minute old.
  SteadyTime newest{};
  for (const CountersetState& state : sample_->countersets)
    newest = std::max(newest, state.sampled_at.steady);
  const auto minutes = std::chrono::floor<std::chrono::minutes>(now - newest).count();
  const auto stale = std::ranges::count_if(
      sample_->countersets, [&](const CountersetState& state) { return is_stale(state, now); });
  std::string tag = "W/\"" + std::to_string(sample_->published_at.ticks);
  for (const std::int64_t part : {std::int64_t(sample_->sequence), std::int64_t(minutes), stale})
    tag += '-' + std::to_string(part);
  return tag + '"';
}

void append_query_line(std::string& out, unsigned schema, std::uint64_t sequence,
                       std::optional<Ticks100ns> time,
                       std::span<const std::shared_ptr<const CountersetSample>> countersets) {
  append_field(out, "{\"schema\":", schema);
  append_field(out, ",\"sequence\":", sequence);
  append_field(out, ",\"time\":", time);
  out += ",\"values\":[";
  bool first = true;
  for (const auto& counterset : countersets) {
    if (counterset != nullptr) append_values(out, *counterset, first);
  }
  out += "]}\n";
}

}  // namespace winperf::json
