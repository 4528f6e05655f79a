#include "exporter/mapping/object_mapping.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/model/sample.h"
#include "exporter/mapping/counter_name.h"
#include "exporter/mapping/help_text.h"
#include "exporter/mapping/name_table.h"
#include "exporter/mapping/usual_page.h"
#include "exporter/profiles/name_template.h"

namespace winperf {
namespace {

constexpr std::string_view kProfileHelp = "served under its windows_exporter name";

std::optional<std::size_t> find_counter(const CountersetSchema& schema, std::string_view names) {
  for (const auto part : names | std::views::split(kProfileOr)) {
    const std::string_view name(part);
    const auto found = std::ranges::find_if(schema.counters, [&](const CounterSchema& counter) {
      return equal_names(counter.name, name);
    });
    if (found != schema.counters.end())
      return static_cast<std::size_t>(found - schema.counters.begin());
  }
  return std::nullopt;
}

bool is_100ns_timer(const CounterTypeInfo& info) {
  return info.unit == RawUnit::kTicksOfTimeBase && info.time_base == TimeBase::k100ns &&
         info.formula != Formula::kQueueLength && !info.multi;
}

ValueSource raw_source(const CounterTypeInfo& info) {
  if (info.formula == Formula::kDouble) return ValueSource::kRawDouble;
  return info.exposition == Exposition::kCounter ? ValueSource::kTotal : ValueSource::kRaw;
}

// The clock by which a row shows a counter's ticks as seconds.
TimeBase clock_of(const ProfileRow& row, const CounterTypeInfo& info) {
  if (row.value == ProfileValue::kAsRead)
    return is_100ns_timer(info) ? TimeBase::k100ns : TimeBase::kNone;
  if (info.unit == RawUnit::kPerfTicks) return TimeBase::kPerf;
  return info.unit == RawUnit::kTicksOfTimeBase ? info.time_base : TimeBase::k100ns;
}

// Where a row's number is, and on which clock; nothing if the counter doesn't have it.
std::optional<ValueRule> rule_of(const ProfileRow& row, const CounterSchema& counter) {
  const CounterTypeInfo info = counter.info();
  ValueRule rule{.source = raw_source(info), .factor = row.factor, .offset = row.offset};
  switch (row.value) {
    case ProfileValue::kAsRead:
      if (info.unit == RawUnit::kStartTime) rule.source = ValueSource::kCooked;
      rule.ticks_of = clock_of(row, info);
      return rule;
    case ProfileValue::kRaw:
      return rule;
    case ProfileValue::kSeconds:
      rule.ticks_of = clock_of(row, info);
      return rule;
    case ProfileValue::kBase:
    case ProfileValue::kRest:
    case ProfileValue::kRatio:
      if (!counter.has_base) return std::nullopt;
      rule.source = row.value == ProfileValue::kRest          ? ValueSource::kRest
                    : row.value == ProfileValue::kRatio       ? ValueSource::kRatio
                    : info.exposition == Exposition::kCounter ? ValueSource::kBaseTotal
                                                              : ValueSource::kBase;
      return rule;
    case ProfileValue::kStart:
      if (info.unit != RawUnit::kStartTime) return std::nullopt;
      rule.source = ValueSource::kStartTime;
      rule.ticks_of = info.time_base;
      return rule;
    case ProfileValue::kState:
      rule.source = ValueSource::kState;
      rule.state = row.state;
      return rule;
    case ProfileValue::kCooked:
      rule.source = ValueSource::kCooked;
      return rule;
    case ProfileValue::kInstances:
    case ProfileValue::kConstant:
      break;
  }
  return std::nullopt;
}

// The same for a row that needs no counter, or two.
std::optional<ValueRule> rule_in(const ProfileRow& row, const CountersetSchema& schema) {
  if (row.value == ProfileValue::kInstances) return ValueRule{.source = ValueSource::kInstances};
  if (row.value == ProfileValue::kConstant)
    return ValueRule{.source = ValueSource::kConstant, .offset = row.offset};
  const auto column = find_counter(schema, row.counter);
  if (!column || schema.counters[*column].info().exposition == Exposition::kNone)
    return std::nullopt;
  auto rule = rule_of(row, schema.counters[*column]);
  if (!rule) return std::nullopt;
  rule->column = *column;
  if (row.operation == '\0') return rule;
  rule->other = find_counter(schema, row.other);
  rule->operation = row.operation;
  return rule->other ? rule : std::nullopt;
}

void add_labels(std::string& text, std::string_view labels) {
  if (labels.empty()) return;
  if (!text.empty()) text += ',';
  text += labels;
}

// Those that every series of the object has; nothing if the block isn't about it.
std::optional<std::string> labels_of_object(const ProfileBlock& block, std::string_view name) {
  for (const ProfileObject& object : block.objects) {
    const auto parts = match_name(object.name, name);
    if (!parts) continue;
    std::string labels;
    for (const LabelPart& part : *parts) add_label(labels, part.name, part.value);
    add_labels(labels, object.labels);
    return labels;
  }
  return std::nullopt;
}

ValueLabel value_label_of(const ProfileBlock& block, const CountersetSchema& schema) {
  if (!block.value_label.empty())
    if (const auto column = find_counter(schema, block.value_counter))
      return {std::string(block.value_label), *column};
  // Where it isn't known as the instance's own.
  if (block.process_id && !has_counter(schema, process_id_name(schema.name)))
    if (const auto column = find_counter(schema, "Process ID")) return {"process_id", *column};
  return {};
}

}  // namespace

std::optional<FamilyMapping> map_row(const CountersetSchema& schema, const ProfileBlock& block,
                                     const ProfileRow& row) {
  const auto rule = rule_in(row, schema);
  if (!rule) return std::nullopt;
  FamilyMapping family;
  family.stem = family.key = row.metric;
  family.type = row.is_counter ? MetricType::kCounter : MetricType::kGauge;
  family.well_known = true;
  family.help = kProfileHelp;
  family.value = *rule;
  family.text = is_of_counter(rule->source)
                    ? text_of_row(schema, schema.counters[rule->column], row)
                    : text_of_object(schema, rule->source == ValueSource::kInstances);
  family.block = &block;
  family.labels = row.labels;
  return family;
}

std::vector<FamilyMapping> map_profile(const CountersetSchema& schema, MetricProfile profile) {
  std::vector<FamilyMapping> families;
  for (const ProfileBlock& block : profile_blocks(profile)) {
    const auto labels = labels_of_object(block, schema.name);
    if (!labels) continue;
    const ValueLabel value_label = value_label_of(block, schema);
    for (const ProfileRow& row : block.rows) {
      auto family = map_row(schema, block, row);
      if (!family) continue;
      family->labels = *labels;
      add_labels(family->labels, row.labels);
      if (is_of_counter(family->value.source)) family->value_label = value_label;
      families.push_back(*std::move(family));
    }
  }
  return families;
}

namespace {

bool is_label(const CountersetSchema& schema, const CounterSchema& counter) {
  return schema.multi_instance && (equal_names(counter.name, process_id_name(schema.name)) ||
                                   equal_names(counter.name, kThreadIdName));
}

bool is_running_total(const CounterTypeInfo& info) {
  return info.exposition == Exposition::kCounter;
}

TimeBase clock_of(const CounterTypeInfo& info) {
  if (info.unit == RawUnit::kPerfTicks) return TimeBase::kPerf;
  if (info.unit == RawUnit::kNumber || info.unit == RawUnit::kRatio) return TimeBase::kNone;
  return info.time_base;
}

ValueSource source_of(const CounterTypeInfo& info, MetricType type) {
  if (info.unit == RawUnit::kRatio) return ValueSource::kRatio;
  if (info.unit == RawUnit::kStartTime) return ValueSource::kStartTime;
  if (info.formula == Formula::kDouble) return ValueSource::kRawDouble;
  return type == MetricType::kCounter ? ValueSource::kTotal : ValueSource::kRaw;
}

MetricType type_of(const CounterTypeInfo& info, const CounterRow& row) {
  const bool grows = is_running_total(info) || (row.cumulative && info.unit == RawUnit::kNumber &&
                                                info.formula == Formula::kRaw);
  return grows ? MetricType::kCounter : MetricType::kGauge;
}

class ObjectMapper {
 public:
  ObjectMapper(const CountersetSchema& schema, const MappingOptions& options,
               const MappingContext& context)
      : schema_(schema),
        options_(options),
        context_(context),
        installation_(installation_of(schema.name)),
        row_(object_row(schema.name)),
        object_(context.newer_is_sampled && !row_.words_with_newer.empty()
                    ? std::string(row_.words_with_newer)
                    : name_object(schema)) {
    if (installation_.label.empty()) return;
    append_label(of_installation_, installation_.label, installation_.value);
    note_label(installation_.label);
  }

  ObjectMapping run() {
    const std::vector<std::string> keys = unique_keys();
    result_.unnamed = schema_.nameless;
    for (std::size_t column = 0; column < schema_.counters.size(); ++column)
      map_counter(column, keys[column]);
    return std::move(result_);
  }

 private:
  // One counter on its way.
  struct Mapped {
    std::size_t column = 0;
    const CounterSchema& counter;
    CounterTypeInfo info;
    const CounterRow& row;
    MetricType type;
    CounterName name;
    const std::string& key;
  };

  // "object\counter", where an object that has the place of another has its name, and one of an
  // installation that of all of them; the type distinguishes counters of the same name, and the
  // index those of the same type.
  std::vector<std::string> unique_keys() const {
    std::vector<std::string> keys;
    const std::string& object = row_.words.empty() ? installation_.object : object_;
    for (const CounterSchema& counter : schema_.counters)
      keys.push_back(object + '\\' + counter.name);
    tell_apart(keys, [](const CounterSchema& counter) { return to_string(counter.type); });
    tell_apart(
        keys, [](const CounterSchema& counter) { return std::to_string(value_of(counter.index)); });
    return keys;
  }

  template <class Distinction>
  void tell_apart(std::vector<std::string>& keys, Distinction distinction) const {
    std::unordered_map<std::string, int> uses;
    for (const std::string& key : keys) ++uses[key];
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (uses.at(keys[i]) > 1) keys[i] += '\\' + distinction(schema_.counters[i]);
  }

  // The table's choice, unless a counter that covers the rest is missing.
  Shown shown(const CounterRow& row) const {
    const auto has = [this](std::string_view name) { return has_counter(schema_, name); };
    return std::ranges::all_of(alternatives(row.covered_by), has) ? row.shown : Shown::kAll;
  }

  bool is_left_to_full(const CounterSchema& counter) const {
    return options_.detail == PageDetail::kUsual &&
           usual_numbers(schema_.name, counter.name) == UsualNumbers::kNone;
  }

  // Of a running total. Prometheus computes perfmon's number from it, unless it isn't there.
  bool has_cooked(const Mapped& mapped) const {
    if (options_.values != MetricValues::kBoth) return options_.values == MetricValues::kCooked;
    if (options_.detail == PageDetail::kFull) return true;
    const bool is_only_cooked = mapped.row.shown == Shown::kCooked && mapped.row.covered_by.empty();
    return is_only_cooked ||
           usual_numbers(schema_.name, mapped.counter.name) == UsualNumbers::kBoth;
  }

  void map_counter(std::size_t column, const std::string& key) {
    const CounterSchema& counter = schema_.counters[column];
    if (is_label(schema_, counter)) return;
    const CounterTypeInfo info = counter.info();
    if (info.exposition == Exposition::kNone) {
      ++result_.not_numeric;
      return;
    }
    if (counter.name.empty()) ++result_.unnamed;
    const CounterRow& row = counter_row(schema_.name, counter.name);
    const MetricType type = type_of(info, row);
    const Mapped mapped{column, counter, info, row, type, name_counter(counter, type, row, object_),
                        key};
    const Shown what = shown(row);
    if (what == Shown::kNothing || is_left_to_full(counter)) return;
    if (what == Shown::kId) return add_id(mapped);
    if (!is_running_total(info)) return add_raw(mapped);
    if (what != Shown::kCooked && options_.values != MetricValues::kCooked) add_raw(mapped);
    if (what != Shown::kRaw && has_cooked(mapped))
      add(mapped, mapped.name.stem, mapped.name.cooked, MetricType::kGauge,
          {column, ValueSource::kCooked, TimeBase::kNone, mapped.name.cooked_factor});
  }

  void add_raw(const Mapped& mapped) {
    add(mapped, mapped.name.stem, mapped.name.unit, mapped.type,
        {mapped.column, source_of(mapped.info, mapped.type), clock_of(mapped.info),
         mapped.name.factor});
    if (!mapped.counter.has_base) return;
    const std::string unit = mapped.name.unit + "_base";
    if (mapped.info.base == BaseKind::kMulti)
      add_base(mapped, mapped.name.stem, unit, MetricType::kGauge,
               {mapped.column, ValueSource::kBase});
    const bool has_shared_base =
        !mapped.row.base_shared_with.empty() && has_counter(schema_, mapped.row.base_shared_with);
    if (!has_shared_base &&
        (mapped.info.base == BaseKind::kAverage || mapped.info.base == BaseKind::kSample))
      add_base(mapped, mapped.name.stem, unit, MetricType::kCounter,
               {mapped.column, ValueSource::kBaseTotal});
    if (!mapped.row.base.empty())
      add_base(mapped, std::string(mapped.row.base), "_bytes", MetricType::kGauge,
               {mapped.column, ValueSource::kBase, TimeBase::kNone, mapped.row.base_factor});
  }

  void add_base(const Mapped& mapped, const std::string& stem, const std::string& unit,
                MetricType type, const ValueRule& value) {
    add(mapped, stem, unit, type, value);
    FamilyMapping& family = result_.families.back();
    family.text = text_of_base(schema_, mapped.counter, family.value.source, unit);
    family.help.clear();
  }

  void add_id(const Mapped& mapped) {
    add(mapped, "", "_info", MetricType::kGauge, {mapped.column, ValueSource::kId});
    result_.families.back().value_label = {mapped.name.stem, mapped.column};
    note_label(mapped.name.stem);
  }

  void add(const Mapped& mapped, const std::string& stem, const std::string& unit, MetricType type,
           const ValueRule& value) {
    FamilyMapping family;
    family.stem = "winperf_" + object_ + (stem.empty() ? "" : '_' + stem);
    family.suffix = type == MetricType::kCounter ? unit + "_total" : unit;
    family.labels = labels_of(mapped.row);
    const std::string name = family.stem + family.suffix;
    const bool is_shared =
        !family.labels.empty() && series_.insert(name + '{' + family.labels).second;
    add_labels(family.labels, of_installation_);
    family.key = is_shared ? name : mapped.key;
    family.well_known = !row_.words.empty() || !mapped.row.object.empty();
    family.type = type;
    family.help = meaning_of({.source = value.source,
                              .suffix = unit,
                              .label = mapped.row.label,
                              .interval = context_.interval});
    family.text = mapped.row.label.empty()
                      ? text_of_counter(schema_, mapped.counter)
                      : text_of_part(schema_, mapped.counter, mapped.row.words.value_or(""));
    family.value = value;
    result_.families.push_back(std::move(family));
  }

  std::string labels_of(const CounterRow& row) {
    std::string labels;
    if (!row_.af.empty()) add_label(labels, "af", row_.af);
    if (row.label.empty()) return labels;
    note_label(row.label);
    add_label(labels, row.label, row.value);
    return labels;
  }

  void note_label(std::string_view name) {
    std::vector<std::string>& known = result_.own_labels;
    if (std::ranges::find(known, name) == known.end()) known.emplace_back(name);
  }

  const CountersetSchema& schema_;
  const MappingOptions& options_;
  const MappingContext& context_;
  const Installation installation_;
  const ObjectRow& row_;
  std::string object_;
  std::string of_installation_;   // its label, as it is written; empty if there is none
  std::set<std::string> series_;  // of families that counters share
  ObjectMapping result_;
};

}  // namespace

ObjectMapping map_object(const CountersetSchema& schema, const MappingOptions& options,
                         const MappingContext& context) {
  return ObjectMapper(schema, options, context).run();
}

}  // namespace winperf
