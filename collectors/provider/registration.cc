#include "collectors/provider/registration.h"

#include <algorithm>

#include "collectors/base/decimal.h"

namespace winperf {

bool supplies(const ProviderRegistration& provider, ObjectIndex object) {
  if (!provider.objects.empty())
    return std::ranges::find(provider.objects, object) != provider.objects.end();
  return provider.titles && value_of(object) >= provider.titles->first &&
         value_of(object) <= provider.titles->last;
}

std::string title_of(const ProviderRegistration& provider) {
  return "provider \"" + provider.service + '"';
}

std::optional<std::chrono::milliseconds> call_timeout(std::optional<std::uint32_t> value) {
  if (value.value_or(0) == 0) return std::nullopt;
  return std::chrono::milliseconds(*value);
}

std::vector<ObjectIndex> parse_object_list(std::string_view text) {
  std::vector<ObjectIndex> objects;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (const auto index = whole_decimal<std::uint32_t>(text.substr(0, end)))
      objects.push_back(ObjectIndex{*index});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return objects;
}

}  // namespace winperf
