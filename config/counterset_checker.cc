// The part of a configuration that says what to sample.

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"
#include "collectors/model/freshness.h"
#include "config/checker.h"
#include "config/collectors.h"
#include "config/patterns.h"
#include "config/perfmon_path.h"
#include "config/quantity.h"
#include "config/value_error.h"
#include "config/values.h"

namespace winperf {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kCounterset = "countersets[]";
constexpr milliseconds kNoInterval{0};

const Option& name_option() { return *find_option(kCounterset, "name"); }

milliseconds stale_after(const Config& config, milliseconds interval) {
  const milliseconds given = config.stale_after.value_or(kNoInterval);
  return given > interval ? given : default_stale_after(interval);
}

void add_optional(std::vector<CountersetConfig>& countersets, std::vector<std::string> names) {
  CountersetConfig& entry = countersets.emplace_back();
  entry.label = names.front();
  entry.names = std::move(names);
  entry.interval = kNoInterval;
  entry.stale_after = kNoInterval;
  entry.is_optional = true;
}

void add_set(std::vector<CountersetConfig>& countersets, const std::string& name) {
  const Collector* const set = find_collector(name);
  if (set == nullptr) return;
  for (std::vector<std::string>& names : reads_of(*set))
    add_optional(countersets, std::move(names));
}

// Those of which something is read.
std::string all_sets() {
  std::string list;
  for (const Collector& set : collectors())
    if (!set.objects.empty() || !set.topics.empty())
      list += (list.empty() ? "" : ", ") + std::string(set.name);
  return list;
}

}  // namespace

std::vector<CountersetConfig> default_countersets(const Config& config) {
  std::vector<CountersetConfig> countersets;
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{"Processor Information", "Processor"},
        {"Memory"},
        {"LogicalDisk"},
        {"PhysicalDisk"},
        {"Network Interface"},
        {"System"},
        {"Process"},
        {"TCPv4"}}) {
    CountersetConfig& entry = countersets.emplace_back();
    entry.label = names.front();
    entry.names = names;
    entry.interval = config.interval;
    entry.stale_after = stale_after(config, config.interval);
  }
  return countersets;
}

void Checker::check_countersets(const Option& option, const Node& node) {
  scope_.countersets_given = true;
  if (node.kind == NodeKind::kNull) {
    return complain(node.offset, in_quotes(option.path) +
                                     " is empty, so nothing would be sampled: write at least one "
                                     "name, [] to read facts alone, or leave the key out to get "
                                     "the default countersets");
  }
  if (node.kind != NodeKind::kSequence) {
    return complain(node.offset, in_quotes(option.path) + " must be a list, not " +
                                     described(node) +
                                     ": write, for example, [\"Memory\", {name: \"Process\"}]");
  }
  if (node.children.empty()) scope_.no_countersets = {node.offset, option.path};
  for (const Node& item : node.children) check_counterset(item);
}

// Facts are enough, but for a target, which has none.
void Checker::check_emptiness() {
  const Config& config = scope_.draft.config;
  if (!scope_.no_countersets || !config.countersets.empty() || !config.facts.empty()) return;
  // What would be read may be what is wrong.
  if (!errors_.empty()) return;
  complain(scope_.no_countersets->first,
           in_quotes(scope_.no_countersets->second) +
               " is empty, so nothing would be sampled: write at least one name, or leave the key "
               "out to get the default countersets");
}

void Checker::check_counterset(const Node& node) {
  scope_.draft.counterset = {};
  scope_.draft.counterset.interval = kNoInterval;
  scope_.draft.counterset.stale_after = kNoInterval;
  const std::size_t errors_before = errors_.size();
  if (node.kind == NodeKind::kMap) {
    check_keys(kCounterset, node);
    const auto is_name = [](const Node& child) { return child.key == "name"; };
    if (std::none_of(node.children.begin(), node.children.end(), is_name)) {
      complain(node.offset, "this counterset has no name: write, for example, name: \"Memory\"");
    }
  } else if (node.kind == NodeKind::kSequence) {
    complain(node.offset,
             "an entry of \"countersets\" must be a name or an object, not a list: write "
             "alternatives as {name: [\"Processor Information\", \"Processor\"]}");
  } else {
    check_option(name_option(), node);
  }
  check_repetition(node);
  if (errors_.size() == errors_before) check_path(node);
  if (errors_.size() == errors_before) check_metrics_of(node);
  if (errors_.size() != errors_before) return;
  if (const Node* const given = child_of(node, "stale_after"))
    scope_.stale_after_places.push_back({given->offset, scope_.draft.config.countersets.size()});
  scope_.draft.config.countersets.push_back(std::move(scope_.draft.counterset));
}

// A path stands for an object and what it selects of it, a pattern for many countersets.
void Checker::check_path(const Node& node) {
  CountersetConfig& entry = scope_.draft.counterset;
  entry.label = entry.names.front();
  const auto stands_alone = [](const std::string& name) {
    return is_pattern(name) || parse_perfmon_path(name);
  };
  const auto given = std::ranges::find_if(entry.names, stands_alone);
  if (given != entry.names.end() && entry.names.size() > 1)
    return complain(node.offset, in_quotes(*given) +
                                     " can't have alternatives: write it as an entry of its own, "
                                     "or write the names of objects");
  if (const auto path = parse_perfmon_path(entry.label)) {
    check_filters_beside_path(node);
    // read_value() has accepted it.
    static_cast<void>(select_path(entry, *path));
  }
  const Node* const instances = child_of(node, "instances");
  if (const Node* const by = instances ? child_of(*instances, "by") : nullptr;
      by != nullptr && !entry.max_instances)
    complain(by->offset, in_quotes("by") + " says which instances " + in_quotes("max") +
                             " chooses, and max is missing: write, for example, max: 20");
  if (is_pattern(entry.names.front())) return;
  const auto refuse = [&](std::string_view key, std::string_view meaning) {
    if (const Node* const written = child_of(node, key))
      complain(written->offset, in_quotes(key) + ' ' + std::string(meaning) + " a pattern, and " +
                                    in_quotes(entry.label) +
                                    " is none: write a name with *, or leave the key out");
  };
  refuse("except", "leaves countersets out of");
  refuse("costly", "adds those that are expensive to collect to");
}

void Checker::check_filters_beside_path(const Node& node) {
  const auto refuse = [&](const Node* filter, std::string_view key) {
    if (filter == nullptr) return;
    complain(filter->offset, in_quotes(key) + " can't be given beside the path " +
                                 in_quotes(scope_.draft.counterset.label) +
                                 ", which selects them: write the name of the object "
                                 "instead, and all filters");
  };
  refuse(child_of(node, "counters"), "counters");
  const Node* const instances = child_of(node, "instances");
  if (instances == nullptr) return;
  for (const std::string_view key : {"include", "exclude", "id"})
    refuse(child_of(*instances, key), key);
}

void Checker::check_repetition(const Node& node) {
  for (const std::string& name : scope_.draft.counterset.names) {
    const auto [first, is_new] = scope_.taken_names.emplace(ascii_lower(name), node.offset);
    if (is_new) continue;
    const auto line = std::to_string(lines_.line_of(first->second));
    complain(node.offset, "counterset " + in_quotes(name) + " is named twice, first on line " +
                              line + ": keep one, with the filters of both");
  }
}

void Checker::check_sets(const Node& root) {
  const Node* const node = child_of(root, "collect");
  if (node == nullptr) return;
  const auto complain_of = [&](const std::string& problem) { complain(node->offset, problem); };
  for (const std::string& set : scope_.draft.config.collect) {
    const Collector* const found = find_collector(set);
    if (found == nullptr) {
      const std::string_view meant = nearest_collector(set);
      complain_of("there is no set " + in_quotes(set) + ": " +
                  (meant.empty() ? "write one of " + all_sets()
                                 : "did you mean " + in_quotes(meant) + '?'));
    } else if (found->objects.empty() && found->topics.empty()) {
      complain_of(
          "the set " + in_quotes(set) + " has nothing to read: remove it" +
          (found->missing.empty() ? "" : ", because " + std::string(found->missing[0].what)));
    }
  }
}

void Checker::note_stale_after(const Node& section) {
  const Node* const given = child_of(section, "stale_after");
  if (given != nullptr && scope_.draft.config.stale_after)
    scope_.stale_after_places.push_back({given->offset, std::nullopt});
}

// Otherwise series would end before each sample.
void Checker::check_stale_after() {
  const Config& config = scope_.draft.config;
  const auto check = [&](std::size_t offset, milliseconds stale_after, milliseconds interval) {
    if (stale_after > interval) return;
    complain(offset, in_quotes("stale_after") + " must be longer than the interval of " +
                         duration_text(interval.count()) + ": write, for example, stale_after: " +
                         in_quotes(duration_text(default_stale_after(interval).count())));
  };
  for (const auto& [offset, index] : scope_.stale_after_places) {
    const CountersetConfig* const entry = index ? &config.countersets[*index] : nullptr;
    check(offset, entry ? entry->stale_after : *config.stale_after,
          entry ? entry->interval : config.interval);
  }
}

void Checker::complete() {
  Config& config = scope_.draft.config;
  if (!scope_.countersets_given && config.collect.empty())
    config.countersets = default_countersets(config);
  if (!scope_.facts_given) config.facts = default_facts();
  for (const std::string& set : config.collect) add_set(config.countersets, set);
  // Of sets that have facts alone.
  if (!scope_.countersets_given && config.countersets.empty())
    config.countersets = default_countersets(config);
  for (CountersetConfig& entry : config.countersets) {
    if (entry.interval == kNoInterval) entry.interval = config.interval;
    if (entry.stale_after == kNoInterval) entry.stale_after = stale_after(config, entry.interval);
  }
  check_stale_after();
  check_emptiness();
}

// The list of topics that are not counters.

namespace {

using std::chrono::milliseconds;

constexpr std::string_view kFactEntry = "facts[]";

const Option& topic_option() { return *find_option(kFactEntry, "name"); }

}  // namespace

std::vector<FactConfig> default_facts() {
  std::vector<FactConfig> facts;
  for (const FactTopicInfo& info : kFactTopics)
    if (info.is_default) facts.push_back({.topic = info.topic, .interval = info.interval});
  return facts;
}

void Checker::check_facts(const Option& option, const Node& node) {
  scope_.facts_given = true;
  if (node.kind != NodeKind::kSequence) {
    return complain(node.offset, in_quotes(option.path) + " must be a list, not " +
                                     described(node) +
                                     ": write, for example, [os, {name: services, interval: 30s}]");
  }
  for (const Node& item : node.children) check_fact(option, item);
  std::ranges::sort(scope_.draft.config.facts, {}, &FactConfig::topic);
}

void Checker::check_fact(const Option& option, const Node& node) {
  scope_.draft.fact = {};
  const std::size_t errors_before = errors_.size();
  if (node.kind == NodeKind::kMap) {
    check_keys(kFactEntry, node);
    if (child_of(node, "name") == nullptr)
      complain(node.offset, "this topic has no name: write, for example, name: services");
  } else if (node.kind == NodeKind::kSequence) {
    complain(node.offset, "an entry of " + in_quotes(option.path) +
                              " must be a topic or an object, not a list: write, for example, os");
  } else {
    check_option(topic_option(), node);
  }
  if (errors_.size() != errors_before) return;
  check_fact_keys(node);
  FactConfig& fact = scope_.draft.fact;
  if (std::ranges::find(scope_.draft.config.facts, fact.topic, &FactConfig::topic) !=
      scope_.draft.config.facts.end())
    return complain(node.offset, "topic " + in_quotes(name_of(fact.topic)) +
                                     " is named twice: keep one, with the filters of both");
  if (fact.interval == milliseconds{}) fact.interval = info_of(fact.topic).interval;
  scope_.draft.config.facts.push_back(std::move(fact));
}

// What only some topics have.
void Checker::check_fact_keys(const Node& node) {
  const FactTopic topic = scope_.draft.fact.topic;
  const std::string name = in_quotes(name_of(topic));
  for (const std::string_view key : {"include", "exclude"})
    if (const Node* const filter = child_of(node, key);
        filter != nullptr && info_of(topic).row_name.empty())
      complain(filter->offset, in_quotes(key) + " can't be given for " + name +
                                   ", which has nothing to choose from: remove it");
  const Node* const folders = child_of(node, "folders");
  const bool is_textfile = topic == FactTopic::kTextfile;
  if (folders != nullptr && !is_textfile)
    complain(folders->offset, in_quotes("folders") + " are those of " +
                                  in_quotes(name_of(FactTopic::kTextfile)) + ": remove them");
  if (folders == nullptr && is_textfile)
    complain(node.offset, name + " needs folders: write, for example, {name: textfile, folders: " +
                              "['C:\\ProgramData\\winperf_exporter\\textfile']}");
}

// The metrics of a counterset whose names the configuration chooses.

namespace {

constexpr std::string_view kMetricEntry = "countersets[].metrics[]";

bool is_counter(const CustomMetric& metric) { return metric.type == CustomType::kCounter; }
bool is_gauge(const CustomMetric& metric) {
  return metric.type == CustomType::kGauge || metric.value == CustomValue::kCooked;
}

}  // namespace

void Checker::check_metrics(const Option& option, const Node& node) {
  if (node.kind != NodeKind::kSequence)
    return complain(node.offset, in_quotes(option.path) + " must be a list of objects, not " +
                                     described(node) +
                                     ": write, for example, [{counter: \"Page Faults/sec\", name: "
                                     "\"page_faults_total\"}]");
  if (std::cmp_greater(node.children.size(), option.maximum))
    return complain(node.offset, in_quotes(option.path) + " has " +
                                     std::to_string(node.children.size()) +
                                     " entries: write at most " + std::to_string(option.maximum));
  for (const Node& item : node.children) check_metric(item);
}

void Checker::check_metric(const Node& node) {
  scope_.draft.metric = {};
  if (node.kind != NodeKind::kMap)
    return complain(node.offset, "an entry of \"countersets[].metrics\" must be an object, not " +
                                     described(node) +
                                     ": write its keys counter and name inside { }");
  const std::size_t errors_before = errors_.size();
  check_keys(kMetricEntry, node);
  for (const std::string_view key : {"counter", "name"})
    if (child_of(node, key) == nullptr)
      complain(node.offset,
               "this metric has no " + std::string(key) + ": write its key " + in_quotes(key));
  if (is_counter(scope_.draft.metric) && scope_.draft.metric.value == CustomValue::kCooked)
    complain(node.offset,
             "a cooked value goes up and down, so it can't be a counter: write type: gauge");
  if (errors_.size() != errors_before) return;
  check_same_metric(node);
  scope_.draft.counterset.metrics.push_back(std::move(scope_.draft.metric));
}

// Metrics share a name if labels tell them apart.
void Checker::check_same_metric(const Node& node) {
  const CustomMetric& metric = scope_.draft.metric;
  const auto check = [&](const CustomMetric& other) {
    if (other.name != metric.name) return;
    if ((is_counter(other) && is_gauge(metric)) || (is_gauge(other) && is_counter(metric)))
      complain(node.offset, "the metric " + in_quotes(metric.name) +
                                " is a counter and a gauge: write the same type for both");
  };
  for (const CountersetConfig& entry : scope_.draft.config.countersets)
    std::ranges::for_each(entry.metrics, check);
  for (const CustomMetric& other : scope_.draft.counterset.metrics) {
    check(other);
    if (other.name == metric.name && other.labels == metric.labels)
      complain(node.offset, "the metric " + in_quotes(metric.name) +
                                " is there twice with the same labels: write another name, or "
                                "labels that tell them apart");
  }
}

// Of the whole entry, once its name is known.
void Checker::check_metrics_of(const Node& node) {
  const CountersetConfig& entry = scope_.draft.counterset;
  const Node* const metrics = child_of(node, "metrics");
  const Node* const label = child_of(node, "instance_label");
  if (label != nullptr && entry.metrics.empty())
    complain(label->offset, in_quotes("instance_label") +
                                " is that of the metrics below, and there are none: write metrics, "
                                "or leave the key out");
  if (metrics == nullptr) return;
  if (is_pattern(entry.names.front()))
    complain(metrics->offset, in_quotes("metrics") + " need a counterset, and " +
                                  in_quotes(entry.names.front()) +
                                  " stands for several: write its name");
  for (const CustomMetric& metric : entry.metrics)
    if (std::ranges::find(metric.labels, entry.instance_label, &FixedLabel::name) !=
        metric.labels.end())
      complain(metrics->offset, "the label " + in_quotes(entry.instance_label) + " of " +
                                    in_quotes(metric.name) +
                                    " names the instance: write another one, or another "
                                    "instance_label");
}

}  // namespace winperf
