// Checks the part of a configuration that says what is read: countersets, their metrics, facts and
// targets.
#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"
#include "collectors/match/nearest.h"
#include "collectors/model/sample.h"
#include "config/check.h"
#include "config/collectors.h"
#include "config/hosts.h"
#include "config/patterns.h"
#include "config/quantity.h"
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

void add_set(std::vector<CountersetConfig>& countersets, const std::string& name) {
  const Collector* const set = find_collector(name);
  if (set == nullptr) return;
  for (std::vector<std::string>& names : reads_of(*set)) {
    CountersetConfig& entry = countersets.emplace_back();
    entry.label = names.front();
    entry.names = std::move(names);
    entry.interval = kNoInterval;
    entry.stale_after = kNoInterval;
    entry.is_optional = true;
  }
}

// The collector sets that have something to read.
std::string all_sets() {
  std::string list;
  for (const Collector& set : collectors())
    if (!set.objects.empty() || !set.topics.empty())
      list += (list.empty() ? "" : ", ") + std::string(set.name);
  return list;
}

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

std::vector<FactConfig> default_facts() {
  std::vector<FactConfig> facts;
  for (const FactTopicInfo& info : kFactTopics)
    if (info.is_default) facts.push_back({.topic = info.topic, .interval = info.interval});
  return facts;
}

// Complains if it isn't one.
bool is_list_here(CheckContext& context, const Option& option, const Node& node,
                  const std::string& wanted, const std::string& example) {
  if (node.kind == NodeKind::kSequence) return true;
  context.complain(node.offset, in_quotes(option.path) + " must be " + wanted + ", not " +
                                    described(node) + "; write, for example, " + example);
  return false;
}

// Countersets.

// Of the whole entry, once its name is known.
void check_metrics_of(CheckContext& context, const Node& node) {
  const CountersetConfig& entry = context.scope.draft.counterset;
  const Node* const metrics = child_of(node, "metrics");
  const Node* const label = child_of(node, "instance_label");
  if (label != nullptr && entry.metrics.empty())
    context.complain(
        label->offset,
        in_quotes("instance_label") +
            " applies to custom metrics, and there are none; write metrics, or leave the key out");
  if (metrics == nullptr) return;
  if (is_pattern(entry.names.front()))
    context.complain(metrics->offset, in_quotes("metrics") + " need a counterset, and " +
                                          in_quotes(entry.names.front()) +
                                          " is a pattern; write the name of one");
  for (const CustomMetric& metric : entry.metrics)
    if (std::ranges::find(metric.labels, entry.instance_label, &FixedLabel::name) !=
        metric.labels.end())
      context.complain(
          metrics->offset,
          "the label " + in_quotes(entry.instance_label) + " of " + in_quotes(metric.name) +
              " already names the instance; write another one, or another instance_label");
}

void check_filters_beside_path(CheckContext& context, const Node& node) {
  const auto refuse = [&](const Node* filter, std::string_view key) {
    if (filter == nullptr) return;
    context.complain(
        filter->offset,
        in_quotes(key) + " cannot be combined with the path " +
            in_quotes(context.scope.draft.counterset.label) +
            ", which is a filter itself; write the name of the object instead, and all filters");
  };
  refuse(child_of(node, "counters"), "counters");
  for (const std::string_view key : {"include", "exclude", "id"})
    refuse(child_of(node, "instances", key), key);
}

// A path is an object with a selection, a pattern many countersets.
void check_path(CheckContext& context, const Node& node) {
  CountersetConfig& entry = context.scope.draft.counterset;
  entry.label = entry.names.front();
  const auto stands_alone = [](const std::string& name) {
    return is_pattern(name) || parse_perfmon_path(name);
  };
  const auto given = std::ranges::find_if(entry.names, stands_alone);
  if (given != entry.names.end() && entry.names.size() > 1)
    return context.complain(node.offset, in_quotes(*given) +
                                             " cannot have alternatives; write it as a separate "
                                             "entry, or write the names of objects");
  if (const auto path = parse_perfmon_path(entry.label)) {
    check_filters_beside_path(context, node);
    // It was validated when it was read.
    static_cast<void>(select_path(entry, *path));
  }
  if (const Node* const by = child_of(node, "instances", "by"); by && !entry.max_instances)
    context.complain(by->offset, in_quotes("by") + " ranks the instances that " + in_quotes("max") +
                                     " limits, and max is missing; write, for example, max: 20");
  if (is_pattern(entry.names.front())) return;
  const auto refuse = [&](std::string_view key, std::string_view meaning) {
    if (const Node* const written = child_of(node, key))
      context.complain(written->offset,
                       in_quotes(key) + ' ' + std::string(meaning) + " a pattern, and " +
                           in_quotes(entry.label) +
                           " is not one; write a name with *, or leave the key out");
  };
  refuse("except", "leaves countersets out of");
  refuse("costly", "adds those that are expensive to collect to");
}

void check_repetition(CheckContext& context, const Node& node) {
  for (const std::string& name : context.scope.draft.counterset.names) {
    const auto [first, is_new] = context.scope.taken_names.emplace(ascii_lower(name), node.offset);
    if (is_new) continue;
    const auto line = std::to_string(context.lines.line_of(first->second));
    context.complain(node.offset, "counterset " + in_quotes(name) +
                                      " is named twice, first on line " + line +
                                      ": keep one, with the filters of both");
  }
}

void check_counterset(CheckContext& context, const Node& node) {
  context.scope.draft.counterset = {};
  context.scope.draft.counterset.interval = kNoInterval;
  context.scope.draft.counterset.stale_after = kNoInterval;
  const std::size_t errors_before = context.errors.size();
  if (node.kind == NodeKind::kMap) {
    check_keys(context, kCounterset, node);
    if (child_of(node, "name") == nullptr)
      context.complain(node.offset,
                       "this counterset has no name; write, for example, name: \"Memory\"");
  } else if (node.kind == NodeKind::kSequence) {
    context.complain(node.offset,
                     "an entry of \"countersets\" must be a name or an object, not a list; write "
                     "alternatives as {name: [\"Processor Information\", \"Processor\"]}");
  } else {
    check_option(context, name_option(), node);
  }
  check_repetition(context, node);
  if (context.errors.size() == errors_before) check_path(context, node);
  if (context.errors.size() == errors_before) check_metrics_of(context, node);
  if (context.errors.size() != errors_before) return;
  if (const Node* const given = child_of(node, "stale_after"))
    context.scope.stale_after_places.push_back(
        {given->offset, context.config().countersets.size()});
  context.config().countersets.push_back(std::move(context.scope.draft.counterset));
}

void check_countersets(CheckContext& context, const Option& option, const Node& node) {
  context.scope.countersets_given = true;
  if (node.kind == NodeKind::kNull) {
    return context.complain(
        node.offset, in_quotes(option.path) +
                         " is empty, so nothing would be sampled; write at least one name, or [] "
                         "to read only facts, or leave the key out to get the default countersets");
  }
  if (!is_list_here(context, option, node, "a list", "[\"Memory\", {name: \"Process\"}]")) return;
  if (node.children.empty()) context.scope.no_countersets = {node.offset, option.path};
  for (const Node& item : node.children) check_counterset(context, item);
}

// Custom metrics of a counterset.

constexpr std::string_view kMetricEntry = "countersets[].metrics[]";

bool is_counter(const CustomMetric& metric) { return metric.type == CustomType::kCounter; }
bool is_gauge(const CustomMetric& metric) {
  return metric.type == CustomType::kGauge || metric.value == CustomValue::kCooked;
}

// Metrics may share a name if their labels differ.
void check_same_metric(CheckContext& context, const Node& node) {
  const CustomMetric& metric = context.scope.draft.metric;
  const auto check = [&](const CustomMetric& other) {
    if (other.name != metric.name) return;
    if ((is_counter(other) && is_gauge(metric)) || (is_gauge(other) && is_counter(metric)))
      context.complain(node.offset, "the metric " + in_quotes(metric.name) +
                                        " is a counter and a gauge; write the same type for both");
  };
  for (const CountersetConfig& entry : context.config().countersets)
    std::ranges::for_each(entry.metrics, check);
  for (const CustomMetric& other : context.scope.draft.counterset.metrics) {
    check(other);
    if (other.name == metric.name && other.labels == metric.labels)
      context.complain(
          node.offset,
          "the metric " + in_quotes(metric.name) +
              " is given twice with the same labels; write another name, or different labels");
  }
}

void check_metric(CheckContext& context, const Node& node) {
  context.scope.draft.metric = {};
  if (node.kind != NodeKind::kMap)
    return context.complain(node.offset,
                            "an entry of \"countersets[].metrics\" must be an object, not " +
                                described(node) + "; write its keys counter and name inside { }");
  const std::size_t errors_before = context.errors.size();
  check_keys(context, kMetricEntry, node);
  for (const std::string_view key : {"counter", "name"})
    if (child_of(node, key) == nullptr)
      context.complain(node.offset, "this metric has no " + std::string(key) + "; write its key " +
                                        in_quotes(key));
  if (is_counter(context.scope.draft.metric) &&
      context.scope.draft.metric.value == CustomValue::kCooked)
    context.complain(
        node.offset,
        "a cooked value rises and falls, so it cannot be a counter; write type: gauge");
  if (context.errors.size() != errors_before) return;
  check_same_metric(context, node);
  context.scope.draft.counterset.metrics.push_back(std::move(context.scope.draft.metric));
}

void check_metrics(CheckContext& context, const Option& option, const Node& node) {
  if (!is_list_here(context, option, node, "a list of objects",
                    "[{counter: \"Page Faults/sec\", name: \"page_faults_total\"}]"))
    return;
  if (std::cmp_greater(node.children.size(), option.takes.maximum))
    return context.complain(
        node.offset, in_quotes(option.path) + " has " + std::to_string(node.children.size()) +
                         " entries; write at most " + std::to_string(option.takes.maximum));
  for (const Node& item : node.children) check_metric(context, item);
}

// Facts.

constexpr std::string_view kFactEntry = "facts[]";

const Option& topic_option() { return *find_option(kFactEntry, "name"); }

// Keys that only some topics have.
void check_fact_keys(CheckContext& context, const Node& node) {
  const FactTopic topic = context.scope.draft.fact.topic;
  const std::string name = in_quotes(name_of(topic));
  for (const std::string_view key : {"include", "exclude"})
    if (const Node* const filter = child_of(node, key);
        filter != nullptr && info_of(topic).row_name.empty())
      context.complain(filter->offset, in_quotes(key) + " cannot be given for " + name +
                                           ", which has no rows to select; remove it");
  const Node* const folders = child_of(node, "folders");
  const bool is_textfile = topic == FactTopic::kTextfile;
  if (folders != nullptr && !is_textfile)
    context.complain(folders->offset, in_quotes("folders") + " apply only to " +
                                          in_quotes(name_of(FactTopic::kTextfile)) +
                                          "; remove them");
  if (folders == nullptr && is_textfile)
    context.complain(node.offset,
                     name + " needs folders; write, for example, {name: textfile, folders: " +
                         "['C:\\ProgramData\\winperf_exporter\\textfile']}");
}

void check_fact(CheckContext& context, const Option& option, const Node& node) {
  context.scope.draft.fact = {};
  const std::size_t errors_before = context.errors.size();
  if (node.kind == NodeKind::kMap) {
    check_keys(context, kFactEntry, node);
    if (child_of(node, "name") == nullptr)
      context.complain(node.offset, "this topic has no name; write, for example, name: services");
  } else if (node.kind == NodeKind::kSequence) {
    context.complain(node.offset,
                     "an entry of " + in_quotes(option.path) +
                         " must be a topic or an object, not a list; write, for example, os");
  } else {
    check_option(context, topic_option(), node);
  }
  if (context.errors.size() != errors_before) return;
  check_fact_keys(context, node);
  FactConfig& fact = context.scope.draft.fact;
  if (std::ranges::find(context.config().facts, fact.topic, &FactConfig::topic) !=
      context.config().facts.end())
    return context.complain(node.offset, "topic " + in_quotes(name_of(fact.topic)) +
                                             " is named twice: keep one, with the filters of both");
  if (fact.interval == milliseconds{}) fact.interval = info_of(fact.topic).interval;
  context.config().facts.push_back(std::move(fact));
}

void check_facts(CheckContext& context, const Option& option, const Node& node) {
  context.scope.facts_given = true;
  if (!is_list_here(context, option, node, "a list", "[os, {name: services, interval: 30s}]"))
    return;
  for (const Node& item : node.children) check_fact(context, option, item);
  std::ranges::sort(context.config().facts, {}, &FactConfig::topic);
}

// Everything that is sampled.

// Facts alone are enough, except for a target, which has none.
void check_emptiness(CheckContext& context) {
  const Config& config = context.config();
  if (!context.scope.no_countersets || !config.countersets.empty() || !config.facts.empty()) return;
  // The entries may be missing because they are wrong.
  if (!context.errors.empty()) return;
  context.complain(
      context.scope.no_countersets->first,
      in_quotes(context.scope.no_countersets->second) +
          " is empty, so nothing would be sampled; write at least one name, or leave the key "
          "out to get the default countersets");
}

void check_sets(CheckContext& context, const Node& root) {
  const Node* const node = child_of(root, "collect");
  if (node == nullptr) return;
  const auto complain_of = [&](const std::string& problem) {
    context.complain(node->offset, problem);
  };
  for (const std::string& set : context.config().collect) {
    const Collector* const found = find_collector(set);
    if (found == nullptr) {
      const std::string_view meant = nearest_collector(set);
      complain_of("no collector set is named " + in_quotes(set) + "; " +
                  (meant.empty() ? "write one of " + all_sets()
                                 : "did you mean " + in_quotes(meant) + '?'));
    } else if (found->objects.empty() && found->topics.empty()) {
      complain_of(
          "the set " + in_quotes(set) + " has nothing to read; remove it" +
          (found->missing.empty() ? "" : ", because " + std::string(found->missing[0].what)));
    }
  }
}

void note_stale_after(CheckContext& context, const Node& section) {
  const Node* const given = child_of(section, "stale_after");
  if (given != nullptr && context.config().stale_after)
    context.scope.stale_after_places.push_back({given->offset, std::nullopt});
}

// Otherwise series would end before each sample.
void check_stale_after(CheckContext& context) {
  const Config& config = context.config();
  const auto check = [&](std::size_t offset, milliseconds stale_after, milliseconds interval) {
    if (stale_after > interval) return;
    context.complain(offset, in_quotes("stale_after") + " must be longer than the interval of " +
                                 duration_text(interval.count()) +
                                 "; write, for example, stale_after: " +
                                 in_quotes(duration_text(default_stale_after(interval).count())));
  };
  for (const auto& [offset, index] : context.scope.stale_after_places) {
    const CountersetConfig* const entry = index ? &config.countersets[*index] : nullptr;
    check(offset, entry ? entry->stale_after : *config.stale_after,
          entry ? entry->interval : config.interval);
  }
}

// Targets. What is sampled there is checked as if the entry were a separate configuration.

constexpr std::string_view kTargetEntry = "targets[]";

void check_targets(CheckContext& context, const Option& option, const Node& node) {
  if (!is_list_here(context, option, node, "a list", "[{host: srv-1, interval: 30s}]")) return;
  const auto limit = static_cast<std::size_t>(option.takes.maximum);
  if (node.children.size() > limit)
    return context.complain(node.children[limit].offset,
                            in_quotes(option.path) + " has " +
                                std::to_string(node.children.size()) + " entries; write at most " +
                                std::to_string(limit) + ", each with several machines");
  // Checked last, because the defaults of an entry are the values of this machine.
  context.targets = &node;
}

// A machine may have several entries, but not two with the same module.
void check_same_target(CheckContext& context, const TargetConfig& target, const Node& node) {
  for (const std::string& host : target.hosts) {
    const auto [first, is_new] =
        context.target_names.emplace(host_key(host) + ' ' + target.module, node.offset);
    if (is_new) continue;
    const auto line = std::to_string(context.lines.line_of(first->second));
    context.complain(node.offset, "target " + in_quotes(host) + " is named twice, first on line " +
                                      line + ": keep one, or give one of them another module");
  }
}

TargetConfig check_target(CheckContext& context, const Node& node,
                          const CheckContext::Scope& machine) {
  context.scope = {};
  Config& config = context.config();
  config.metrics = machine.draft.config.metrics;
  TargetConfig& target = context.scope.draft.target;
  config.interval = target.interval;
  config.path = target.path;
  config.language = target.language;
  context.scope.facts_given = true;
  if (node.kind != NodeKind::kMap) {
    context.complain(node.offset, "an entry of \"targets\" must be an object, not " +
                                      described(node) + "; write, for example, {host: srv-1}");
    return target;
  }
  check_keys(context, kTargetEntry, node);
  if (child_of(node, "host") == nullptr)
    context.complain(node.offset, "this target has no host; write, for example, host: srv-1");
  check_sets(context, node);
  note_stale_after(context, node);
  if (!context.scope.countersets_given && config.collect.empty()) {
    config.collect = machine.draft.config.collect;
    config.countersets = machine.draft.config.countersets;
    // Countersets with the target's interval also have its stale_after.
    for (CountersetConfig& entry : config.countersets)
      if (entry.interval == std::chrono::milliseconds(0))
        entry.stale_after = std::chrono::milliseconds(0);
    context.scope.countersets_given = machine.countersets_given;
    if (machine.no_countersets) context.scope.no_countersets = {node.offset, "countersets"};
  }
  complete(context);
  target.interval = config.interval;
  target.stale_after = config.stale_after;
  target.path = config.path;
  target.language = config.language;
  target.collect = std::move(config.collect);
  target.countersets = std::move(config.countersets);
  return std::move(target);
}

void check_target_entries(CheckContext& context) {
  if (context.targets == nullptr) return;
  std::vector<TargetConfig> targets;
  CheckContext::Scope machine = std::exchange(context.scope, {});
  for (const Node& entry : context.targets->children) {
    const std::size_t errors_before = context.errors.size();
    TargetConfig target = check_target(context, entry, machine);
    if (context.errors.size() != errors_before) continue;
    check_same_target(context, target, entry);
    targets.push_back(std::move(target));
  }
  context.scope = std::move(machine);
  context.config().targets = std::move(targets);
}

bool is_name_of_target(const Config& config, const std::string& wanted) {
  const std::string pattern = host_key(wanted);
  return std::ranges::any_of(config.targets, [&](const TargetConfig& target) {
    return std::ranges::any_of(target.hosts, [&](const std::string& host) {
      return !is_host_pattern(host) && matches_host(pattern, host_key(host));
    });
  });
}

std::string nearest_target(const Config& config, const std::string& wanted) {
  std::vector<std::string> known;
  for (const TargetConfig& target : config.targets)
    for (const std::string& host : target.hosts)
      if (!is_host_pattern(host)) known.push_back(host);
  const std::vector<std::string_view> names(known.begin(), known.end());
  return std::string(nearest(wanted, names));
}

// Otherwise nothing of it would ever be recorded.
void check_recorded_targets(CheckContext& context, const Node& root) {
  const Node* const recorder = child_of(root, "recorder");
  const Node* const node = recorder == nullptr ? nullptr : child_of(*recorder, "targets");
  if (node == nullptr) return;
  const Config& config = context.config();
  for (const std::string& name : config.recorder.targets) {
    if (is_name_of_target(config, name)) continue;
    const std::string meant = nearest_target(config, name);
    context.complain(
        node->offset,
        "\"recorder.targets\" has " + in_quotes(name) +
            ", but no entry of \"targets\" names such a machine, other than by a pattern" +
            (meant.empty() ? "" : "; did you mean " + in_quotes(meant) + '?'));
  }
}

}  // namespace

void check_sampled(CheckContext& context, const Node& root) {
  check_sets(context, root);
  const std::size_t errors_before = context.errors.size();
  check_target_entries(context);
  if (context.errors.size() == errors_before) check_recorded_targets(context, root);
  note_stale_after(context, root);
}

void complete(CheckContext& context) {
  Config& config = context.config();
  if (!context.scope.countersets_given && config.collect.empty())
    config.countersets = default_countersets(config);
  if (!context.scope.facts_given) config.facts = default_facts();
  for (const std::string& set : config.collect) add_set(config.countersets, set);
  // If the collector sets consist of facts only.
  if (!context.scope.countersets_given && config.countersets.empty())
    config.countersets = default_countersets(config);
  for (CountersetConfig& entry : config.countersets) {
    if (entry.interval == kNoInterval) entry.interval = config.interval;
    if (entry.stale_after == kNoInterval) entry.stale_after = stale_after(config, entry.interval);
  }
  check_stale_after(context);
  check_emptiness(context);
}

Config default_config() {
  Config config;
  config.countersets = default_countersets(config);
  config.facts = default_facts();
  return config;
}

const OptionKind OptionKind::kCountersets{
    .check = check_countersets,
    .words = "list",
    .schema =
        R"({"type": "array", "items": {"oneOf": [{"type": "string", "minLength": 1},
            {"type": "integer", "minimum": 1, "maximum": 4294967295},
            {"type": "object", "additionalProperties": false, "properties": {entries},
             "required": ["name"]}]}})"};

// The same for a target, which has no facts.
const OptionKind OptionKind::kTargetCountersets{
    .check = check_countersets, .words = "list", .schema = R"({"type": "array", "minItems": 1,
                  "items": {"$ref": "#/properties/countersets/items"}})"};

const OptionKind OptionKind::kFacts{
    .check = check_facts,
    .words = "list",
    .schema =
        R"({"type": "array", "items": {"oneOf": [{"enum": {choices}},
            {"type": "object", "additionalProperties": false, "properties": {entries},
             "required": ["name"]}]}})"};

const OptionKind OptionKind::kMetrics{.check = check_metrics,
                                      .words = "list of up to {max}",
                                      .schema =
                                          R"({"type": "array", "maxItems": {max}, "items":
            {"type": "object", "additionalProperties": false, "properties": {entries},
             "required": ["counter", "name"]}})"};

const OptionKind OptionKind::kTargets{.check = check_targets,
                                      .words = "list of up to {max}",
                                      .schema =
                                          R"({"type": "array", "maxItems": {max}, "items":
            {"type": "object", "additionalProperties": false, "properties": {entries},
             "required": ["host"]}})"};

}  // namespace winperf
