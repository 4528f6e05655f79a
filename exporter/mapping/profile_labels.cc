#include "exporter/mapping/profile_labels.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "collectors/base/ascii.h"
#include "exporter/mapping/instance_labels.h"

namespace winperf {
namespace {

constexpr std::string_view kFirst = "first";
// The one process whose id is 0. Others with that id have ended.
constexpr std::string_view kIdle = "Idle";

// kLeftOut: the tables say so, or it is a total. kNone: its number would just be missing.
enum class Place : std::uint8_t { kSeries, kLeftOut, kNone };

// All instances in the provider's order, with names that tell them apart as PDH's do.
std::vector<InstanceLabels> named_instances(const CountersetSchema& schema,
                                            const InstanceSet& instances) {
  InstanceSet plain = instances;
  for (InstanceSchema& instance : plain.instances) instance.labels.clear();
  MappingOptions options;
  options.total_instances = true;
  auto named = map_instances(schema, &plain, options);
  std::ranges::sort(named, {}, &InstanceLabels::row);
  return named;
}

// `schema`: the instance as delivered.
Place place_of(const ProfileBlock& block, const InstanceSchema& schema,
               const InstanceLabels& instance) {
  if (!block.total_instances && is_total(schema)) return Place::kLeftOut;
  if (block.process_id && instance.process_id == 0 && !equal_names(instance.instance, kIdle))
    return Place::kNone;
  const auto is_name = [&](std::string_view name) { return equal_names(instance.instance, name); };
  const bool is_skipped = !block.skipped.empty() && (instance.instance.empty() ||
                                                     std::ranges::any_of(block.skipped, is_name));
  return is_skipped ? Place::kLeftOut : Place::kSeries;
}

// The one instance that counts: the first one, beside which the others have no place, or that of a
// name, which is the table's choice.
ProfileRows only_row(const std::vector<InstanceLabels>& named, const InstanceSet& instances,
                     const ProfileBlock& block) {
  const bool any = block.only.empty() || block.only == kFirst;
  ProfileRows result;
  for (const InstanceLabels& instance : named) {
    const Place place = place_of(block, instances.instances[instance.row], instance);
    const bool counts = any ? place == Place::kSeries : equal_names(instance.instance, block.only);
    if (counts && result.rows.empty())
      result.rows.push_back({instance.row, {}});
    else if (any && place != Place::kLeftOut)
      ++result.unplaced;
  }
  return result;
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
  if (instances == nullptr) return result;
  const auto named = named_instances(schema, *instances);
  if (block.instances.empty()) return only_row(named, *instances, block);
  for (const InstanceLabels& instance : named) {
    const Place place = place_of(block, instances->instances[instance.row], instance);
    if (place == Place::kLeftOut) continue;
    auto labels = place == Place::kSeries ? labels_of(block, instance) : std::nullopt;
    if (labels)
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
