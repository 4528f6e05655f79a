// A provider whose Collect does not return, like that of a driver that waits for its device.
//
// While the file C:\hang-armed exists, a query for its object creates C:\hang-entered and then
// hangs. Other queries return no data immediately, and without the file all queries do.
#include <windows.h>
#include <winperf.h>

#include <string>
#include <string_view>

namespace {

constexpr const wchar_t* kPerformanceKey =
    L"SYSTEM\\CurrentControlSet\\Services\\hang\\Performance";

bool asks_for_it(std::wstring_view query) {
  DWORD first = 0;
  DWORD size = sizeof first;
  if (RegGetValueW(HKEY_LOCAL_MACHINE, kPerformanceKey, L"First Counter", RRF_RT_REG_DWORD, nullptr,
                   &first, &size) != ERROR_SUCCESS)
    return false;
  return query == std::to_wstring(first);
}

bool is_armed() { return GetFileAttributesW(L"C:\\hang-armed") != INVALID_FILE_ATTRIBUTES; }

}  // namespace

extern "C" {

DWORD WINAPI OpenHang(LPWSTR /*device_names*/) { return ERROR_SUCCESS; }

DWORD WINAPI CollectHang(LPWSTR query, LPVOID* /*data*/, LPDWORD bytes, LPDWORD objects) {
  *bytes = 0;
  *objects = 0;
  if (query == nullptr || !asks_for_it(query) || !is_armed()) return ERROR_SUCCESS;
  const HANDLE sign = CreateFileW(L"C:\\hang-entered", GENERIC_WRITE, 0, nullptr, CREATE_ALWAYS,
                                  FILE_ATTRIBUTE_NORMAL, nullptr);
  if (sign != INVALID_HANDLE_VALUE) CloseHandle(sign);
  for (;;) SuspendThread(GetCurrentThread());
}

DWORD WINAPI CloseHang() { return ERROR_SUCCESS; }

}  // extern "C"
