#include "collectors/model/sample.h"

namespace winperf {

bool CounterSchema::operator==(const CounterSchema& other) const {
  // `info` follows from `type`.
  return index == other.index && help_index == other.help_index && name == other.name &&
         help == other.help && type == other.type && size == other.size &&
         default_scale == other.default_scale && detail_level == other.detail_level &&
         has_base == other.has_base && base_type == other.base_type && base_size == other.base_size;
}

std::string display_name(const InstanceSchema& instance) {
  std::string text;
  if (!instance.parent.empty()) text = instance.parent + '/';
  text += instance.name;
  if (instance.duplicate != 0) text += '#' + std::to_string(instance.duplicate);
  return text;
}

std::string describe_failure(const CountersetState& state) {
  std::string text = describe(*state.error);
  if (!state.nearest.empty()) text += "; did you mean \"" + state.nearest + "\"?";
  return text;
}

}  // namespace winperf
