#include "collectors/sources/win/perflib_key.h"

#include "collectors/sources/win/unique_handle.h"

namespace winperf {

std::optional<std::uint32_t> perflib_number(const wchar_t* value_name) {
  UniqueKey key;
  if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib",
                    0, KEY_READ | KEY_WOW64_64KEY, key.put()) != ERROR_SUCCESS)
    return std::nullopt;
  DWORD type = 0;
  DWORD number = 0;
  DWORD size = sizeof(number);
  const LSTATUS status = RegQueryValueExW(key.get(), value_name, nullptr, &type,
                                          reinterpret_cast<BYTE*>(&number), &size);
  if (status != ERROR_SUCCESS || type != REG_DWORD || size != sizeof(number)) return std::nullopt;
  return number;
}

}  // namespace winperf
