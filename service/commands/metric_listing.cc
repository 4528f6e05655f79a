#include "service/commands/metric_listing.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/hex.h"
#include "exporter/mapping/name_table.h"
#include "exporter/mapping/page_plan.h"
#include "exporter/text/exposition.h"
#include "service/console/text_columns.h"
#include "service/run/plan.h"

namespace winperf {
namespace {

bool is_called(const CountersetSchema& schema, std::string_view name) {
  if (equal_names(schema.name, name)) return true;
  if (schema.guid) return equal_names(to_string(*schema.guid), name);
  return schema.path == CounterPath::kRegistry && std::to_string(value_of(schema.index)) == name;
}

// The countersets of a plan that an object is sampled for: on each machine, those of whose
// alternatives it is the first one there.
class ConfiguredObjects {
 public:
  ConfiguredObjects(const Listing& listing, const Config& config) : plan_(make_plan(config)) {
    for (const ListedObject& object : listing.objects) machines_.insert(object.schema.machine);
    for (const PlannedCounterset& planned : plan_)
      for (const std::string& machine : machines_) find(listing, planned, machine);
  }

  const PlannedCounterset* of(const CountersetSchema& schema) const {
    const auto found = std::ranges::find(found_, &schema, &Found::schema);
    return found == found_.end() ? nullptr : found->planned;
  }
  bool has(const CountersetSchema& schema, const CounterSchema& counter) const {
    return std::ranges::any_of(found_, [&](const Found& found) {
      const auto& accepts = found.planned->selection.counters;
      return found.schema == &schema && (!accepts || accepts(counter.name));
    });
  }

 private:
  struct Found {
    const CountersetSchema* schema = nullptr;
    const PlannedCounterset* planned = nullptr;
  };

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
  std::set<std::string> machines_;
  std::vector<Found> found_;
};

// As if each object had been sampled, without instances.
Sample sample_of(const Listing& listing, const ConfiguredObjects& sampled) {
  Sample sample;
  for (const ListedObject& object : listing.objects) {
    CountersetState& state = sample.countersets.emplace_back();
    auto values = std::make_shared<CountersetSample>();
    // The listing owns it.
    values->schema =
        std::shared_ptr<const CountersetSchema>(std::shared_ptr<void>(), &object.schema);
    state.sample = std::move(values);
    if (const PlannedCounterset* planned = sampled.of(object.schema))
      state.interval = planned->interval;
  }
  return sample;
}

bool has_counter(const CountersetSchema& schema, std::string_view name) {
  return std::ranges::any_of(schema.counters, [&](const CounterSchema& counter) {
    return equal_names(counter.name, name);
  });
}

void add(std::vector<std::string>& names, std::string_view name) {
  if (!name.empty() && std::ranges::find(names, name) == names.end()) names.emplace_back(name);
}

void add_labels(std::vector<std::string>& names, const CountersetSchema& schema,
                const FamilySource& source) {
  const ObjectRow& row = object_row(schema.name);
  if (schema.multi_instance) {
    add(names, row.instance_label);
    if (!schema.machine.empty()) add(names, "machine");
    if (row.parent_label != ObjectRow{}.parent_label) add(names, row.parent_label);
    if (has_counter(schema, "ID Process") || equal_names(schema.name, "Process V2"))
      add(names, "process_id");
    if (has_counter(schema, "ID Thread")) add(names, "thread_id");
  } else if (!schema.machine.empty()) {
    add(names, "machine");
  }
  for (std::string_view rest = source.labels; !rest.empty();) {
    add(names, rest.substr(0, rest.find('=')));
    const std::size_t comma = rest.find(',');
    rest = comma == std::string_view::npos ? "" : rest.substr(comma + 1);
  }
  add(names, source.id_label);
}

std::string_view type_name(MetricType type) {
  return type == MetricType::kCounter ? "counter" : "gauge";
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "-" : text;
}

// "Processor\% C1 Time, % C2 Time": the object once.
std::string counters_of(const ListedMetric& metric) {
  std::vector<std::string> counters;
  std::string_view object;
  for (const MetricSource& source : metric.sources) {
    const bool same = source.object == object;
    add(counters, same ? source.counter : source.object + '\\' + source.counter);
    object = source.object;
  }
  return joined(counters);
}

}  // namespace

bool ListedMetric::sampled() const { return std::ranges::any_of(sources, &MetricSource::sampled); }

std::vector<ListedMetric> list_metrics(const Listing& listing, const Config& config) {
  const ConfiguredObjects sampled(listing, config);
  const Sample sample = sample_of(listing, sampled);
  Mapper mapper(mapping_options(config.metrics));
  std::vector<ListedMetric> metrics;
  for (const PageFamily& family : mapper.plan(sample).families) {
    ListedMetric& metric = metrics.emplace_back();
    metric.name = family.name;
    metric.type = family.type;
    metric.unit = unit_of(family_of(family.name, type_name(family.type)));
    metric.help = family.help;
    for (const FamilySource& source : family.sources) {
      const CountersetSchema& schema = listing.objects[source.counterset].schema;
      const CounterSchema& counter = schema.counters[source.value.column];
      add_labels(metric.labels, schema, source);
      metric.sources.push_back({.object = schema.name,
                                .counter = counter.name,
                                .type = counter.type,
                                .labels = source.labels,
                                .sampled = sampled.has(schema, counter)});
    }
  }
  return metrics;
}

std::string metrics_to_table(const std::vector<ListedMetric>& metrics) {
  TextColumns columns({"METRIC", "TYPE", "UNIT", "LABELS", "SAMPLED", "COUNTER"});
  for (const ListedMetric& metric : metrics)
    columns.add({metric.name, std::string(type_name(metric.type)),
                 metric.unit.empty() ? "-" : metric.unit, joined(metric.labels),
                 metric.sampled() ? "yes" : "no", counters_of(metric)});
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
                                 {"type", std::string(type_name(metric.type))},
                                 {"unit", nullptr},
                                 {"labels", metric.labels},
                                 {"sampled", metric.sampled()},
                                 {"help", metric.help},
                                 {"sources", std::move(sources)}};
    if (!metric.unit.empty()) entry["unit"] = metric.unit;
    list.push_back(std::move(entry));
  }
  return nlohmann::ordered_json{{"metrics", std::move(list)}}.dump(2) + '\n';
}

}  // namespace winperf
