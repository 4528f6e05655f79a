#include "collectors/provider/registration.h"

#include <algorithm>

#include "collectors/base/decimal.h"

namespace winperf {

ProviderRegistration registration_of(const PerformanceKey& key) {
  ProviderRegistration provider{.service = key.service,
                                .library = key.library.value_or(""),
                                .open = key.open.value_or(""),
                                .collect = key.collect.value_or(""),
                                .close = key.close.value_or(""),
                                .objects = parse_object_list(key.object_list.value_or("")),
                                .disabled = key.disable_performance_counters.value_or(0) != 0,
                                .disable_value = key.disable_performance_counters,
                                .supports_metadata = key.collect_supports_metadata.value_or(0) != 0,
                                .keep_resident = key.keep_resident.value_or(0) != 0,
                                .has_validation_code = key.has_validation_code,
                                .open_timeout = call_timeout(key.open_timeout_ms),
                                .collect_timeout = call_timeout(key.collect_timeout_ms)};
  if (key.first_counter && key.last_counter)
    provider.titles = TitleRange{*key.first_counter, *key.last_counter};
  return provider;
}

bool supplies(const ProviderRegistration& provider, ObjectIndex object) {
  if (!provider.objects.empty())
    return std::ranges::find(provider.objects, object) != provider.objects.end();
  return provider.titles && provider.titles->has(object);
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
