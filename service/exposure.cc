#include "service/exposure.h"

#include "exporter/mapping/instance_labels.h"
#include "exporter/mapping/object_mapping.h"

namespace winperf {
namespace {

void add(Exposure& exposure, bool is_shown, std::string name) {
  (is_shown ? exposure.shown : exposure.hidden).push_back(std::move(name));
}

}  // namespace

Exposure exposed_counters(const CountersetSample& sample, const MappingOptions& options) {
  std::vector<bool> is_shown(sample.columns());
  const ObjectMapping mapping = map_object(*sample.schema, options);
  for (const FamilyMapping& family : mapping.families) is_shown.at(family.value.column) = true;
  Exposure exposure;
  for (std::size_t i = 0; i < sample.columns(); ++i)
    add(exposure, is_shown[i], sample.schema->counters[i].name);
  return exposure;
}

Exposure exposed_instances(const CountersetSample& sample, const MappingOptions& options) {
  Exposure exposure;
  if (!sample.schema->multi_instance) return exposure;
  std::vector<bool> is_shown(sample.rows());
  for (const InstanceLabels& labels : map_instances(true, sample.instances.get(), options))
    is_shown.at(labels.row) = true;
  for (std::size_t i = 0; i < sample.rows(); ++i)
    add(exposure, is_shown[i], display_name(sample.instances->instances[i]));
  return exposure;
}

}  // namespace winperf
