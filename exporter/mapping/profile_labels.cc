#include "exporter/mapping/profile_labels.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "collectors/base/ascii.h"
#include "exporter/mapping/instance_labels.h"

namespace winperf {
namespace {

constexpr std::string_view kTotal = "_Total";
constexpr std::string_view kFirst = "first";
// The one process whose id is 0. Others with that id have ended.
constexpr std::string_view kIdle = "Idle";

// All instances in the provider's order, with names that tell them apart as PDH's do.
std::vector<InstanceLabels> named_instances(const CountersetSchema& schema,
                                            const InstanceSet* instances) {
  if (instances == nullptr) return {};
  InstanceSet plain = *instances;
  for (InstanceSchema& instance : plain.instances) instance.labels.clear();
  MappingOptions options;
  options.total_instances = true;
  auto named = map_instances(schema, &plain, options);
  std::ranges::sort(named, {}, &InstanceLabels::row);
  return named;
}

bool is_skipped(const ProfileBlock& block, const InstanceLabels& instance) {
  if (instance.instance.ends_with(kTotal) && !block.total_instances) return true;
  if (block.process_id && instance.process_id == 0 && !equal_names(instance.instance, kIdle))
    return true;
  const auto is_name = [&](std::string_view name) { return equal_names(instance.instance, name); };
  return !block.skipped.empty() &&
         (instance.instance.empty() || std::ranges::any_of(block.skipped, is_name));
}

// The one instance that counts.
std::optional<std::size_t> only_row(const std::vector<InstanceLabels>& instances,
                                    const ProfileBlock& block) {
  const bool any = block.only.empty() || block.only == kFirst;
  for (const InstanceLabels& instance : instances)
    if (any ? !is_skipped(block, instance) : equal_names(instance.instance, block.only))
      return instance.row;
  return std::nullopt;
}

std::optional<std::vector<LabelPart>> labels_of(const ProfileBlock& block,
                                                const InstanceLabels& instance) {
  for (const std::string_view pattern : block.instances) {
    auto labels = match_name(pattern, instance.instance);
    if (!labels) continue;
    if (block.process_id && instance.process_id)
      labels->push_back({"process_id", std::to_string(*instance.process_id)});
    return labels;
  }
  return std::nullopt;
}

bool less(const LabelPart& a, const LabelPart& b) {
  return std::tie(a.name, a.value) < std::tie(b.name, b.value);
}

bool comes_before(const ProfileRows::Row& a, const ProfileRows::Row& b) {
  return std::ranges::lexicographical_compare(a.labels, b.labels, less);
}

}  // namespace

std::vector<std::string> instance_labels(const ProfileBlock& block) {
  std::vector<std::string> names;
  for (const std::string_view pattern : block.instances)
    for (std::string& name : labels_of_template(pattern))
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  if (block.process_id) names.emplace_back("process_id");
  return names;
}

ProfileRows label_rows(const CountersetSchema& schema, const InstanceSet* instances,
                       const ProfileBlock& block) {
  ProfileRows result;
  if (!schema.multi_instance) {
    result.rows.emplace_back();
    return result;
  }
  const auto named = named_instances(schema, instances);
  if (block.instances.empty()) {
    if (const auto row = only_row(named, block)) result.rows.push_back({*row, {}});
    return result;
  }
  for (const InstanceLabels& instance : named) {
    if (is_skipped(block, instance)) continue;
    if (auto labels = labels_of(block, instance))
      result.rows.push_back({instance.row, *std::move(labels)});
    else
      ++result.unplaced;
  }
  std::ranges::stable_sort(result.rows, comes_before);
  const auto same = std::ranges::unique(result.rows, {}, &ProfileRows::Row::labels);
  result.unplaced += same.size();
  result.rows.erase(same.begin(), same.end());
  return result;
}

}  // namespace winperf
