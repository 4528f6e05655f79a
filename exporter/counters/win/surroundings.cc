#include "exporter/counters/win/surroundings.h"

#include <windows.h>
// Uses windows.h.
#include <psapi.h>

#include <cstddef>

#include "counter_messages.h"
#include "exporter/counters/own_counters.h"
#include "exporter/counters/section_name.h"

namespace winperf::own {
namespace {

constexpr const wchar_t* kPerformanceKey =
    L"SYSTEM\\CurrentControlSet\\Services\\winperf_exporter\\Performance";
constexpr const wchar_t* kEventSource = L"winperf_exporter_perf";
constexpr std::uint32_t kLastOffset = title_offset(kCountersetObject, kCountersetRows.size() - 1);

DWORD read_dword(HKEY key, const wchar_t* name, std::uint32_t& value) {
  DWORD type = 0;
  DWORD read = 0;
  DWORD size = sizeof read;
  const LSTATUS status =
      RegQueryValueExW(key, name, nullptr, &type, reinterpret_cast<BYTE*>(&read), &size);
  if (status != ERROR_SUCCESS) return static_cast<DWORD>(status);
  if (type != REG_DWORD || size != sizeof read) return ERROR_INVALID_DATA;
  value = read;
  return ERROR_SUCCESS;
}

DWORD event_of(Trouble trouble) {
  switch (trouble) {
    case Trouble::kNotRegistered:
      return WINPERF_COUNTERS_NOT_REGISTERED;
    case Trouble::kSection:
      return WINPERF_COUNTERS_SECTION;
    case Trouble::kOtherLayout:
      return WINPERF_COUNTERS_OTHER_LAYOUT;
    case Trouble::kDamaged:
      break;
  }
  return WINPERF_COUNTERS_DAMAGED;
}

// Ten digits and a NUL.
struct DecimalText {
  wchar_t units[11];
};
// Returns where the number begins.
const wchar_t* write_decimal(DecimalText& text, std::uint32_t number) {
  wchar_t* first = text.units + sizeof text.units / sizeof text.units[0] - 1;
  *first = L'\0';
  do {
    *--first = static_cast<wchar_t>(L'0' + number % 10);
    number /= 10;
  } while (number != 0);
  return first;
}

bool is_of_file(const void* view) {
  wchar_t name[MAX_PATH];
  return K32GetMappedFileNameW(GetCurrentProcess(), const_cast<void*>(view), name,
                               sizeof name / sizeof name[0]) != 0 ||
         GetLastError() == ERROR_INSUFFICIENT_BUFFER;
}

}  // namespace

std::uint32_t read_registered_indices(void*, TitleIndices& indices) {
  HKEY key = nullptr;
  const LSTATUS status =
      RegOpenKeyExW(HKEY_LOCAL_MACHINE, kPerformanceKey, 0, KEY_QUERY_VALUE, &key);
  if (status != ERROR_SUCCESS) return static_cast<std::uint32_t>(status);
  DWORD error = read_dword(key, L"First Counter", indices.first_counter);
  if (error == ERROR_SUCCESS) error = read_dword(key, L"First Help", indices.first_help);
  std::uint32_t last_counter = 0;
  if (error == ERROR_SUCCESS) error = read_dword(key, L"Last Counter", last_counter);
  // Those of a version with more or fewer counters, of which this one would give wrong names.
  if (error == ERROR_SUCCESS && last_counter - indices.first_counter != kLastOffset)
    error = ERROR_INVALID_DATA;
  RegCloseKey(key);
  return error;
}

std::uint32_t with_mapped_section(void*, void (*use)(void* of_use, std::span<const Word>),
                                  void* of_use) {
  const HANDLE section =
      OpenFileMappingW(FILE_MAP_READ, FALSE, reinterpret_cast<const wchar_t*>(kSectionName));
  if (section == nullptr) return GetLastError();
  DWORD error = ERROR_SUCCESS;
  const void* const view = MapViewOfFile(section, FILE_MAP_READ, 0, 0, 0);
  if (view == nullptr) {
    error = GetLastError();
  } else {
    // The size isn't in the handle. It is rounded up to whole pages, of which the rest is zero. A
    // section whose creator has only reserved memory can't be read, and one of a file, which the
    // service never makes, can't be trusted: reading it fails with the file's disk or network.
    MEMORY_BASIC_INFORMATION region;
    if (VirtualQuery(view, &region, sizeof region) != sizeof region)
      error = GetLastError();
    else if (region.State != MEM_COMMIT || is_of_file(view))
      error = ERROR_INVALID_DATA;
    else
      use(of_use, {static_cast<const Word*>(view), region.RegionSize / sizeof(Word)});
    UnmapViewOfFile(view);
  }
  CloseHandle(section);
  return error;
}

std::int64_t system_filetime(void*) {
  FILETIME time;
  GetSystemTimeAsFileTime(&time);
  return static_cast<std::int64_t>(std::uint64_t{time.dwHighDateTime} << 32 | time.dwLowDateTime);
}

std::uint64_t system_tick(void*) { return GetTickCount64(); }

void report_event(void*, Trouble trouble, std::uint32_t detail) {
  const HANDLE source = RegisterEventSourceW(nullptr, kEventSource);
  if (source == nullptr) return;
  DecimalText text;
  LPCWSTR inserted = write_decimal(text, detail);
  ReportEventW(source, EVENTLOG_WARNING_TYPE, 0, event_of(trouble), nullptr, 1, 0, &inserted,
               nullptr);
  DeregisterEventSource(source);
}

void stay_loaded() {
  HMODULE self = nullptr;
  GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                     reinterpret_cast<LPCWSTR>(&stay_loaded), &self);
}

}  // namespace winperf::own
