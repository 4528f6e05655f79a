#include "collectors/hosting/blame.h"

#include <algorithm>

#include "collectors/base/ascii.h"
#include "collectors/sources/source_health.h"

namespace winperf {

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
