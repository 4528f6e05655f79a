#include "exporter/mapping/instance_labels.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "collectors/base/ascii.h"
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

// The one instance that counts: the first one, so that there is no place for the others, or the one
// that the table names.
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

bool comes_before(const ProfileRows::Row& a, const ProfileRows::Row& b) {
  const auto text = [](const LabelPart& part) { return std::tie(part.name, part.value); };
  return std::ranges::lexicographical_compare(a.labels, b.labels, {}, text, text);
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
