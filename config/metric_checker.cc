// The metrics of a counterset whose names the configuration chooses.
#include <algorithm>
#include <string>
#include <utility>

#include "collectors/base/wording.h"
#include "config/checker.h"
#include "config/patterns.h"
#include "config/value_error.h"

namespace winperf {
namespace {

constexpr std::string_view kEntry = "countersets[].metrics[]";

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
  check_keys(kEntry, node);
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
