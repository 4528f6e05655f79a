#include "exporter/mapping/instance_labels.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "exporter/mapping/name_table.h"

namespace winperf {
namespace {

constexpr std::string_view kProcessLabel = "process";

auto identity(const InstanceLabels& labels) {
  return std::tie(labels.instance, labels.parent, labels.process_id, labels.thread_id, labels.more);
}

bool less(const InstanceLabels& a, const InstanceLabels& b) { return identity(a) < identity(b); }

// "chrome" of "chrome_13032" (ProcessNameFormat 2) and of "chrome:13032" (Process V2).
void drop_process_id(std::string& name, std::uint64_t process_id) {
  const std::string digits = std::to_string(process_id);
  if (name.size() < digits.size() + 2 || !name.ends_with(digits)) return;
  const char separator = name[name.size() - digits.size() - 1];
  if (separator == '_' || separator == ':') name.resize(name.size() - digits.size() - 1);
}

InstanceLabels plain_labels(const InstanceSchema& instance, const ObjectRow& object,
                            std::size_t row) {
  InstanceLabels labels;
  labels.row = row;
  labels.instance = instance.name;
  labels.parent = instance.parent;
  labels.process_id = instance.process_id;
  labels.thread_id = instance.thread_id;
  if (!labels.process_id) return labels;
  if (object.instance_label == kProcessLabel) drop_process_id(labels.instance, *labels.process_id);
  if (object.parent_label == kProcessLabel) drop_process_id(labels.parent, *labels.process_id);
  return labels;
}

// Adds the configured labels, of which those of the exporter itself need not be repeated.
void relabel(InstanceLabels& labels, const InstanceSchema& instance, const ObjectRow& object) {
  for (const InstanceLabel& label : instance.labels) {
    if (label.name == object.instance_label) {
      labels.instance = label.value;
    } else if (label.name == object.parent_label) {
      labels.parent = label.value;
    } else if ((label.name != "process_id" || !labels.process_id) &&
               (label.name != "thread_id" || !labels.thread_id)) {
      labels.more.push_back(label);
    }
  }
}

// Instances that their new labels don't tell apart keep the old ones.
std::vector<InstanceLabels> relabelled(const std::vector<InstanceLabels>& rows,
                                       const InstanceSet& set, const ObjectRow& object) {
  std::vector<InstanceLabels> result = rows;
  std::map<InstanceLabels, std::size_t, decltype(&less)> uses(&less);
  for (InstanceLabels& labels : result) {
    relabel(labels, set.instances[labels.row], object);
    ++uses[labels];
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (uses.at(result[i]) == 1) continue;
    result[i].instance = rows[i].instance;
    result[i].parent = rows[i].parent;
  }
  return result;
}

// Numbers the instances that the other labels don't distinguish.
void number_duplicates(std::vector<InstanceLabels>& rows, const InstanceSet& set) {
  std::set<InstanceLabels, decltype(&less)> seen(&less);
  for (InstanceLabels& labels : rows) {
    const std::uint32_t duplicate = set.instances[labels.row].duplicate;
    if (!seen.contains(labels)) {
      seen.insert(labels);
      continue;
    }
    if (duplicate != 0) labels.instance += '#' + std::to_string(duplicate);
    // An instance may really be called "svchost#1".
    while (!seen.insert(labels).second) labels.instance += '#';
  }
}

std::vector<InstanceLabels> labels_of(const InstanceSet& set, const ObjectRow& object,
                                      const MappingOptions& options) {
  std::vector<InstanceLabels> rows;
  const bool has_others = !std::ranges::all_of(set.instances, is_total);
  for (std::size_t row = 0; row < set.instances.size(); ++row) {
    const InstanceSchema& instance = set.instances[row];
    if (!options.total_instances && has_others && is_total(instance)) continue;
    rows.push_back(plain_labels(instance, object, row));
  }
  const auto has_labels = [](const InstanceSchema& instance) { return !instance.labels.empty(); };
  if (std::ranges::any_of(set.instances, has_labels)) rows = relabelled(rows, set, object);
  number_duplicates(rows, set);
  return rows;
}

// Those of the instances at `places`; their rows are counted anew.
std::vector<InstanceLabels> labels_at(const std::vector<std::uint32_t>& places,
                                      std::vector<InstanceLabels> all) {
  std::map<std::size_t, std::size_t> rows;
  for (const std::uint32_t place : places) rows.emplace(place, rows.size());
  std::erase_if(all, [&](const InstanceLabels& labels) { return !rows.contains(labels.row); });
  for (InstanceLabels& labels : all) labels.row = rows.at(labels.row);
  return all;
}

}  // namespace

std::vector<InstanceLabels> map_instances(const CountersetSchema& schema,
                                          const InstanceSet* instances,
                                          const MappingOptions& options) {
  std::vector<InstanceLabels> rows;
  if (!schema.multi_instance) {
    rows.emplace_back().single = true;
    return rows;
  }
  if (instances == nullptr) return rows;
  const ObjectRow& object = object_row(schema.name);
  rows = instances->all ? labels_at(instances->places, labels_of(*instances->all, object, options))
                        : labels_of(*instances, object, options);
  std::sort(rows.begin(), rows.end(), less);
  return rows;
}

}  // namespace winperf
