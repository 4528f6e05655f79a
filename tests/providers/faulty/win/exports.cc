// The faulty provider as a DLL. Its object, "Faulty Device", is right whenever no harm is done;
// C:\faulty.txt is the control file of harm.h.
//
// Open and Close strike in every query of the process, because some systems call them for each;
// Collect only where it is asked for its object.
// Source: Learn, PM_OPEN_PROC, PM_COLLECT_PROC, PM_CLOSE_PROC.
#include <windows.h>
#include <winperf.h>

#include <cstring>
#include <sstream>
#include <string>

#include "tests/providers/faulty/faulty_counters.h"
#include "tests/providers/faulty/harm.h"

namespace faulty {
namespace {

constexpr const wchar_t* kControlFile = L"C:\\faulty.txt";
constexpr const wchar_t* kPerformanceKey =
    L"SYSTEM\\CurrentControlSet\\Services\\faulty\\Performance";
constexpr LONG kMetadataNoInstances = -3;  // mingw-w64's headers lack the name

struct Definitions {
  PERF_OBJECT_TYPE object;
  PERF_COUNTER_DEFINITION requests;
  PERF_COUNTER_DEFINITION jobs;
};
static_assert(sizeof(Definitions) % 8 == 0);

struct Block {
  PERF_COUNTER_BLOCK head;
  DWORD requests;
  DWORD jobs;
  DWORD unused;  // fills up to a multiple of 8
};
static_assert(sizeof(Block) == 16);

struct Wanted {
  bool data = false;
  bool metadata = false;
};

// 0 if the provider isn't registered.
DWORD registered(const wchar_t* value_name) {
  DWORD value = 0;
  DWORD size = sizeof value;
  const LSTATUS status = RegGetValueW(HKEY_LOCAL_MACHINE, kPerformanceKey, value_name,
                                      RRF_RT_REG_DWORD, nullptr, &value, &size);
  return status == ERROR_SUCCESS ? value : 0;
}

Wanted wanted_by(const wchar_t* query, DWORD object_index) {
  std::wistringstream words(query == nullptr ? L"Global" : query);
  Wanted wanted;
  for (std::wstring word; words >> word;) {
    if (_wcsicmp(word.c_str(), L"Foreign") == 0) break;  // another machine's indices follow
    if (_wcsicmp(word.c_str(), L"Global") == 0) wanted.data = true;
    if (_wcsicmp(word.c_str(), L"MetadataGlobal") == 0) wanted.metadata = true;
    if (word == std::to_wstring(object_index)) wanted.data = true;
  }
  return wanted;
}

PERF_COUNTER_DEFINITION counter(DWORD first_counter, DWORD first_help, DWORD symbol, DWORD offset) {
  PERF_COUNTER_DEFINITION definition{};
  definition.ByteLength = sizeof definition;
  definition.CounterNameTitleIndex = first_counter + symbol;
  definition.CounterHelpTitleIndex = first_help + symbol;
  definition.DetailLevel = PERF_DETAIL_NOVICE;
  definition.CounterType = PERF_COUNTER_RAWCOUNT;
  definition.CounterSize = sizeof(DWORD);
  definition.CounterOffset = offset;
  return definition;
}

Definitions definitions(DWORD first_counter, DWORD first_help, bool metadata) {
  Definitions all{};
  all.object.DefinitionLength = sizeof all;
  all.object.TotalByteLength =
      all.object.DefinitionLength + (metadata ? 0 : static_cast<DWORD>(sizeof(Block)));
  all.object.HeaderLength = sizeof all.object;
  all.object.ObjectNameTitleIndex = first_counter + FAULTY_OBJECT;
  all.object.ObjectHelpTitleIndex = first_help + FAULTY_OBJECT;
  all.object.DetailLevel = PERF_DETAIL_NOVICE;
  all.object.NumCounters = 2;
  all.object.NumInstances = metadata ? kMetadataNoInstances : PERF_NO_INSTANCES;
  all.requests = counter(first_counter, first_help, FAULTY_REQUESTS, offsetof(Block, requests));
  all.jobs = counter(first_counter, first_help, FAULTY_JOBS, offsetof(Block, jobs));
  return all;
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
  faulty::fault_at(faulty::Point::kOpen, faulty::kControlFile);
  return ERROR_SUCCESS;
}

DWORD WINAPI CollectFaulty(LPWSTR query, LPVOID* data, LPDWORD bytes, LPDWORD objects) {
  const DWORD room = *bytes;
  *bytes = 0;
  *objects = 0;
  const DWORD first_counter = faulty::registered(L"First Counter");
  const faulty::Wanted wanted = faulty::wanted_by(query, first_counter + FAULTY_OBJECT);
  if (first_counter == 0 || (!wanted.data && !wanted.metadata)) return ERROR_SUCCESS;
  auto* const to = static_cast<std::byte*>(*data);
  faulty::fault_at(faulty::Point::kCollect, faulty::kControlFile, to + room);

  const faulty::Definitions definitions =
      faulty::definitions(first_counter, faulty::registered(L"First Help"), wanted.metadata);
  const auto tenths = static_cast<DWORD>(GetTickCount64() / 100);
  const faulty::Block block{.head = {.ByteLength = sizeof block},
                            .requests = tenths,
                            .jobs = tenths / 10 % 10,
                            .unused = 0};
  if (definitions.object.TotalByteLength > room) return ERROR_MORE_DATA;
  std::memcpy(to, &definitions, sizeof definitions);
  if (!wanted.metadata) std::memcpy(to + sizeof definitions, &block, sizeof block);
  *data = to + definitions.object.TotalByteLength;
  *bytes = definitions.object.TotalByteLength;
  *objects = 1;
  return ERROR_SUCCESS;
}

DWORD WINAPI CloseFaulty() {
  faulty::fault_at(faulty::Point::kClose, faulty::kControlFile);
  return ERROR_SUCCESS;
}

}  // extern "C"
