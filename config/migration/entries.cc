#include "config/migration/entries.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"
#include "collectors/model/sample.h"
#include "config/text_error.h"

namespace winperf::migration {
namespace {

bool share_a_name(const std::vector<std::string>& some, const std::vector<std::string>& others) {
  return std::ranges::find_first_of(some, others, [](const std::string& a, const std::string& b) {
           return equal_names(a, b);
         }) != some.end();
}

std::string list_of(const std::vector<std::string>& texts) {
  return '[' + joined(texts, ", ", as_json) + ']';
}

void add_list(std::string& keys, const std::string& key, const std::vector<std::string>& texts) {
  if (!texts.empty()) keys += (keys.empty() ? "" : ", ") + key + ": " + list_of(texts);
}

std::string text_of(const NamedMetric& metric) {
  std::string text = "{counter: " + as_json(metric.counter) + ", name: " + as_json(metric.name);
  if (!metric.labels.empty())
    text += ", labels: {" + joined(metric.labels, ", ", std::identity()) + '}';
  if (!metric.type.empty()) text += ", type: " + as_json(metric.type);
  if (metric.is_cooked) text += ", value: \"cooked\"";
  return text + '}';
}

// What the other lets through, this one does, too.
bool is_as_wide(const Entry& entry, const Entry& other) {
  const bool instances =
      (entry.include.empty() || entry.include == other.include) && entry.exclude.empty();
  return instances && (entry.counters.empty() || entry.counters == other.counters) &&
         (entry.instance_label == other.instance_label || entry.metrics.empty() ||
          other.metrics.empty());
}

// Made for metrics of its own, not by a collector that reads it anyway.
bool is_custom(const Entry& entry) { return !entry.metrics.empty() && entry.exclude.empty(); }

// Their metrics have the same labels.
bool can_join(const Entry& entry, const Entry& other) {
  return entry.instance_label == other.instance_label && !entry.counters.empty() &&
         !other.counters.empty();
}

template <class One>
void add_new(std::vector<One>& list, std::vector<One> more) {
  for (One& one : more)
    if (std::ranges::find(list, one) == list.end()) list.push_back(std::move(one));
}

// Those that both select. No pattern is everything but the total.
std::vector<std::string> instances_of_both(std::vector<std::string> some,
                                           std::vector<std::string> others) {
  const bool is_everything = some.empty() || others.empty();
  add_new(some, std::move(others));
  const auto has_total = [](const std::string& one) {
    InstanceSchema instance;
    instance.name = one;
    return one == ".*" || is_total(instance);
  };
  if (!is_everything) return some;
  if (std::ranges::any_of(some, has_total)) return {".*"};
  return {};
}

// Two entries of one object: all metrics, and the instances of both.
void join(Entry& taken, Entry entry, Progress& progress) {
  if (taken.include != entry.include)
    progress.note(entry.comment + ": " + as_json(entry.names.front()) +
                  " has two entries with different instances: the metrics of each have the "
                  "instances of both");
  taken.include = instances_of_both(std::move(taken.include), std::move(entry.include));
  add_new(taken.counters, std::move(entry.counters));
  add_new(taken.metrics, std::move(entry.metrics));
}

}  // namespace

std::string text_of(const Entry& entry) {
  std::string text =
      "{name: " + (entry.names.size() == 1 ? as_json(entry.names.front()) : list_of(entry.names));
  std::string filter;
  add_list(filter, "include", entry.include);
  add_list(filter, "exclude", entry.exclude);
  if (!filter.empty()) text += ", instances: {" + filter + '}';
  if (!entry.counters.empty()) text += ", counters: {include: " + list_of(entry.counters) + '}';
  if (!entry.instance_label.empty()) text += ", instance_label: " + as_json(entry.instance_label);
  if (entry.metrics.empty()) return text + "},  # " + entry.comment;
  text += ", metrics: [  # " + entry.comment;
  for (const NamedMetric& metric : entry.metrics) text += "\n      " + text_of(metric) + ',';
  return text + "\n    ]},";
}

std::string text_of(const FactEntry& entry) {
  std::string keys;
  add_list(keys, "include", entry.include);
  add_list(keys, "exclude", entry.exclude);
  add_list(keys, "folders", entry.folders);
  const std::string name(name_of(entry.topic));
  return (keys.empty() ? as_json(name) : "{name: " + as_json(name) + ", " + keys + '}') + ",  # " +
         entry.comment;
}

void add_entry(std::vector<Entry>& entries, Entry entry, Progress& progress) {
  const auto taken = std::ranges::find_if(
      entries, [&](const Entry& other) { return share_a_name(entry.names, other.names); });
  if (taken == entries.end()) {
    entries.push_back(std::move(entry));
    return;
  }
  if (is_custom(*taken) && is_custom(entry) && can_join(*taken, entry)) {
    join(*taken, std::move(entry), progress);
    return;
  }
  if (!is_as_wide(*taken, entry)) {
    progress.lose(entry.comment + ": " + as_json(entry.names.front()) + " is already sampled for " +
                  taken->comment +
                  ", so this entry was left out: add to the other one what it selects in addition");
    return;
  }
  if (taken->instance_label.empty()) taken->instance_label = std::move(entry.instance_label);
  std::ranges::move(entry.metrics, std::back_inserter(taken->metrics));
  if (taken->comment.find(entry.comment) == std::string::npos)
    taken->comment += ", " + entry.comment;
}

void add_fact(std::vector<FactEntry>& facts, FactEntry entry) {
  const auto taken = std::ranges::find(facts, entry.topic, &FactEntry::topic);
  if (taken == facts.end())
    facts.push_back(std::move(entry));
  else if (taken->comment.find(entry.comment) == std::string::npos)
    taken->comment += ", " + entry.comment;
}

}  // namespace winperf::migration
