#include "collectors/hosting/blame.h"

#include <algorithm>
#include <set>

#include "collectors/base/ascii.h"
#include "collectors/sources/source_health.h"
#include "collectors/sources/value_names.h"
#include "collectors/wire/block_view.h"

namespace winperf {

bool is_sound(const Reply& reply) {
  return std::ranges::all_of(reply.blocks, [](const Bytes& bytes) {
    const auto block = BlockView::parse(bytes);
    if (!block) return false;
    ObjectWalk walk = block->objects();
    while (const auto object = walk.next())
      if (!*object) return false;
    return true;
  });
}

bool has_all_of(const Reply& reply, std::string_view value_name) {
  const auto objects = indices_in(value_name);
  if (!objects || !is_sound(reply)) return false;
  std::set<ObjectIndex> there;
  for (const Bytes& bytes : reply.blocks) {
    const auto block = BlockView::parse(bytes);
    ObjectWalk walk = block->objects();
    while (const auto object = walk.next())
      if (!(*object)->metadata_only()) there.insert((*object)->index());
  }
  return std::ranges::all_of(*objects, [&](ObjectIndex object) { return there.contains(object); });
}

Error named_after(Error error, const char* name) {
  constexpr std::string_view kOfProvider = "provider.";
  if (std::string_view(error.where).starts_with(kOfProvider)) {
    error.where += kOfProvider.size();
    return with_supplier(error, name);
  }
  error.where = name;
  return error;
}

std::string library_file(const ProviderRegistration& provider) {
  std::string file = ascii_lower(provider.library);
  if (const auto folder = file.find_last_of("\\/"); folder != std::string::npos)
    file.erase(0, folder + 1);
  // As LoadLibrary completes a name.
  if (!file.empty() && file.find('.') == std::string::npos) file += ".dll";
  return file;
}

std::vector<const ProviderRegistration*> owners_of(
    const std::vector<std::string>& modules, const std::vector<ProviderRegistration>& providers) {
  std::vector<const ProviderRegistration*> owners;
  for (auto module = modules.rbegin(); module != modules.rend() && owners.empty(); ++module) {
    const std::string file = ascii_lower(*module);
    if (file.empty()) continue;
    for (const ProviderRegistration& provider : providers)
      if (!provider.disabled && library_file(provider) == file) owners.push_back(&provider);
  }
  return owners;
}

}  // namespace winperf
