#include "collectors/provider/win/registrations.h"

#include <windows.h>

#include <optional>
#include <string>
#include <utility>

#include "collectors/base/win/key_reader.h"
#include "collectors/base/win/wide.h"

namespace winperf {
namespace {

std::optional<std::string> text_of(const KeyReader& key, const wchar_t* value_name) {
  const auto text = key.text(value_name);
  return text ? std::optional(to_utf8(*text)) : std::nullopt;
}

PerformanceKey read(const std::wstring& service) {
  const KeyReader key = performance_key(service);
  return {.service = to_utf8(service),
          .access = access_of(key.status()),
          .library = text_of(key, L"Library"),
          .open = text_of(key, L"Open"),
          .collect = text_of(key, L"Collect"),
          .close = text_of(key, L"Close"),
          .first_counter = key.number(L"First Counter"),
          .last_counter = key.number(L"Last Counter"),
          .first_help = key.number(L"First Help"),
          .last_help = key.number(L"Last Help"),
          .object_list = text_of(key, L"Object List"),
          .disable_performance_counters = key.number(kDisableValue),
          .collect_supports_metadata = key.number(L"Collect Supports Metadata"),
          .keep_resident = key.number(L"KeepResident"),
          .open_timeout_ms = key.number(L"Open Timeout"),
          .collect_timeout_ms = key.number(L"Collect Timeout"),
          .has_validation_code = key.has(L"Library Validation Code")};
}

std::optional<std::vector<std::u16string>> devices_of(const std::wstring& service) {
  const KeyReader linkage(HKEY_LOCAL_MACHINE,
                          std::wstring(kServicesPath) + L'\\' + service + L"\\Linkage");
  const auto strings = linkage.strings(L"Export");
  if (!strings) return std::nullopt;
  std::vector<std::u16string> devices;
  for (const std::wstring& string : *strings) devices.emplace_back(string.begin(), string.end());
  return devices;
}

}  // namespace

Access access_of(LSTATUS status) {
  if (status == ERROR_SUCCESS) return Access::kReadable;
  if (status == ERROR_FILE_NOT_FOUND || status == ERROR_PATH_NOT_FOUND) return Access::kAbsent;
  return status == ERROR_ACCESS_DENIED ? Access::kDenied : Access::kFailed;
}

std::vector<PerformanceKey> read_performance_keys() {
  std::vector<PerformanceKey> keys;
  for (const std::wstring& service : services_key().subkeys())
    if (PerformanceKey key = read(service); key.access != Access::kAbsent)
      keys.push_back(std::move(key));
  return keys;
}

std::vector<ProviderRegistration> read_registrations() {
  const bool all_disabled = perflib_key().number(kDisableValue).value_or(0) != 0;
  std::vector<ProviderRegistration> providers;
  for (const PerformanceKey& key : read_performance_keys()) {
    if (!key.library) continue;
    ProviderRegistration& provider = providers.emplace_back(registration_of(key));
    provider.library = to_utf8(expanded(to_wide(*key.library)));
    provider.devices = devices_of(to_wide(key.service));
    if (all_disabled) provider.disabled = true;
  }
  return providers;
}

}  // namespace winperf
