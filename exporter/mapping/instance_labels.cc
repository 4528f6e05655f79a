#include "exporter/mapping/instance_labels.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include "collectors/base/ascii.h"

namespace winperf {
namespace {

bool is_total(std::string_view name) {
  const std::size_t comma = name.rfind(',');
  return equal_names(comma == std::string_view::npos ? name : name.substr(comma + 1), "_Total");
}

auto identity(const InstanceLabels& labels) {
  return std::tie(labels.instance_name, labels.parent_name, labels.process_id, labels.thread_id);
}

bool less(const InstanceLabels& a, const InstanceLabels& b) { return identity(a) < identity(b); }

InstanceLabels plain_labels(const InstanceSchema& instance, std::size_t row) {
  InstanceLabels labels;
  labels.row = row;
  labels.instance_name = instance.name;
  labels.parent_name = instance.parent;
  labels.process_id = instance.process_id;
  labels.thread_id = instance.thread_id;
  return labels;
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
    if (duplicate != 0) labels.instance_name += '#' + std::to_string(duplicate);
    // An instance may really be called "svchost#1".
    while (!seen.insert(labels).second) labels.instance_name += '#';
  }
}

}  // namespace

std::vector<InstanceLabels> map_instances(bool multi_instance, const InstanceSet* instances,
                                          const MappingOptions& options) {
  std::vector<InstanceLabels> rows;
  if (!multi_instance) {
    rows.emplace_back().single = true;
    return rows;
  }
  if (instances == nullptr) return rows;
  const bool has_others =
      std::any_of(instances->instances.begin(), instances->instances.end(),
                  [](const InstanceSchema& instance) { return !is_total(instance.name); });
  for (std::size_t row = 0; row < instances->instances.size(); ++row) {
    const InstanceSchema& instance = instances->instances[row];
    if (!options.total_instances && has_others && is_total(instance.name)) continue;
    rows.push_back(plain_labels(instance, row));
  }
  number_duplicates(rows, *instances);
  std::sort(rows.begin(), rows.end(), less);
  return rows;
}

}  // namespace winperf
