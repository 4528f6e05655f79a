#include "collectors/model/sample.h"

#include <algorithm>

#include "collectors/base/ascii.h"

namespace winperf {

bool has_counter(const CountersetSchema& schema, std::string_view name) {
  return std::ranges::any_of(schema.counters, [&](const CounterSchema& counter) {
    return equal_names(counter.name, name);
  });
}

std::string display_name(const InstanceSchema& instance) {
  std::string text;
  if (!instance.parent.empty()) text = instance.parent + '/';
  text += instance.name;
  if (instance.duplicate != 0) text += '#' + std::to_string(instance.duplicate);
  return text;
}

std::string describe_failure(const CountersetState& state) {
  if (!state.error) return "was not read yet";
  std::string text = describe(*state.error);
  if (!state.nearest.empty()) text += "; did you mean \"" + state.nearest + "\"?";
  return text;
}

}  // namespace winperf
