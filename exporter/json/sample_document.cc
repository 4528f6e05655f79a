#include "exporter/json/sample_document.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/base/hex.h"
#include "collectors/model/sample.h"
#include "exporter/json/json_text.h"

namespace winperf::json {
namespace {

void append_type(std::string& out, CounterType type) {
  constexpr std::size_t kDigits = 8;
  out += "\"0x" + upper_hex(value_of(type), kDigits) + '"';
}

// The part that is the same for all instances.
std::string counter_part(const CountersetSchema& schema, const CounterSchema& counter) {
  std::string out = "{\"object\":";
  append_string(out, schema.name);
  out += ',';
  append_origin(out, schema);
  out += ",\"counter\":";
  append_string(out, counter.name);
  out += ",\"counter_index\":";
  append_number(out, std::uint64_t{value_of(counter.index)});
  out += ",\"type\":";
  append_type(out, counter.type);
  return out;
}

// The part that is the same for all counters.
std::string instance_part(const CountersetSample& sample, std::size_t row) {
  if (!sample.schema->multi_instance) return ",\"instance\":\"\",\"instance_ordinal\":null";
  const InstanceSchema& instance = sample.instances->instances[row];
  std::string out = ",\"instance\":";
  append_string(out, instance.name);
  out += ",\"instance_ordinal\":";
  append_number(out, std::uint64_t{instance.ordinal});
  if (!instance.parent.empty()) {
    out += ",\"parent\":";
    append_string(out, instance.parent);
  }
  if (!instance.labels.empty()) {
    out += ",\"labels\":{";
    for (const InstanceLabel& label : instance.labels) {
      if (&label != &instance.labels.front()) out += ',';
      append_string(out, label.name);
      out += ':';
      append_string(out, label.value);
    }
    out += '}';
  }
  return out;
}

void append_raw(std::string& out, const CounterSchema& counter, std::uint64_t raw) {
  if (counter.info().formula == Formula::kDouble) {
    append_number(out, std::bit_cast<double>(raw));
  } else {
    out += raw_text(counter, raw);
  }
}

void append_cooked(std::string& out, NoValue reason, double cooked) {
  const bool finite = reason == NoValue::kNone && std::isfinite(cooked);
  out += ",\"cooked\":";
  if (finite) {
    append_number(out, cooked);
    out += ",\"reason\":null}";
    return;
  }
  out += "null,\"reason\":";
  append_string(out, reason == NoValue::kNone ? "not_finite" : name_of(reason));
  out += '}';
}

void append_cell(std::string& out, const CountersetSample& sample, const CounterSchema& counter,
                 std::size_t cell) {
  const NoValue reason = sample.reason[cell];
  out += ",\"raw\":";
  if (has_raw(reason)) {
    append_raw(out, counter, sample.raw[cell]);
  } else {
    out += "null";
  }
  if (counter.has_base) {
    out += ",\"base\":";
    if (has_raw(reason) && reason != NoValue::kNoBase) {
      append_number(out, sample.base[cell]);
    } else {
      out += "null";
    }
  }
  append_cooked(out, reason, sample.cooked[cell]);
}

}  // namespace

void append_origin(std::string& out, const CountersetSchema& schema) {
  out += "\"path\":\"";
  out += name_of(schema.path);
  out += "\",\"object_index\":";
  if (schema.path == CounterPath::kRegistry) {
    append_number(out, std::uint64_t{value_of(schema.index)});
  } else {
    out += "null";
  }
  if (schema.guid) {
    out += ",\"guid\":";
    append_string(out, to_string(*schema.guid));
  }
  if (!schema.machine.empty()) {
    out += ",\"machine\":";
    append_string(out, schema.machine);
  }
}

void append_values(std::string& out, const CountersetSample& sample, bool& first) {
  std::vector<std::string> counters;
  for (const CounterSchema& counter : sample.schema->counters) {
    counters.push_back(counter_part(*sample.schema, counter));
  }
  for (std::size_t row = 0; row < sample.rows(); ++row) {
    const std::string instance = instance_part(sample, row);
    for (std::size_t column = 0; column < sample.columns(); ++column) {
      if (!first) out += ',';
      first = false;
      out += counters[column];
      out += instance;
      append_cell(out, sample, sample.schema->counters[column], sample.cell(row, column));
    }
  }
}

namespace {

void append_error(std::string& out, const std::optional<Error>& error) {
  if (error) {
    append_string(out, describe(*error));
  } else {
    out += "null";
  }
}

void append_sample_head(std::string& out, const CountersetState& state, SteadyTime now) {
  if (state.sample == nullptr) {
    out +=
        "\"object\":null,\"path\":null,\"object_index\":null,\"sampled_at\":null,"
        "\"age_seconds\":null,\"stale\":null";
    if (!state.machine.empty()) {
      out += ",\"machine\":";
      append_string(out, state.machine);
    }
    return;
  }
  out += "\"object\":";
  append_string(out, state.sample->schema->name);
  out += ',';
  append_origin(out, *state.sample->schema);
  out += ",\"sampled_at\":";
  append_time(out, state.sampled_at.wall);
  out += ",\"age_seconds\":";
  append_number(out, age(state, now).count());
  out += ",\"stale\":";
  out += is_stale(state, now) ? "true" : "false";
}

// Up to and including what depends on the time.
void append_start(std::string& out, const CountersetState& state, SteadyTime now) {
  out += "{\"name\":";
  append_string(out, state.name);
  out += ',';
  append_sample_head(out, state, now);
}

void append_rest(std::string& out, const CountersetState& state) {
  out += ",\"success\":";
  out += state.success ? "true" : "false";
  if (state.is_absent) out += ",\"absent\":true";
  out += ",\"error\":";
  append_error(out, state.error);
  out += ",\"preferred_path_error\":";
  append_error(out, state.preferred_path_error);
  out += ",\"damage\":";
  append_error(out, state.sample != nullptr ? state.sample->damage : std::nullopt);
  if (state.sample != nullptr && state.sample->instances_left_out != 0) {
    out += ",\"instances_left_out\":";
    append_number(out, state.sample->instances_left_out);
  }
  out += ",\"duration_seconds\":";
  append_number(out, state.duration_seconds);
  out += ",\"values\":[";
  bool first = true;
  if (state.sample != nullptr) append_values(out, *state.sample, first);
  out += "]}";
}

void append_problem(std::string& out, const ProblemCount& problem) {
  out += "{\"counterset\":";
  append_string(out, problem.counterset);
  out += ",\"reason\":";
  append_string(out, name_of(problem.code));
  out += ",\"count\":";
  append_number(out, problem.count);
  out += ",\"last\":";
  append_string(out, describe(problem.last));
  out += '}';
}

template <class Number>
void append_use(std::string& out, const char* name, const std::optional<Number>& use) {
  out += name;
  if (use) {
    append_number(out, *use);
  } else {
    out += "null";
  }
}

void append_worker(std::string& out, const WorkerState& worker) {
  out += "{\"worker\":";
  append_string(out, worker.name);
  out += ",\"running\":";
  out += worker.process_id != 0 ? "true" : "false";
  append_use(out, ",\"process_id\":",
             worker.process_id != 0 ? std::optional(worker.process_id) : std::nullopt);
  append_use(out, ",\"private_bytes\":", worker.private_bytes);
  append_use(out, ",\"handles\":", worker.handles);
  append_use(out, ",\"threads\":", worker.threads);
  out += ",\"queries\":";
  append_number(out, worker.queries);
  out += ",\"query_seconds\":";
  append_number(out, worker.query_seconds);
  out += ",\"restarts\":{";
  for (std::size_t end = 0; end < kWorkerEndCount; ++end) {
    if (end != 0) out += ',';
    append_string(out, name_of(static_cast<WorkerEnd>(end)));
    out += ':';
    append_number(out, worker.ends.at(end));
  }
  out += "}}";
}

void append_provider(std::string& out, const ProviderState& provider) {
  out += "{\"provider\":";
  append_string(out, provider.provider);
  out += ",\"worker\":";
  append_string(out, provider.worker);
  out += ",\"state\":";
  append_string(out, name_of(provider.standing));
  out += ",\"quarantine_seconds\":";
  append_number(out, provider.quarantine_seconds);
  out += ",\"queries\":";
  append_number(out, provider.queries);
  out += ",\"failures\":";
  append_number(out, provider.failures);
  out += ",\"error\":";
  append_error(out, provider.error);
  append_use(out, ",\"query_seconds\":", provider.query_seconds);
  append_use(out, ",\"reply_bytes\":", provider.reply_bytes);
  out += ",\"harms\":";
  append_number(out, provider.harms);
  out += ",\"last_harm\":";
  append_string(out, provider.last_harm);
  out += ",\"library\":";
  append_string(out, provider.library);
  out += ",\"apart_seconds\":";
  append_number(out, provider.apart_seconds);
  out += '}';
}

}  // namespace

SampleDocument::SampleDocument(std::shared_ptr<const Sample> sample)
    : sample_(std::move(sample)), index_(sample_), values_(sample_->countersets.size()) {}

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
  std::string own = "{\"sequence\":";
  append_number(own, sample_->sequence);
  own += ",\"time\":";
  append_time(own, sample_->published_at);
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
  own += "],\"problems\":[";
  first = true;
  for (const ProblemCount& problem : sample_->problems) {
    if (!first) own += ',';
    first = false;
    append_problem(own, problem);
  }
  own += "],\"workers\":[";
  first = true;
  for (const WorkerState& worker : sample_->workers) {
    if (!first) own += ',';
    first = false;
    append_worker(own, worker);
  }
  own += "],\"providers\":[";
  first = true;
  for (const ProviderState& provider : sample_->providers) {
    if (!first) own += ',';
    first = false;
    append_provider(own, provider);
  }
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
    append_rest(text, sample_->countersets[index]);
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

std::string error_document(std::string_view message) {
  std::string out = "{\"error\":";
  append_string(out, message);
  return out + "}\n";
}

void append_query_line(std::string& out, std::uint64_t sample_number,
                       std::optional<Ticks100ns> time,
                       std::span<const std::shared_ptr<const CountersetSample>> countersets) {
  out += "{\"sample\":";
  append_number(out, sample_number);
  out += ",\"time\":";
  if (time) {
    append_time(out, *time);
  } else {
    out += "null";
  }
  out += ",\"values\":[";
  bool first = true;
  for (const auto& counterset : countersets) {
    if (counterset != nullptr) append_values(out, *counterset, first);
  }
  out += "]}\n";
}

}  // namespace winperf::json
