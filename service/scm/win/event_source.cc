#include "service/scm/win/event_source.h"

#include <windows.h>

#include "collectors/base/win/key_reader.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "service/scm/win/security.h"

namespace winperf {
namespace {

std::wstring source_key(const std::string& source) {
  return L"SYSTEM\\CurrentControlSet\\Services\\EventLog\\Application\\" + to_wide(source);
}

constexpr wchar_t kMessageFileValue[] = L"EventMessageFile";

}  // namespace

ServiceResult<void> put_event_source(const std::string& source, const std::string& message_file) {
  UniqueKey key;
  LSTATUS status = RegCreateKeyExW(HKEY_LOCAL_MACHINE, source_key(source).c_str(), 0, nullptr, 0,
                                   KEY_SET_VALUE | KEY_WOW64_64KEY, nullptr, key.put(), nullptr);
  if (status != ERROR_SUCCESS) return system_failure(static_cast<DWORD>(status));
  const std::wstring file = to_wide(message_file);
  status = RegSetValueExW(key.get(), kMessageFileValue, 0, REG_EXPAND_SZ,
                          reinterpret_cast<const BYTE*>(file.c_str()),
                          static_cast<DWORD>((file.size() + 1) * sizeof(wchar_t)));
  if (status != ERROR_SUCCESS) return system_failure(static_cast<DWORD>(status));
  const DWORD types = EVENTLOG_ERROR_TYPE | EVENTLOG_WARNING_TYPE | EVENTLOG_INFORMATION_TYPE;
  status = RegSetValueExW(key.get(), L"TypesSupported", 0, REG_DWORD,
                          reinterpret_cast<const BYTE*>(&types), sizeof(types));
  if (status != ERROR_SUCCESS) return system_failure(static_cast<DWORD>(status));
  return {};
}

ServiceResult<void> remove_event_source(const std::string& source) {
  const LSTATUS status =
      RegDeleteKeyExW(HKEY_LOCAL_MACHINE, source_key(source).c_str(), KEY_WOW64_64KEY, 0);
  if (status != ERROR_SUCCESS && status != ERROR_FILE_NOT_FOUND)
    return system_failure(static_cast<DWORD>(status));
  return {};
}

std::optional<std::string> message_file_of(const std::string& source) {
  const auto file = KeyReader(HKEY_LOCAL_MACHINE, source_key(source)).text(kMessageFileValue);
  return file ? std::optional(to_utf8(*file)) : std::nullopt;
}

}  // namespace winperf
