#include "service/selftest/win/system_facts.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <iterator>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"

namespace winperf::selftest {

std::string windows_error(DWORD code) { return "Windows error " + std::to_string(code); }

namespace {

std::string why_not_there(const KeyReader& key) {
  return key.status() == ERROR_SUCCESS ? "the registry has no such value"
                                       : windows_error(static_cast<DWORD>(key.status()));
}

}  // namespace

void add_text(FactGroup& group, const char* fact, const KeyReader& key, const wchar_t* value) {
  if (const auto text = key.text(value))
    group.add(fact, to_utf8(*text));
  else
    group.lacks(fact, why_not_there(key));
}

void add_number(FactGroup& group, const char* fact, const KeyReader& key, const wchar_t* value) {
  if (const auto number = key.number(value))
    group.add(fact, *number);
  else
    group.lacks(fact, why_not_there(key));
}

namespace {

constexpr std::uint32_t kFirstBuildOf11 = 22'000;

FactGroup windows_facts() {
  FactGroup group{.name = "windows"};
  const KeyReader key(HKEY_LOCAL_MACHINE, L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion");
  add_text(group, "product", key, L"ProductName");
  const auto get_version = ntdll_function<LONG(WINAPI*)(OSVERSIONINFOW*)>("RtlGetVersion");
  OSVERSIONINFOW version{};
  version.dwOSVersionInfoSize = sizeof version;
  if (get_version != nullptr && get_version(&version) == 0) {
    group.add("version", std::to_string(version.dwMajorVersion) + '.' +
                             std::to_string(version.dwMinorVersion) + '.' +
                             std::to_string(version.dwBuildNumber));
    group.add("build", std::uint32_t{version.dwBuildNumber});
    group.add("is 11 or newer", version.dwBuildNumber >= kFirstBuildOf11);
  } else {
    group.lacks("version", "ntdll.dll has no RtlGetVersion");
    group.lacks("build", "ntdll.dll has no RtlGetVersion");
  }
  add_number(group, "revision", key, L"UBR");
  add_text(group, "display version", key, L"DisplayVersion");
  add_text(group, "edition", key, L"EditionID");
  add_text(group, "installation type", key, L"InstallationType");
  // It isn't Windows then.
  if (const auto wine = ntdll_function<const char*(CDECL*)()>("wine_get_version"))
    group.add("Wine", wine());
  else
    group.add("Wine", false);
  return group;
}

template <class Function>
void add_locale(FactGroup& group, const char* fact, const Function& get_name) {
  std::array<wchar_t, LOCALE_NAME_MAX_LENGTH> name{};
  if (get_name(name.data(), static_cast<int>(name.size())) > 0)
    group.add(fact, to_utf8(name.data()));
  else
    group.lacks(fact, windows_error(GetLastError()));
}

FactGroup language_facts() {
  FactGroup group{.name = "language"};
  add_locale(group, "system locale", GetSystemDefaultLocaleName);
  add_locale(group, "user locale", GetUserDefaultLocaleName);
  const auto of_language = [](LANGID language) {
    return [language](wchar_t* name, int size) {
      return LCIDToLocaleName(MAKELCID(language, SORT_DEFAULT), name, size, 0);
    };
  };
  add_locale(group, "user interface", of_language(GetUserDefaultUILanguage()));
  add_locale(group, "system interface", of_language(GetSystemDefaultUILanguage()));
  group.add("ANSI code page", std::uint32_t{GetACP()});
  group.add("OEM code page", std::uint32_t{GetOEMCP()});
  group.add("console output code page", std::uint32_t{GetConsoleOutputCP()});
  DYNAMIC_TIME_ZONE_INFORMATION zone{};
  if (GetDynamicTimeZoneInformation(&zone) != TIME_ZONE_ID_INVALID) {
    std::wstring_view name(zone.TimeZoneKeyName, std::size(zone.TimeZoneKeyName));
    group.add("time zone", to_utf8(name.substr(0, name.find(L'\0'))));
  } else {
    group.lacks("time zone", windows_error(GetLastError()));
  }
  return group;
}

using ProcessorRecord = SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX;

struct Counted {
  std::uint32_t packages = 0;
  std::uint32_t cores = 0;
  std::uint32_t numa_nodes = 0;
  std::uint32_t groups = 0;
  std::uint32_t logical = 0;
  std::set<std::uint32_t> efficiency_classes{};
};

// EfficiencyClass, which older headers don't have, is the byte after the flags.
std::uint32_t efficiency_class(const PROCESSOR_RELATIONSHIP& core) {
  static_assert(offsetof(PROCESSOR_RELATIONSHIP, Flags) == 0);
  return std::to_integer<std::uint32_t>(reinterpret_cast<const std::byte*>(&core)[1]);
}

void note_record(const ProcessorRecord& record, std::size_t bytes, Counted& counted) {
  constexpr std::size_t kBefore = offsetof(ProcessorRecord, Processor);
  if (record.Relationship == RelationProcessorPackage) ++counted.packages;
  if (record.Relationship == RelationNumaNode) ++counted.numa_nodes;
  if (record.Relationship == RelationProcessorCore) {
    ++counted.cores;
    if (bytes >= kBefore + sizeof(PROCESSOR_RELATIONSHIP))
      counted.efficiency_classes.insert(efficiency_class(record.Processor));
  }
  if (record.Relationship != RelationGroup || bytes < kBefore + sizeof(GROUP_RELATIONSHIP)) return;
  counted.groups += record.Group.ActiveGroupCount;
  const std::size_t room =
      (bytes - kBefore - offsetof(GROUP_RELATIONSHIP, GroupInfo)) / sizeof(PROCESSOR_GROUP_INFO);
  for (std::size_t i = 0; i < std::min<std::size_t>(room, record.Group.ActiveGroupCount); ++i)
    counted.logical += record.Group.GroupInfo[i].ActiveProcessorCount;
}

// The records have sizes of their own.
std::expected<Counted, std::string> count_processors() {
  constexpr DWORD kMost = 16U << 20U;
  DWORD size = 0;
  GetLogicalProcessorInformationEx(RelationAll, nullptr, &size);
  if (size == 0 || size > kMost) return std::unexpected(windows_error(GetLastError()));
  // Aligned for any record.
  std::vector<std::uint64_t> memory(size / sizeof(std::uint64_t) + 1);
  auto* const begin = reinterpret_cast<std::byte*>(memory.data());
  if (!GetLogicalProcessorInformationEx(RelationAll, reinterpret_cast<ProcessorRecord*>(begin),
                                        &size))
    return std::unexpected(windows_error(GetLastError()));
  Counted counted;
  constexpr std::size_t kHead = offsetof(ProcessorRecord, Processor);
  for (std::size_t at = 0; at + kHead <= size;) {
    const auto& record = *reinterpret_cast<const ProcessorRecord*>(begin + at);
    if (record.Size < kHead || record.Size > size - at) break;
    note_record(record, record.Size, counted);
    at += record.Size;
  }
  return counted;
}

std::string architecture_of(WORD machine) {
  switch (machine) {
    case PROCESSOR_ARCHITECTURE_AMD64:
      return "x64";
    case PROCESSOR_ARCHITECTURE_ARM64:
      return "ARM64";
    case PROCESSOR_ARCHITECTURE_INTEL:
      return "x86";
    default:
      return std::to_string(machine);
  }
}

FactGroup processor_facts() {
  FactGroup group{.name = "processors"};
  const auto counted = count_processors();
  if (counted) {
    group.add("logical", counted->logical);
    group.add("cores", counted->cores);
    group.add("packages", counted->packages);
    group.add("groups", counted->groups);
    group.add("NUMA nodes", counted->numa_nodes);
    group.add("hybrid", counted->efficiency_classes.size() > 1);
  } else {
    for (const char* const fact :
         {"logical", "cores", "packages", "groups", "NUMA nodes", "hybrid"})
      group.lacks(fact, counted.error());
  }
  const KeyReader first(HKEY_LOCAL_MACHINE, L"HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0");
  add_text(group, "name", first, L"ProcessorNameString");
  SYSTEM_INFO system{};
  GetNativeSystemInfo(&system);
  group.add("architecture", architecture_of(system.wProcessorArchitecture));
  // x64 programs on ARM64 aren't told by GetNativeSystemInfo.
  const UniqueLibrary kernel = load_system_library(L"kernel32.dll");
  const auto is_wow64 =
      function_in<BOOL(WINAPI*)(HANDLE, USHORT*, USHORT*)>(kernel.get(), "IsWow64Process2");
  USHORT process = 0;
  USHORT native = 0;
  if (is_wow64 != nullptr && is_wow64(GetCurrentProcess(), &process, &native))
    group.add("emulated", native != IMAGE_FILE_MACHINE_AMD64);
  else
    group.lacks("emulated", "this Windows does not say");
  LARGE_INTEGER frequency{};
  if (QueryPerformanceFrequency(&frequency))
    group.add("performance counter frequency", std::int64_t{frequency.QuadPart});
  return group;
}

FactGroup memory_facts() {
  FactGroup group{.name = "memory"};
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  if (!GlobalMemoryStatusEx(&status)) {
    for (const char* const fact : {"physical bytes", "commit limit bytes", "commit free bytes"})
      group.lacks(fact, windows_error(GetLastError()));
    return group;
  }
  group.add("physical bytes", std::uint64_t{status.ullTotalPhys});
  group.add("physical free bytes", std::uint64_t{status.ullAvailPhys});
  group.add("commit limit bytes", std::uint64_t{status.ullTotalPageFile});
  group.add("commit free bytes", std::uint64_t{status.ullAvailPageFile});
  return group;
}

bool is_in_domain(std::string& reason) {
  const UniqueLibrary library = load_system_library(L"netapi32.dll");
  const auto join =
      function_in<DWORD(WINAPI*)(LPCWSTR, LPWSTR*, int*)>(library.get(), "NetGetJoinInformation");
  const auto free_buffer = function_in<DWORD(WINAPI*)(LPVOID)>(library.get(), "NetApiBufferFree");
  if (join == nullptr || free_buffer == nullptr) {
    reason = "netapi32.dll has no NetGetJoinInformation";
    return false;
  }
  constexpr int kDomain = 3;  // NetSetupDomainName
  LPWSTR name = nullptr;
  int status = 0;
  if (const DWORD code = join(nullptr, &name, &status); code != 0) reason = windows_error(code);
  if (name != nullptr) free_buffer(name);
  return status == kDomain;
}

FactGroup machine_facts() {
  FactGroup group{.name = "machine"};
  const KeyReader bios(HKEY_LOCAL_MACHINE, L"HARDWARE\\DESCRIPTION\\System\\BIOS");
  const KeyReader system(HKEY_LOCAL_MACHINE, L"HARDWARE\\DESCRIPTION\\System");
  add_text(group, "manufacturer", bios, L"SystemManufacturer");
  add_text(group, "model", bios, L"SystemProductName");
  add_text(group, "BIOS", system, L"SystemBiosVersion");
  std::vector<std::string> texts;
  for (const SystemFact& fact : group.facts)
    if (fact.value.is_string() && fact.value != "") texts.push_back(fact.value.get<std::string>());
  if (const std::string hypervisor = hypervisor_in(texts); !hypervisor.empty())
    group.add("hypervisor", hypervisor);
  else if (texts.empty())
    group.lacks("hypervisor", "the registry does not describe the machine");
  else
    group.add("hypervisor", false);
  const KeyReader options(HKEY_LOCAL_MACHINE,
                          L"SYSTEM\\CurrentControlSet\\Control\\ProductOptions");
  std::string reason;
  const bool joined = is_in_domain(reason);
  const std::string role =
      machine_role(to_utf8(options.text(L"ProductType").value_or(L"")), joined);
  if (reason.empty() && !role.empty())
    group.add("role", role);
  else
    group.lacks("role", reason.empty() ? "the product type is unknown" : reason);
  constexpr double kMillisecondsPerSecond = 1'000;
  group.add("uptime seconds", static_cast<double>(GetTickCount64()) / kMillisecondsPerSecond);
  return group;
}

FactGroup counter_facts() {
  FactGroup group{.name = "counters"};
  const KeyReader perflib = perflib_key();
  // Absent is the usual state.
  if (perflib.status() == ERROR_SUCCESS)
    group.add("disabled", std::uint32_t{perflib.number(kDisableValue).value_or(0)});
  else
    group.lacks("disabled", windows_error(static_cast<DWORD>(perflib.status())));
  add_number(group, "last counter", perflib, L"Last Counter");
  add_number(group, "last help", perflib, L"Last Help");
  add_number(group, "base index", perflib, L"Base Index");
  add_number(group, "test level of DLLs", perflib, L"ExtCounterTestLevel");
  for (const wchar_t* const service : {L"PerfOS", L"PerfProc", L"PerfDisk", L"PerfNet", L"Tcpip"})
    add_number(group, (to_utf8(service) + " disabled").c_str(), performance_key(service),
               kDisableValue);
  add_number(group, "format of process names", performance_key(L"PerfProc"), L"ProcessNameFormat");
  const KeyReader driver(HKEY_LOCAL_MACHINE, std::wstring(kServicesPath) + L"\\pcw");
  add_number(group, "kernel driver start", driver, L"Start");
  const KeyReader host(HKEY_LOCAL_MACHINE, std::wstring(kServicesPath) + L"\\PerfHost");
  add_number(group, "PerfHost start", host, L"Start");
  return group;
}

}  // namespace

SystemFacts read_system_facts() {
  SystemFacts facts;
  facts.groups.push_back(windows_facts());
  facts.groups.push_back(language_facts());
  facts.groups.push_back(processor_facts());
  facts.groups.push_back(memory_facts());
  facts.groups.push_back(machine_facts());
  facts.groups.push_back(account_facts());
  facts.groups.push_back(policy_facts());
  facts.groups.push_back(mitigation_facts());
  facts.groups.push_back(counter_facts());
  return facts;
}

}  // namespace winperf::selftest
