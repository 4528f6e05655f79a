#include "collectors/sampling/registry/parent_names.h"

namespace winperf {

std::string_view ParentNames::name(ObjectIndex parent_object, std::uint32_t position) {
  const auto [entry, is_new] = names_.try_emplace(parent_object);
  if (is_new) entry->second = read(parent_object);
  const std::vector<std::string>& names = entry->second;
  return position < names.size() ? std::string_view(names[position]) : std::string_view();
}

std::vector<std::string> ParentNames::read(ObjectIndex parent_object) const {
  std::vector<std::string> names;
  ObjectWalk objects = block_.objects();
  while (const auto object = objects.next()) {
    if (!*object || (*object)->index() != parent_object) continue;
    InstanceWalk instances = (*object)->instances();
    while (const auto instance = instances.next()) {
      if (!*instance) break;
      names.push_back((*instance)->name().text);
    }
    break;
  }
  return names;
}

}  // namespace winperf
