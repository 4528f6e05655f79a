#include <windows.h>

// After windows.h.
#include <lm.h>
#include <winternl.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "collectors/base/win/file_time.h"
#include "collectors/base/win/key_reader.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "collectors/facts/machine_texts.h"
#include "collectors/facts/refusals.h"
#include "collectors/facts/win/topics.h"

namespace winperf {
namespace {

// `result` says which half of the year it is. The biases are minutes west of UTC.
double utc_offset_seconds(const DYNAMIC_TIME_ZONE_INFORMATION& zone, DWORD result) {
  constexpr double kSecondsPerMinute = 60;
  LONG bias = zone.Bias;
  if (result == TIME_ZONE_ID_STANDARD) bias += zone.StandardBias;
  if (result == TIME_ZONE_ID_DAYLIGHT) bias += zone.DaylightBias;
  return static_cast<double>(-bias) * kSecondsPerMinute;
}

void add_zone(FactTable& table) {
  DYNAMIC_TIME_ZONE_INFORMATION zone{};
  const DWORD result = GetDynamicTimeZoneInformation(&zone);
  if (result == TIME_ZONE_ID_INVALID) {
    table.problems.push_back(problem_text("The time zone", GetLastError()));
    return;
  }
  FactRow& row = table.rows.front();
  std::wstring_view name(zone.TimeZoneKeyName, std::size(zone.TimeZoneKeyName));
  name = name.substr(0, name.find(L'\0'));
  put_known(row, "timezone", to_utf8(name));
  row.number("utc_offset", utc_offset_seconds(zone, result));
}

}  // namespace

FactAnswer read_time() {
  FactTable table;
  FactRow& row = table.add();
  add_zone(table);
  const KeyReader key(HKEY_LOCAL_MACHINE,
                      L"SYSTEM\\CurrentControlSet\\Services\\W32Time\\Parameters");
  put_known(row, "clock_sync_source", to_utf8(key.text(L"Type").value_or(L"")));
  return table;
}

FactAnswer read_memory() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  if (!GlobalMemoryStatusEx(&status)) return os_failure(GetLastError(), "memory");
  FactTable table;
  table.add()
      .number("physical_total", static_cast<double>(status.ullTotalPhys))
      .number("physical_free", static_cast<double>(status.ullAvailPhys))
      .number("process_limit", static_cast<double>(status.ullTotalVirtual))
      .number("commit_limit", static_cast<double>(status.ullTotalPageFile))
      .number("commit_free", static_cast<double>(status.ullAvailPageFile));
  return table;
}

namespace {

constexpr const char* kLicense = "facts.license";
// The application that is Windows itself.
constexpr GUID kWindows{
    0x55c92734, 0xd682, 0x4d71, {0x98, 0x3e, 0xd6, 0xec, 0x3f, 0x16, 0x05, 0x9f}};
using IsGenuine = HRESULT(WINAPI*)(const GUID*, UINT*, void*);

}  // namespace

FactAnswer read_license() {
  const UniqueLibrary library = load_system_library(L"slwga.dll");
  const auto is_genuine = function_in<IsGenuine>(library.get(), "SLIsGenuineLocal");
  if (is_genuine == nullptr)
    return std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = kLicense});
  UINT state = 0;
  const HRESULT result = is_genuine(&kWindows, &state, nullptr);
  if (FAILED(result))
    return std::unexpected(Error{.code = ErrorCode::kOsError,
                                 .where = kLicense,
                                 .os_code = static_cast<std::uint32_t>(result)});
  FactTable table;
  if (const auto name = license_state_name(state); !name.empty()) table.add().text("state", name);
  return table;
}

namespace {

constexpr DWORD kMaxNameChars = 512;  // a DNS name has at most 255

// Not GetVersionEx, whose answer depends on the executable's manifest.
std::optional<OSVERSIONINFOW> windows_version() {
  const auto get_version = ntdll_function<LONG(WINAPI*)(OSVERSIONINFOW*)>("RtlGetVersion");
  OSVERSIONINFOW version{};
  version.dwOSVersionInfoSize = sizeof version;
  if (get_version == nullptr || get_version(&version) != 0) return std::nullopt;
  return version;
}

void add_version(FactRow& row, const OSVERSIONINFOW& version) {
  const std::string major = std::to_string(version.dwMajorVersion);
  const std::string minor = std::to_string(version.dwMinorVersion);
  const std::string build = std::to_string(version.dwBuildNumber);
  row.text("version", major + '.' + minor + '.' + build);
  row.text("major_version", major).text("minor_version", minor).text("build_number", build);
}

void add_product(FactRow& row, std::uint32_t build) {
  const KeyReader key(HKEY_LOCAL_MACHINE, L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion");
  if (const auto product = key.text(L"ProductName"); product && !product->empty())
    row.text("product", product_name(to_utf8(*product), build));
  if (const auto revision = key.number(L"UBR")) row.text("revision", std::to_string(*revision));
  put_known(row, "edition", to_utf8(key.text(L"EditionID").value_or(L"")));
  put_known(row, "installation_type", to_utf8(key.text(L"InstallationType").value_or(L"")));
  if (const auto installed = key.number(L"InstallDate"); installed && *installed != 0)
    row.number("install_time", *installed);
}

void add_name(FactRow& row, std::string_view field, COMPUTER_NAME_FORMAT format) {
  std::array<wchar_t, kMaxNameChars> name{};
  DWORD length = kMaxNameChars;
  if (GetComputerNameExW(format, name.data(), &length) && length > 0 && length < kMaxNameChars)
    row.text(field, to_utf8({name.data(), length}));
}

// WMI calls it LastBootUpTime. Windows moves it when the clock is set, not when the clock is
// adjusted; the difference between the clock and the ticks would vary with each reading.
std::optional<Ticks100ns> boot_time() {
  using QueryFunction = NTSTATUS(NTAPI*)(SYSTEM_INFORMATION_CLASS, PVOID, ULONG, PULONG);
  const auto query = ntdll_function<QueryFunction>("NtQuerySystemInformation");
  constexpr auto kTimeOfDay = static_cast<SYSTEM_INFORMATION_CLASS>(3);
  std::array<std::int64_t, 6> times{};  // the first is the time of the boot
  if (query == nullptr || query(kTimeOfDay, times.data(), sizeof times, nullptr) != 0 ||
      times[0] == 0)
    return std::nullopt;
  return Ticks100ns{times[0]};
}

void add_boot_time(FactRow& row) {
  if (const auto boot = boot_time()) {
    row.number("boot_time", unix_seconds(*boot));
    return;
  }
  FILETIME now{};
  GetSystemTimeAsFileTime(&now);
  constexpr double kTicksPerSecond = 1'000;
  const double up = static_cast<double>(GetTickCount64()) / kTicksPerSecond;
  row.number("boot_time", unix_seconds(time_of(now)) - up);
}

void add_users(FactTable& table) {
  constexpr DWORD kWithUsers = 102;
  BYTE* answer = nullptr;
  const NET_API_STATUS status = NetWkstaGetInfo(nullptr, kWithUsers, &answer);
  if (status == NERR_Success && answer != nullptr) {
    table.rows.front().number(
        "users", reinterpret_cast<const WKSTA_INFO_102*>(answer)->wki102_logged_on_users);
  } else {
    table.problems.push_back(problem_text("The number of users logged on", status));
  }
  if (answer != nullptr) NetApiBufferFree(answer);
}

}  // namespace

FactAnswer read_os() {
  FactTable table;
  FactRow& row = table.add();
  const auto version = windows_version();
  if (version) add_version(row, *version);
  add_product(row, version ? version->dwBuildNumber : 0);
  add_name(row, "hostname", ComputerNameDnsHostname);
  add_name(row, "domain", ComputerNameDnsDomain);
  add_name(row, "fqdn", ComputerNameDnsFullyQualified);
  add_boot_time(row);
  add_users(table);
  return table;
}

}  // namespace winperf
