#include "collectors/provider/win/registrations.h"

#include <windows.h>

#include <optional>
#include <string>
#include <utility>

#include "collectors/base/win/key_reader.h"
#include "collectors/base/win/performance_keys.h"
#include "collectors/base/win/wide.h"

namespace winperf {
namespace {

std::string utf8_of(const KeyReader& key, const wchar_t* value_name) {
  return to_utf8(key.text(value_name).value_or(L""));
}

std::optional<TitleRange> titles_of(const KeyReader& key) {
  const auto first = key.number(L"First Counter");
  const auto last = key.number(L"Last Counter");
  if (!first || !last) return std::nullopt;
  return TitleRange{*first, *last};
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

ProviderRegistration read(const std::wstring& service, const KeyReader& key) {
  const auto disable_value = key.number(kDisableValue);
  return {.service = to_utf8(service),
          .library = to_utf8(expanded(key.text(L"Library").value_or(L""))),
          .open = utf8_of(key, L"Open"),
          .collect = utf8_of(key, L"Collect"),
          .close = utf8_of(key, L"Close"),
          .titles = titles_of(key),
          .objects = parse_object_list(utf8_of(key, L"Object List")),
          .devices = devices_of(service),
          .disabled = disable_value.value_or(0) != 0,
          .disable_value = disable_value,
          .supports_metadata = key.number(L"Collect Supports Metadata").value_or(0) != 0,
          .keep_resident = key.number(L"KeepResident").value_or(0) != 0,
          .has_validation_code = key.has(L"Library Validation Code"),
          .open_timeout = call_timeout(key.number(L"Open Timeout")),
          .collect_timeout = call_timeout(key.number(L"Collect Timeout"))};
}

}  // namespace

std::vector<ProviderRegistration> read_registrations() {
  const bool all_disabled = perflib_key().number(kDisableValue).value_or(0) != 0;
  std::vector<ProviderRegistration> providers;
  for (const std::wstring& service : services_key().subkeys()) {
    const KeyReader key = performance_key(service);
    if (!key.text(L"Library")) continue;
    providers.push_back(read(service, key));
    if (all_disabled) providers.back().disabled = true;
  }
  return providers;
}

}  // namespace winperf
