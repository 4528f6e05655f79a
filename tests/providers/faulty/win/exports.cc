// The faulty provider as a DLL. Its objects are right whenever no harm is done; faulty.txt beside
// the DLL is the control file of harm.h, so that each copy of it has its own.
//
// Open and Close strike in every query of the process, because some systems call them for each;
// Collect only where it is asked for its objects.
// Source: Learn, PM_OPEN_PROC, PM_COLLECT_PROC, PM_CLOSE_PROC.
#include <windows.h>
#include <winperf.h>

#include <cstdint>
#include <string_view>

#include "tests/providers/faulty/harm.h"
#include "tests/providers/faulty/provider.h"

namespace faulty {
namespace {

constexpr std::wstring_view kControlFile = L"faulty.txt";
constexpr const wchar_t* kPerformanceKey =
    L"SYSTEM\\CurrentControlSet\\Services\\faulty\\Performance";

// 0 if the provider isn't registered.
DWORD registered(const wchar_t* value_name) {
  DWORD value = 0;
  DWORD size = sizeof value;
  const LSTATUS status = RegGetValueW(HKEY_LOCAL_MACHINE, kPerformanceKey, value_name,
                                      RRF_RT_REG_DWORD, nullptr, &value, &size);
  return status == ERROR_SUCCESS ? value : 0;
}

const wchar_t* control_file() {
  static wchar_t path[MAX_PATH + kControlFile.size()] = {};
  HMODULE self = nullptr;
  GetModuleHandleExW(
      GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
      reinterpret_cast<LPCWSTR>(&control_file), &self);
  const std::wstring_view whole(path, GetModuleFileNameW(self, path, MAX_PATH));
  kControlFile.copy(path + whole.rfind(L'\\') + 1, kControlFile.size());
  path[whole.rfind(L'\\') + 1 + kControlFile.size()] = 0;
  return path;
}

// Keeps the DLL loaded. It contains a C++ runtime, which leaks whenever the DLL is unloaded, and
// Wine unloads providers after each query.
void stay_loaded() {
  HMODULE self = nullptr;
  GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                     reinterpret_cast<LPCWSTR>(&stay_loaded), &self);
}

}  // namespace
}  // namespace faulty

extern "C" {

DWORD WINAPI OpenFaulty(LPWSTR /*device_names*/) {
  faulty::stay_loaded();
  if (faulty::fault_told(faulty::Point::kOpen, faulty::control_file()) == "error")
    return ERROR_ACCESS_DENIED;
  faulty::fault_at(faulty::Point::kOpen, faulty::control_file());
  return ERROR_SUCCESS;
}

DWORD WINAPI CollectFaulty(LPWSTR query, LPVOID* data, LPDWORD bytes, LPDWORD objects) {
  const faulty::Titles titles{.first_counter = faulty::registered(L"First Counter"),
                              .first_help = faulty::registered(L"First Help")};
  std::uint32_t room = *bytes;
  *bytes = 0;
  *objects = 0;
  if (titles.first_counter == 0) return ERROR_SUCCESS;
  const auto* const text = reinterpret_cast<const char16_t*>(query);
  auto* to = static_cast<std::byte*>(*data);
  std::uint32_t count = 0;
  const DWORD code = faulty::collect({.query = text == nullptr ? u"" : text,
                                      .titles = titles,
                                      .tenths = GetTickCount64() / 100,
                                      .control_file = faulty::control_file()},
                                     to, room, count);
  *data = to;
  *bytes = room;
  *objects = count;
  return code;
}

DWORD WINAPI CloseFaulty() {
  faulty::fault_at(faulty::Point::kClose, faulty::control_file());
  return ERROR_SUCCESS;
}

}  // extern "C"
