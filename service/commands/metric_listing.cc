#include "service/commands/metric_listing.h"

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "collectors/base/hex.h"
#include "collectors/base/wording.h"
#include "collectors/model/identity_counters.h"
#include "collectors/model/inventory.h"
#include "config/patterns.h"
#include "exporter/mapping/name_table.h"
#include "exporter/mapping/page_plan.h"
#include "exporter/mapping/profile_labels.h"
#include "exporter/profiles/name_template.h"
#include "exporter/text/exposition.h"
#include "service/console/text_columns.h"
#include "service/plan/plan.h"

namespace winperf {
namespace {

Inventory inventory_of(const Listing& listing) {
  Inventory inventory;
  for (const ListedObject& object : listing.objects) {
    const CountersetSchema& schema = object.schema;
    inventory.countersets.push_back(
        {.name = schema.name,
         .key = schema.guid ? to_string(*schema.guid) : std::to_string(value_of(schema.index))});
  }
  return inventory;
}

// The countersets of a plan that an object is sampled for: on each machine, those of whose
// alternatives it is the first one there.
class ConfiguredObjects {
 public:
  ConfiguredObjects(const Listing& listing, const Config& config, bool is_live)
      : plan_(make_plan(expanded(config, inventory_of(listing)))), is_live_(is_live) {
    for (const ListedObject& object : listing.objects) machines_.insert(object.schema.machine);
    for (const PlannedCounterset& planned : plan_)
      for (const std::string& machine : machines_) find(listing, planned, machine);
  }

  // As it is sampled: with the counters that a filter accepts. Null if it isn't.
  std::shared_ptr<const CountersetSchema> schema_of(const CountersetSchema& listed) const {
    if (planned_for(listed) == nullptr) return nullptr;
    auto schema = std::make_shared<CountersetSchema>(listed);
    std::erase_if(schema->counters,
                  [&](const CounterSchema& counter) { return !has(listed, counter); });
    return schema;
  }
  // Zero if it isn't known.
  std::chrono::milliseconds interval_of(const CountersetSchema& listed) const {
    const PlannedCounterset* const planned = planned_for(listed);
    return planned == nullptr || !is_live_ ? std::chrono::milliseconds(0) : planned->interval;
  }
  // That it gets from the names of its instances, if it is sampled.
  std::vector<std::string> labels_of(const CountersetSchema& listed) const {
    const PlannedCounterset* const planned = planned_for(listed);
    return planned == nullptr ? std::vector<std::string>() : planned->label_names;
  }
  bool has(const CountersetSchema& schema, const CounterSchema& counter) const {
    return std::ranges::any_of(found_, [&](const Found& found) {
      const auto& accepts = found.planned->selection.counters;
      return found.schema == &schema && (!accepts || accepts(counter));
    });
  }

 private:
  struct Found {
    const CountersetSchema* schema = nullptr;
    const PlannedCounterset* planned = nullptr;
  };

  const PlannedCounterset* planned_for(const CountersetSchema& schema) const {
    const auto found = std::ranges::find(found_, &schema, &Found::schema);
    return found == found_.end() ? nullptr : found->planned;
  }

  void find(const Listing& listing, const PlannedCounterset& planned, const std::string& machine) {
    for (const std::string& name : planned.names) {
      const auto object = std::ranges::find_if(listing.objects, [&](const ListedObject& listed) {
        return listed.schema.machine == machine && is_called(listed.schema, name);
      });
      if (object == listing.objects.end()) continue;
      found_.push_back({&object->schema, &planned});
      return;
    }
  }

  std::vector<PlannedCounterset> plan_;
  bool is_live_;
  std::set<std::string> machines_;
  std::vector<Found> found_;
};

void add_object(Sample& sample, std::shared_ptr<const CountersetSchema> schema,
                std::chrono::milliseconds interval) {
  CountersetState& state = sample.countersets.emplace_back();
  state.machine = schema->machine;
  state.interval = interval;
  auto values = std::make_shared<CountersetSample>();
  values->schema = std::move(schema);
  state.sample = std::move(values);
}

// A sample without instances, and the object of the listing that each of its countersets is.
struct ListedSample {
  Sample sample{};
  std::vector<const CountersetSchema*> listed{};
};

// What is configured, as the page has it.
ListedSample configured_sample(const Listing& listing, const ConfiguredObjects& configured) {
  ListedSample sampled;
  for (const ListedObject& object : listing.objects) {
    auto schema = configured.schema_of(object.schema);
    if (schema == nullptr) continue;
    add_object(sampled.sample, std::move(schema), configured.interval_of(object.schema));
    sampled.listed.push_back(&object.schema);
  }
  return sampled;
}

// As if every object were sampled.
ListedSample whole_sample(const Listing& listing, const ConfiguredObjects& configured) {
  ListedSample whole;
  for (const ListedObject& object : listing.objects) {
    // The listing owns it.
    add_object(whole.sample, {std::shared_ptr<void>(), &object.schema},
               configured.interval_of(object.schema));
    whole.listed.push_back(&object.schema);
  }
  return whole;
}

void add_name(std::vector<std::string>& names, std::string_view name) {
  if (!name.empty() && std::ranges::find(names, name) == names.end()) names.emplace_back(name);
}

// `schema` has all counters, of which some may identify instances without being sampled.
void add_labels(std::vector<std::string>& names, const CountersetSchema& schema,
                const std::vector<std::string>& from_names, const FamilySource& source,
                const ProfileBlock* block) {
  const ObjectRow& row = object_row(schema.name);
  if (block != nullptr) {
    if (schema.multi_instance && is_of_counter(source.value.source))
      for (const std::string& name : instance_labels(*block)) add_name(names, name);
    if (!schema.machine.empty()) add_name(names, "machine");
  } else if (schema.multi_instance) {
    add_name(names, row.instance_label);
    if (!schema.machine.empty()) add_name(names, "machine");
    if (row.parent_label != ObjectRow{}.parent_label) add_name(names, row.parent_label);
    if (has_counter(schema, process_id_name(schema.name))) add_name(names, "process_id");
    if (has_counter(schema, kThreadIdName)) add_name(names, "thread_id");
    for (const std::string& name : from_names) add_name(names, name);
  } else if (!schema.machine.empty()) {
    add_name(names, "machine");
  }
  for (const LabelPart& label : parse_labels(source.labels)) add_name(names, label.name);
  add_name(names, source.value_label.name);
}

void describe(ListedMetric& metric, const PageFamily& family) {
  metric.name = family.name;
  metric.type = family.type;
  metric.unit = unit_of(family_of(family.name, name_of(family.type)));
  metric.help = family.help;
}

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }

// "Processor\% C1 Time, % C2 Time": the object once.
std::string counters_of(const ListedMetric& metric) {
  std::vector<std::string> counters;
  std::string_view object;
  for (const MetricSource& source : metric.sources) {
    const bool same = source.object == object;
    add_name(counters, same ? source.counter : source.object + '\\' + source.counter);
    object = source.object;
  }
  return joined(counters, ", ");
}

}  // namespace

bool ListedMetric::sampled() const { return std::ranges::any_of(sources, &MetricSource::sampled); }

std::vector<ListedMetric> list_metrics(const Listing& listing, const Config& config, bool is_live) {
  const ConfiguredObjects configured(listing, config, is_live);
  std::map<std::string, ListedMetric> metrics;
  // What isn't sampled is named as on a page with everything.
  const auto add_all = [&](const ListedSample& objects, bool sampled) {
    Mapper mapper(mapping_options(config));
    const PagePlan& plan = mapper.plan(objects.sample);
    for (const PageFamily& family : plan.families)
      for (const FamilySource& source : family.sources) {
        const RowSet& rows = plan.row_sets[source.rows];
        const CountersetSchema& schema =
            *objects.sample.countersets[rows.counterset].sample->schema;
        const CountersetSchema& listed = *objects.listed[rows.counterset];
        if (schema.counters.empty()) continue;
        const CounterSchema& counter = schema.counters[source.value.column];
        if (!sampled && configured.has(schema, counter)) continue;
        ListedMetric& metric = metrics[family.name];
        if (metric.sources.empty()) describe(metric, family);
        add_labels(metric.labels, listed, configured.labels_of(listed), source, rows.block);
        metric.sources.push_back({.object = schema.name,
                                  .counter = counter.name,
                                  .type = counter.type,
                                  .labels = source.labels,
                                  .sampled = sampled});
      }
  };
  add_all(configured_sample(listing, configured), true);
  add_all(whole_sample(listing, configured), false);
  std::vector<ListedMetric> list;
  for (auto& [name, metric] : metrics) list.push_back(std::move(metric));
  return list;
}

std::string metrics_to_table(const std::vector<ListedMetric>& metrics) {
  TextColumns columns({"METRIC", "TYPE", "UNIT", "LABELS", "SAMPLED", "COUNTER"});
  for (const ListedMetric& metric : metrics)
    columns.add({metric.name, std::string(name_of(metric.type)), or_dash(metric.unit),
                 or_dash(joined(metric.labels, ", ")), metric.sampled() ? "yes" : "no",
                 counters_of(metric)});
  return columns.text();
}

std::string metrics_to_json(const std::vector<ListedMetric>& metrics) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ListedMetric& metric : metrics) {
    nlohmann::ordered_json sources = nlohmann::ordered_json::array();
    for (const MetricSource& source : metric.sources)
      sources.push_back({{"object", source.object},
                         {"counter", source.counter},
                         {"counter_type", hex(value_of(source.type))},
                         {"labels", source.labels},
                         {"sampled", source.sampled}});
    nlohmann::ordered_json entry{{"metric", metric.name},
                                 {"type", std::string(name_of(metric.type))},
                                 {"unit", nullptr},
                                 {"labels", metric.labels},
                                 {"sampled", metric.sampled()},
                                 {"help", metric.help},
                                 {"sources", std::move(sources)}};
    if (!metric.unit.empty()) entry["unit"] = metric.unit;
    list.push_back(std::move(entry));
  }
  return nlohmann::ordered_json{{"metrics", std::move(list)}}.dump(
             2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
         '\n';
}

}  // namespace winperf
