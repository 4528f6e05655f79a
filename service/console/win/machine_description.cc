#include "service/console/machine_description.h"

#include <windows.h>

#include <array>
#include <cstddef>

#include "collectors/base/win/key_reader.h"
#include "collectors/base/win/wide.h"

namespace winperf {
namespace {

constexpr DWORD kMaxName = 1024;

using Name = std::array<wchar_t, kMaxName>;

// Empty if the call has failed.
std::wstring text_of(const Name& name, bool ok) { return ok ? name.data() : std::wstring(); }

std::wstring computer_name(COMPUTER_NAME_FORMAT format) {
  Name name{};
  DWORD size = kMaxName;
  return text_of(name, GetComputerNameExW(format, name.data(), &size) != 0);
}

std::wstring account_name() {
  Name name{};
  DWORD size = kMaxName;
  return text_of(name, GetUserNameW(name.data(), &size) != 0);
}

std::wstring environment(const wchar_t* variable) {
  Name name{};
  const DWORD size = GetEnvironmentVariableW(variable, name.data(), kMaxName);
  return text_of(name, size > 0 && size < kMaxName);
}

// Profile folders are named after accounts, "name" or "name.DOMAIN". People's accounts belong to a
// machine or domain (S-1-5-21-) or to Entra ID (S-1-12-1-).
void add_profiles(std::vector<std::wstring>& names) {
  const std::wstring list = L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\ProfileList";
  for (const std::wstring& sid : KeyReader(HKEY_LOCAL_MACHINE, list).subkeys()) {
    if (!sid.starts_with(L"S-1-5-21-") && !sid.starts_with(L"S-1-12-1-")) continue;
    const auto path = KeyReader(HKEY_LOCAL_MACHINE, list + L"\\" + sid).text(L"ProfileImagePath");
    if (!path) continue;
    const std::wstring folder = path->substr(path->find_last_of(L'\\') + 1);
    names.push_back(folder);
    names.push_back(folder.substr(0, folder.find(L'.')));
  }
}

std::string system_text() {
  using GetVersionFunction = LONG(WINAPI*)(OSVERSIONINFOW*);
  const HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");
  // GetVersionEx is no use: its answer depends on the executable's manifest.
  const auto get_version =
      ntdll == nullptr ? nullptr
                       : reinterpret_cast<GetVersionFunction>(
                             reinterpret_cast<void*>(GetProcAddress(ntdll, "RtlGetVersion")));
  OSVERSIONINFOW version{};
  version.dwOSVersionInfoSize = sizeof version;
  if (get_version == nullptr || get_version(&version) != 0) return {};
  std::string text = "Windows " + std::to_string(version.dwMajorVersion) + '.' +
                     std::to_string(version.dwMinorVersion) + '.' +
                     std::to_string(version.dwBuildNumber);
  std::array<wchar_t, LOCALE_NAME_MAX_LENGTH> locale{};
  if (GetSystemDefaultLocaleName(locale.data(), static_cast<int>(locale.size())) > 0)
    text += ", locale " + to_utf8(locale.data());
  return text;
}

}  // namespace

MachineDescription describe_this_machine() {
  std::vector<std::wstring> names{
      computer_name(ComputerNameNetBIOS),   computer_name(ComputerNameDnsHostname),
      computer_name(ComputerNameDnsDomain), computer_name(ComputerNameDnsFullyQualified),
      environment(L"USERDOMAIN"),           account_name()};
  add_profiles(names);
  MachineDescription machine{.system = system_text(), .names = {}};
  for (const std::wstring& name : names) machine.names.emplace_back(name.begin(), name.end());
  return machine;
}

}  // namespace winperf
