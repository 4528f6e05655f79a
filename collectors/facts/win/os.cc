#include <windows.h>

// After windows.h.
#include <lm.h>
#include <winternl.h>

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>

#include "collectors/base/win/key_reader.h"
#include "collectors/base/win/wide.h"
#include "collectors/facts/machine_texts.h"
#include "collectors/facts/win/failure.h"
#include "collectors/facts/win/topics.h"

namespace winperf {
namespace {

constexpr double kUnitsPerSecond = 1e7;        // of a FILETIME: 100 ns
constexpr double kUnixEpoch = 11'644'473'600;  // seconds after that of a FILETIME
constexpr DWORD kMaxNameChars = 512;           // a DNS name has at most 255

FARPROC ntdll_function(const char* name) {
  const HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");
  return ntdll == nullptr ? nullptr : GetProcAddress(ntdll, name);
}

// GetVersionEx is no use: its answer depends on the executable's manifest.
std::optional<OSVERSIONINFOW> windows_version() {
  using GetVersionFunction = LONG(WINAPI*)(OSVERSIONINFOW*);
  const auto get_version = std::bit_cast<GetVersionFunction>(ntdll_function("RtlGetVersion"));
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

void add_text(FactRow& row, std::string_view field, const std::optional<std::wstring>& text) {
  if (text && !text->empty()) row.text(field, to_utf8(*text));
}

void add_product(FactRow& row, std::uint32_t build) {
  const KeyReader key(HKEY_LOCAL_MACHINE, L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion");
  if (const auto product = key.text(L"ProductName"); product && !product->empty())
    row.text("product", product_name(to_utf8(*product), build));
  if (const auto revision = key.number(L"UBR")) row.text("revision", std::to_string(*revision));
  add_text(row, "edition", key.text(L"EditionID"));
  add_text(row, "installation_type", key.text(L"InstallationType"));
  if (const auto installed = key.number(L"InstallDate"); installed && *installed != 0)
    row.number("install_time", *installed);
}

void add_name(FactRow& row, std::string_view field, COMPUTER_NAME_FORMAT format) {
  std::array<wchar_t, kMaxNameChars> name{};
  DWORD length = kMaxNameChars;
  if (GetComputerNameExW(format, name.data(), &length) && length > 0 && length < kMaxNameChars)
    row.text(field, to_utf8({name.data(), length}));
}

double unix_time_of(std::uint64_t file_time) {
  return static_cast<double>(file_time) / kUnitsPerSecond - kUnixEpoch;
}

// WMI calls it LastBootUpTime. Windows moves it when the clock is set, not when the clock is
// adjusted; the difference between the clock and the ticks would be another one at each reading.
std::optional<std::uint64_t> boot_time() {
  using QueryFunction = NTSTATUS(NTAPI*)(SYSTEM_INFORMATION_CLASS, PVOID, ULONG, PULONG);
  const auto query = std::bit_cast<QueryFunction>(ntdll_function("NtQuerySystemInformation"));
  constexpr auto kTimeOfDay = static_cast<SYSTEM_INFORMATION_CLASS>(3);
  std::array<std::uint64_t, 6> times{};  // the first is the time of the boot
  if (query == nullptr || query(kTimeOfDay, times.data(), sizeof times, nullptr) != 0 ||
      times[0] == 0)
    return std::nullopt;
  return times[0];
}

void add_boot_time(FactRow& row) {
  if (const auto boot = boot_time()) {
    row.number("boot_time", unix_time_of(*boot));
    return;
  }
  FILETIME now{};
  GetSystemTimeAsFileTime(&now);
  const std::uint64_t clock = std::uint64_t{now.dwHighDateTime} << 32U | now.dwLowDateTime;
  constexpr double kTicksPerSecond = 1'000;
  const double up = static_cast<double>(GetTickCount64()) / kTicksPerSecond;
  row.number("boot_time", unix_time_of(clock) - up);
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
