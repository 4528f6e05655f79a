#include "collectors/provider/win/registrations.h"

#include <windows.h>

#include <optional>
#include <string>
#include <utility>

#include "collectors/base/win/key_reader.h"
#include "collectors/base/win/wide.h"

namespace winperf {
namespace {

// Searched for with or without a directory and extension. The name itself if nothing is found.
std::wstring searched(const std::wstring& library) {
  std::wstring path = written_path([&](wchar_t* to, DWORD size) {
    return SearchPathW(nullptr, library.c_str(), L".dll", size, to, nullptr);
  });
  return path.empty() ? library : path;
}

std::wstring in_32_bit_system(const std::wstring& path) {
  const std::wstring system_32_bit = written_path(GetSystemWow64DirectoryW) + L'\\';
  if (system_32_bit.size() < 2) return path;
  // A name without a directory is one in the system directory, too.
  if (path.find_first_of(L"\\/") == std::wstring::npos) return system_32_bit + path;
  const std::wstring system = written_path(GetSystemDirectoryW) + L'\\';
  const int length = static_cast<int>(system.size());
  if (length < 2 || path.size() < system.size()) return path;
  if (CompareStringOrdinal(path.c_str(), length, system.c_str(), length, TRUE) != CSTR_EQUAL)
    return path;
  return system_32_bit + path.substr(system.size());
}

bool is_there(const std::wstring& path) {
  if (GetFileAttributesW(path.c_str()) != INVALID_FILE_ATTRIBUTES) return true;
  const DWORD code = GetLastError();
  return code != ERROR_FILE_NOT_FOUND && code != ERROR_PATH_NOT_FOUND;
}

}  // namespace

std::wstring library_path(const std::wstring& library) {
  std::wstring path = searched(library);
  if (is_there(path)) return path;
  std::wstring other = searched(in_32_bit_system(path));
  return is_there(other) ? other : path;
}

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
