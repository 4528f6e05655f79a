#include "exporter/mapping/profile_mapping.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>

#include "collectors/model/identity_counters.h"
#include "exporter/mapping/help_text.h"
#include "exporter/mapping/label_text.h"
#include "exporter/profiles/name_template.h"

namespace winperf {
namespace {

constexpr std::string_view kHelp = "Under its windows_exporter name.";

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
      if (!counter.has_base) return std::nullopt;
      rule.source =
          info.exposition == Exposition::kCounter ? ValueSource::kBaseTotal : ValueSource::kBase;
      return rule;
    case ProfileValue::kRest:
      if (!counter.has_base) return std::nullopt;
      rule.source = ValueSource::kRest;
      return rule;
    case ProfileValue::kRatio:
      if (!counter.has_base) return std::nullopt;
      rule.source = ValueSource::kRatio;
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
    for (const LabelPart& part : *parts) {
      std::string label;
      append_label(label, part.name, part.value);
      add_labels(labels, label);
    }
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

FamilyMapping family_of(const ProfileRow& row, const CountersetSchema& schema,
                        const ValueRule& rule) {
  FamilyMapping family;
  family.stem = row.metric;
  family.key = row.metric;
  family.type = row.is_counter ? MetricType::kCounter : MetricType::kGauge;
  family.well_known = true;
  family.help = kHelp;
  family.value = rule;
  family.origin = is_of_counter(rule.source) ? origin_of(schema, schema.counters[rule.column])
                                             : '[' + schema.name + ']';
  return family;
}

}  // namespace

std::optional<FamilyMapping> map_row(const CountersetSchema& schema, const ProfileBlock& block,
                                     const ProfileRow& row) {
  const auto rule = rule_in(row, schema);
  if (!rule) return std::nullopt;
  FamilyMapping family = family_of(row, schema, *rule);
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

}  // namespace winperf
