#include "collectors/sampling/perflib/v2_layout.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace winperf {
namespace {

using v2::CounterRegistration;
using v2::CountersetRegistration;

std::optional<std::uint32_t> existing(const CountersetRegistration& registration,
                                      std::optional<std::uint32_t> id) {
  return id && registration.find(*id) != nullptr ? id : std::nullopt;
}

V2Column column_of(const CountersetRegistration& registration, const CounterRegistration& counter,
                   const CounterTypeInfo& info) {
  V2Column column{.id = counter.id};
  if (info.base != BaseKind::kNone) {
    column.base_id = info.base == BaseKind::kMulti ? existing(registration, counter.multi_id)
                                                   : existing(registration, counter.base_id);
    // A precision timer on the object's clock is divided by that clock.
    if (!column.base_id && info.time_base == TimeBase::kObject)
      column.base_id = existing(registration, counter.perf_time_id);
  }
  if (info.time_base == TimeBase::kObject) {
    column.time_id = existing(registration, counter.perf_time_id);
    column.frequency_id = existing(registration, counter.perf_freq_id);
  }
  return column;
}

// Counters that others are computed from and that aren't meant to be shown.
std::set<std::uint32_t> hidden_counters(const CountersetRegistration& registration) {
  std::set<std::uint32_t> hidden;
  for (const CounterRegistration& counter : registration.counters) {
    const V2Column column = column_of(registration, counter, describe(counter.type));
    for (const auto& id : {column.base_id, column.time_id, column.frequency_id}) {
      if (!id) continue;
      const CounterRegistration& used = *registration.find(*id);
      if (describe(used.type).is_base || (used.attributes & v2::kAttribNotDisplayed) != 0)
        hidden.insert(*id);
    }
  }
  return hidden;
}

std::string text_of(const std::map<std::uint32_t, std::string>& texts, std::uint32_t id) {
  const auto found = texts.find(id);
  return found == texts.end() ? std::string() : found->second;
}

// Whether the provider has named its counters except this one, which then isn't meant to be shown.
// If no counter has a name, the names couldn't be read.
bool is_nameless(const V2Counterset& counterset, std::uint32_t id) {
  const auto& names = counterset.counter_names;
  const auto is_name = [](const auto& entry) { return !entry.second.empty(); };
  return text_of(names, id).empty() && text_of(counterset.local_counter_names, id).empty() &&
         std::ranges::any_of(names, is_name);
}

std::uint32_t size_of(const CounterRegistration& counter, const CounterTypeInfo& info,
                      const std::map<std::uint32_t, std::uint8_t>& sizes) {
  const auto seen = sizes.find(counter.id);
  return seen == sizes.end() ? info.raw_bytes : seen->second;
}

CounterSchema make_schema(const V2Counterset& counterset, const CounterRegistration& counter,
                          const V2Column& column,
                          const std::map<std::uint32_t, std::uint8_t>& sizes) {
  CounterSchema schema;
  schema.index = CounterIndex{counter.id};
  schema.name = text_of(counterset.counter_names, counter.id);
  schema.local_name = text_of(counterset.local_counter_names, counter.id);
  schema.help = text_of(counterset.counter_helps, counter.id);
  schema.type = counter.type;
  schema.size = size_of(counter, schema.info(), sizes);
  schema.default_scale = counter.default_scale;
  schema.detail_level = counter.detail_level;
  if (!column.base_id) return schema;
  const CounterRegistration& base = *counterset.registration.find(*column.base_id);
  schema.has_base = true;
  schema.base_type = base.type;
  schema.base_size = size_of(base, describe(base.type), sizes);
  return schema;
}

}  // namespace

V2Layout build_v2_layout(const V2Counterset& counterset, const Selection& selection,
                         const std::map<std::uint32_t, std::uint8_t>& sizes) {
  const CountersetRegistration& registration = counterset.registration;
  auto schema = std::make_shared<CountersetSchema>();
  schema->path = CounterPath::kPerflib;
  schema->guid = registration.guid;
  schema->name = counterset.name;
  schema->help = counterset.help;
  schema->detail_level = registration.detail_level;
  schema->multi_instance = v2::shows_instances(registration.instance_type);

  V2Layout layout;
  const std::set<std::uint32_t> hidden = hidden_counters(registration);
  for (const CounterRegistration& counter : registration.counters) {
    if (hidden.contains(counter.id)) continue;
    if (is_nameless(counterset, counter.id)) {
      if (!describe(counter.type).is_base) ++schema->nameless;
      continue;
    }
    const V2Column column = column_of(registration, counter, describe(counter.type));
    CounterSchema entry = make_schema(counterset, counter, column, sizes);
    layout.identity.note(*schema, entry, counter.id,
                         [&](std::string_view name) { return entry.name == name; });
    if (selection.counters && !selection.counters(entry)) continue;
    layout.has_own_clocks = layout.has_own_clocks || column.time_id || column.frequency_id;
    layout.columns.push_back(column);
    schema->counters.push_back(std::move(entry));
  }
  read_by_names(*schema);
  layout.layout = layout_of(*schema);
  layout.schema = std::move(schema);
  return layout;
}

}  // namespace winperf
