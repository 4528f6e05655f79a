#include "service/commands/metric_listing.h"

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "collectors/base/hex.h"
#include "collectors/base/wording.h"
#include "collectors/model/inventory.h"
#include "collectors/model/sample.h"
#include "config/patterns.h"
#include "exporter/mapping/instance_labels.h"
#include "exporter/mapping/name_table.h"
#include "exporter/mapping/page_plan.h"
#include "exporter/mapping/usual_page.h"
#include "exporter/profiles/collector.h"
#include "exporter/profiles/name_template.h"
#include "exporter/profiles/profile.h"
#include "exporter/text/own_metrics.h"
#include "exporter/text/page_format.h"
#include "service/console/json_document.h"
#include "service/console/text_columns.h"
#include "service/plan/plan.h"

namespace winperf {
namespace {

// In the order in which they are met.
struct Draft {
  std::string type;
  std::vector<std::string> labels;
  std::vector<std::pair<std::string, std::vector<std::string>>> counters;  // by object
};

void add_once(std::vector<std::string>& list, std::string_view text) {
  if (!text.empty() && std::ranges::find(list, text) == list.end()) list.emplace_back(text);
}

void add_label_names(std::vector<std::string>& names, std::string_view labels) {
  for (const LabelPart& label : parse_labels(labels)) add_once(names, label.name);
}

void add_counter(Draft& draft, std::string_view object, const ProfileRow& row) {
  std::string counter(row.counter);
  if (row.operation != '\0') counter += " and " + std::string(row.other);
  if (row.value == ProfileValue::kInstances) counter = "(number of instances)";
  if (row.value == ProfileValue::kConstant) counter = "(constant)";
  auto known = std::ranges::find(draft.counters, object, [](const auto& of) { return of.first; });
  if (known == draft.counters.end())
    known = draft.counters.insert(known, {std::string(object), {}});
  add_once(known->second, counter);
}

void add_row(Draft& draft, const ProfileBlock& block, const ProfileRow& row) {
  draft.type = row.is_counter ? "counter" : "gauge";
  const bool is_whole =
      row.value == ProfileValue::kInstances || row.value == ProfileValue::kConstant;
  if (!is_whole)
    for (const std::string& name : instance_labels(block)) add_once(draft.labels, name);
  if (!is_whole) add_once(draft.labels, block.value_label);
  for (const ProfileObject& object : block.objects) {
    for (const std::string& name : labels_of_template(object.name)) add_once(draft.labels, name);
    add_label_names(draft.labels, object.labels);
    add_counter(draft, object.name, row);
  }
  add_label_names(draft.labels, row.labels);
}

std::string source_of(const Draft& draft) {
  std::vector<std::string> objects;
  for (const auto& [object, counters] : draft.counters)
    objects.push_back(object + '\\' + joined(counters, ", "));
  return joined(objects, "; ");
}

}  // namespace

std::vector<ProfileMetric> list_profile(MetricProfile profile,
                                        const std::set<std::string, std::less<>>& served) {
  std::map<std::string, Draft> drafts;
  for (const ProfileBlock& block : profile_blocks(profile))
    for (const ProfileRow& row : block.rows) add_row(drafts[std::string(row.metric)], block, row);
  std::vector<ProfileMetric> list;
  for (const auto& [name, draft] : drafts)
    list.push_back({.name = name,
                    .type = draft.type,
                    .labels = draft.labels,
                    .source = source_of(draft),
                    .served = served.contains(name)});
  for (const OwnFamily* const own : own_profile_families(profile))
    list.push_back({.name = own->name,
                    .type = "gauge",
                    .labels = {own->labels().begin(), own->labels().end()},
                    .source = "winperf_exporter itself",
                    .served = !served.empty()});
  for (const FactMetric& fact : fact_metrics(profile)) {
    const auto labels = label_names(fact);
    const auto known = std::ranges::find(list, fact.name, &ProfileMetric::name);
    if (known != list.end()) {
      known->source += "; or facts: " + std::string(name_of(fact.topic));
      continue;
    }
    list.push_back({.name = std::string(fact.name),
                    .type = fact.is_counter ? "counter" : "gauge",
                    .labels = {labels.begin(), labels.end()},
                    .source = "facts: " + std::string(name_of(fact.topic)),
                    .served = served.contains(fact.name)});
  }
  std::ranges::sort(list, {}, &ProfileMetric::name);
  return list;
}

std::set<std::string, std::less<>> served_names(const Listing& listing, Config config,
                                                MetricProfile profile) {
  config.metrics.profiles = {profile};
  std::set<std::string, std::less<>> names;
  for (const FactMetric& fact : fact_metrics(profile))
    if (std::ranges::find(config.facts, fact.topic, &FactConfig::topic) != config.facts.end())
      names.emplace(fact.name);
  for (const ListedMetric& metric : list_metrics(listing, config, false))
    if (metric.on_page()) names.insert(metric.name);
  return names;
}

std::string profile_to_table(const std::vector<ProfileMetric>& metrics, std::size_t most_columns) {
  TextColumns columns({"METRIC", "TYPE", "LABELS", "SERVED", "SOURCE"});
  for (const ProfileMetric& metric : metrics)
    columns.add({metric.name, metric.type,
                 metric.labels.empty() ? "-" : joined(metric.labels, ", "),
                 metric.served ? "yes" : "no", metric.source});
  return columns.text(most_columns);
}

std::string profile_to_json(const std::vector<ProfileMetric>& metrics) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ProfileMetric& metric : metrics)
    list.push_back({{"name", metric.name},
                    {"type", metric.type},
                    {"label_names", metric.labels},
                    {"from", metric.source},
                    {"served", metric.served}});
  return json_document({{"metrics", std::move(list)}});
}

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

// The planned countersets that each object is sampled for: on each machine, those whose first
// existing alternative it is.
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
  // Labels that it gets from its instances' names, if it is sampled.
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

  // At present; nothing if the listing doesn't have them.
  std::optional<std::size_t> instances_on_page(const ListedObject& object,
                                               const MappingOptions& options) const {
    const PlannedCounterset* const planned = planned_for(object.schema);
    if (planned == nullptr || !object.instances_known) return std::nullopt;
    const Selection& selection = planned->selection;
    const auto is_selected = [&](const std::string& name) {
      return !selection.instances || selection.instances(name);
    };
    const auto is_whole = [](const std::string& name) {
      InstanceSchema instance;
      instance.name = name;
      return is_total(instance);
    };
    std::size_t parts = 0;
    std::size_t totals = 0;
    for (const std::string& name : object.instances)
      if (is_selected(name)) ++(is_whole(name) ? totals : parts);
    if (selection.limit) parts = std::min(parts, selection.limit->instances);
    if (leaders_row(options, planned->label, object.schema.name) != nullptr)
      parts = std::min(parts, options.leading_processes);
    return options.total_instances || parts == 0 ? parts + totals : parts;
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

// A sample without instances, and the object of the listing that each of its countersets is.
struct ListedSample {
  Sample sample{};
  std::vector<const ListedObject*> listed{};
};

// The configured objects as on the page; or all objects, as if every one were sampled.
ListedSample sample_of(const Listing& listing, const ConfiguredObjects& configured, bool is_whole) {
  ListedSample objects;
  for (const ListedObject& object : listing.objects) {
    const CountersetSchema& listed = object.schema;
    auto values = std::make_shared<CountersetSample>();
    // The listing owns a whole one.
    values->schema = is_whole
                         ? std::shared_ptr<const CountersetSchema>(std::shared_ptr<void>(), &listed)
                         : configured.schema_of(listed);
    if (values->schema == nullptr) continue;
    CountersetState& state = objects.sample.countersets.emplace_back();
    state.machine = listed.machine;
    state.interval = configured.interval_of(listed);
    state.sample = std::move(values);
    objects.listed.push_back(&object);
  }
  return objects;
}

// `schema` has all counters, of which some may identify instances without being sampled.
void add_labels(std::vector<std::string>& names, const CountersetSchema& schema,
                const std::vector<std::string>& from_names, const FamilySource& source,
                const ProfileBlock* block) {
  const ObjectRow& row = object_row(schema.name);
  if (block != nullptr) {
    if (schema.multi_instance && is_of_counter(source.value.source))
      for (const std::string& name : instance_labels(*block)) add_once(names, name);
  } else if (schema.multi_instance) {
    add_once(names, row.instance_label);
  }
  if (!schema.machine.empty()) add_once(names, "machine");
  if (block == nullptr && schema.multi_instance) {
    if (row.parent_label != ObjectRow{}.parent_label) add_once(names, row.parent_label);
    if (has_counter(schema, process_id_name(schema.name))) add_once(names, "process_id");
    if (has_counter(schema, kThreadIdName)) add_once(names, "thread_id");
    for (const std::string& name : from_names) add_once(names, name);
  }
  add_label_names(names, source.labels);
  add_once(names, source.value_label.name);
}

void describe(ListedMetric& metric, const PageFamily& family) {
  metric.name = family.name;
  metric.type = family.type;
  metric.unit = unit_of(family_of(family.name, name_of(family.type)));
  metric.help = family.help;
}

// "mode=\"user\"" as an object, as values have their labels.
nlohmann::ordered_json labels_to_json(std::string_view labels) {
  auto object = nlohmann::ordered_json::object();
  for (const LabelPart& label : parse_labels(labels)) object[label.name] = label.value;
  return object;
}

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }

// "Processor\% C1 Time, % C2 Time": the object once.
std::string counters_of(const ListedMetric& metric) {
  std::vector<std::string> counters;
  std::string_view object;
  for (const MetricSource& source : metric.sources) {
    const bool same = source.object == object;
    add_once(counters, same ? source.counter : source.object + '\\' + source.counter);
    object = source.object;
  }
  return joined(counters, ", ");
}

// What the page has of the metric, or why it has nothing.
std::string series_text(const ListedMetric& metric) {
  if (!metric.sampled()) return "not sampled";
  if (!metric.on_page()) return "detail: full";
  const auto series = metric.series();
  return series ? std::to_string(*series) : "?";
}

}  // namespace

bool ListedMetric::sampled() const { return std::ranges::any_of(sources, &MetricSource::sampled); }

bool ListedMetric::on_page() const { return std::ranges::any_of(sources, &MetricSource::on_page); }

std::optional<std::size_t> ListedMetric::series() const {
  std::size_t series = 0;
  for (const MetricSource& source : sources) {
    if (source.on_page && !source.series) return std::nullopt;
    series += source.series.value_or(0);
  }
  return series;
}

namespace {

// In which order the metrics are listed, and each source only once.
enum class Stage : std::uint8_t { kOnPage, kOnFullPage, kNotSampled };

class MetricList {
 public:
  MetricList(const Listing& listing, const Config& config, bool is_live)
      : listing_(listing),
        configured_(listing, config, is_live),
        usual_(mapping_options(config)),
        full_(full_mapping(config)) {}

  void add(Stage stage) {
    const ListedSample objects = sample_of(listing_, configured_, stage == Stage::kNotSampled);
    Mapper mapper(stage == Stage::kOnPage ? usual_ : full_);
    const PagePlan& plan = mapper.plan(objects.sample);
    for (const PageFamily& family : plan.families)
      for (const FamilySource& source : family.sources) {
        const RowSet& rows = plan.row_sets[source.rows];
        const ListedObject& listed = *objects.listed[rows.counterset];
        const CountersetSchema& schema =
            *objects.sample.countersets[rows.counterset].sample->schema;
        if (!schema.counters.empty()) add(stage, family, source, schema, listed, rows.block);
      }
  }

  std::vector<ListedMetric> take() {
    std::vector<ListedMetric> list;
    for (auto& [name, metric] : metrics_) list.push_back(std::move(metric));
    return list;
  }

 private:
  void add(Stage stage, const PageFamily& family, const FamilySource& source,
           const CountersetSchema& schema, const ListedObject& listed, const ProfileBlock* block) {
    const CounterSchema& counter = schema.counters[source.value.column];
    if (stage == Stage::kNotSampled && configured_.has(schema, counter)) return;
    const MetricSource found{
        .object = schema.name,
        .counter = counter.name,
        .type = counter.type,
        .labels = source.labels,
        .sampled = stage != Stage::kNotSampled,
        .on_page = stage == Stage::kOnPage,
        .series = stage == Stage::kOnPage ? series_of(source, listed) : std::nullopt};
    ListedMetric& metric = metrics_[family.name];
    const auto is_known = [&](const MetricSource& known) {
      return known.object == found.object && known.counter == found.counter &&
             known.labels == found.labels;
    };
    if (stage == Stage::kOnFullPage && std::ranges::any_of(metric.sources, is_known)) return;
    if (metric.sources.empty()) describe(metric, family);
    add_labels(metric.labels, listed.schema, configured_.labels_of(listed.schema), source, block);
    metric.sources.push_back(found);
  }

  std::optional<std::size_t> series_of(const FamilySource& source,
                                       const ListedObject& listed) const {
    if (!listed.schema.multi_instance || !is_of_counter(source.value.source)) return 1;
    return configured_.instances_on_page(listed, usual_);
  }

  const Listing& listing_;
  ConfiguredObjects configured_;
  MappingOptions usual_;  // as configured
  MappingOptions full_;
  std::map<std::string, ListedMetric> metrics_;
};

}  // namespace

std::vector<ListedMetric> list_metrics(const Listing& listing, const Config& config, bool is_live) {
  MetricList list(listing, config, is_live);
  for (const Stage stage : {Stage::kOnPage, Stage::kOnFullPage, Stage::kNotSampled})
    list.add(stage);
  return list.take();
}

std::string metrics_to_table(const std::vector<ListedMetric>& metrics, std::size_t most_columns) {
  TextColumns columns({"METRIC", "TYPE", "UNIT", "LABELS", "SERIES", "COUNTER"});
  std::size_t all = 0;
  for (const ListedMetric& metric : metrics) {
    all += metric.series().value_or(0);
    columns.add({metric.name, std::string(name_of(metric.type)), or_dash(metric.unit),
                 or_dash(joined(metric.labels, ", ")), series_text(metric), counters_of(metric)});
  }
  return columns.text(most_columns) + '\n' + std::to_string(all) +
         " series on /metrics at present\n";
}

std::string metrics_to_json(const std::vector<ListedMetric>& metrics) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ListedMetric& metric : metrics) {
    nlohmann::ordered_json sources = nlohmann::ordered_json::array();
    for (const MetricSource& source : metric.sources)
      sources.push_back({{"object", source.object},
                         {"counter", source.counter},
                         {"type", hex(value_of(source.type))},
                         {"labels", labels_to_json(source.labels)},
                         {"sampled", source.sampled},
                         {"on_page", source.on_page}});
    nlohmann::ordered_json entry{{"name", metric.name},
                                 {"type", std::string(name_of(metric.type))},
                                 {"unit", nullptr},
                                 {"label_names", metric.labels},
                                 {"sampled", metric.sampled()},
                                 {"on_page", metric.on_page()},
                                 {"series", nullptr},
                                 {"help", metric.help},
                                 {"sources", std::move(sources)}};
    if (!metric.unit.empty()) entry["unit"] = metric.unit;
    if (const auto series = metric.series()) entry["series"] = *series;
    list.push_back(std::move(entry));
  }
  return json_document({{"metrics", std::move(list)}});
}

}  // namespace winperf
