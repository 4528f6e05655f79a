#include "service/commands/profile_listing.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "collectors/base/wording.h"
#include "exporter/mapping/profile_labels.h"
#include "exporter/profiles/collector.h"
#include "exporter/profiles/name_template.h"
#include "exporter/profiles/profile.h"
#include "exporter/text/own_metrics.h"
#include "service/commands/metric_listing.h"
#include "service/console/text_columns.h"

namespace winperf {
namespace {

// In the order in which they are met.
struct Draft {
  std::string type;
  std::vector<std::string> labels;
  std::vector<std::pair<std::string, std::vector<std::string>>> counters;  // by object
};

void add_once(std::vector<std::string>& list, std::string text) {
  if (std::ranges::find(list, text) == list.end()) list.push_back(std::move(text));
}

void add_label_names(std::vector<std::string>& names, std::string_view labels) {
  for (LabelPart& label : parse_labels(labels)) add_once(names, std::move(label.name));
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
    for (std::string& name : instance_labels(block)) add_once(draft.labels, std::move(name));
  if (!is_whole && !block.value_label.empty())
    add_once(draft.labels, std::string(block.value_label));
  for (const ProfileObject& object : block.objects) {
    for (std::string& name : labels_of_template(object.name))
      add_once(draft.labels, std::move(name));
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
    if (metric.sampled()) names.insert(metric.name);
  return names;
}

std::string profile_to_table(const std::vector<ProfileMetric>& metrics) {
  TextColumns columns({"METRIC", "TYPE", "LABELS", "SERVED", "SOURCE"});
  for (const ProfileMetric& metric : metrics)
    columns.add({metric.name, metric.type,
                 metric.labels.empty() ? "-" : joined(metric.labels, ", "),
                 metric.served ? "yes" : "no", metric.source});
  return columns.text();
}

std::string profile_to_json(const std::vector<ProfileMetric>& metrics) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ProfileMetric& metric : metrics)
    list.push_back({{"name", metric.name},
                    {"type", metric.type},
                    {"labels", metric.labels},
                    {"source", metric.source},
                    {"served", metric.served}});
  return nlohmann::ordered_json{{"metrics", std::move(list)}}.dump(2) + '\n';
}

}  // namespace winperf
