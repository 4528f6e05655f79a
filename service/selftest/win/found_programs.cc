#include "service/selftest/found_programs.h"

#include <windows.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "service/selftest/program.h"

namespace winperf::selftest {
namespace {

// The default value of the program's key; empty if there is none.
std::filesystem::path app_path(const wchar_t* name) {
  const std::wstring key =
      std::wstring(L"SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\App Paths\\") + name;
  std::array<wchar_t, MAX_PATH + 1> path{};
  DWORD bytes = sizeof path;
  const LSTATUS status = RegGetValueW(HKEY_LOCAL_MACHINE, key.c_str(), nullptr, RRF_RT_REG_SZ,
                                      nullptr, path.data(), &bytes);
  return status == ERROR_SUCCESS ? std::filesystem::path(path.data()) : std::filesystem::path();
}

// In a folder that a variable names, such as ProgramFiles.
std::filesystem::path in_folder(const wchar_t* variable, const wchar_t* file) {
  std::array<wchar_t, MAX_PATH + 1> folder{};
  const DWORD length =
      GetEnvironmentVariableW(variable, folder.data(), static_cast<DWORD>(folder.size()));
  if (length == 0 || length >= folder.size()) return {};
  return std::filesystem::path(folder.data()) / file;
}

std::vector<std::filesystem::path> those_that_exist(std::vector<std::filesystem::path> files) {
  std::vector<std::filesystem::path> found;
  for (const std::filesystem::path& file : files) {
    std::error_code failed;
    if (file.is_absolute() && std::filesystem::is_regular_file(file, failed) &&
        std::ranges::find(found, file) == found.end())
      found.push_back(file);
  }
  return found;
}

}  // namespace

std::vector<std::filesystem::path> found_browsers() {
  constexpr const wchar_t* kEdge = L"Microsoft\\Edge\\Application\\msedge.exe";
  return those_that_exist({app_path(L"msedge.exe"), in_folder(L"ProgramFiles(x86)", kEdge),
                           in_folder(L"ProgramFiles", kEdge), app_path(L"chrome.exe")});
}

std::vector<std::filesystem::path> found_powershells() {
  return those_that_exist({system_program("WindowsPowerShell\\v1.0\\powershell.exe"),
                           in_folder(L"ProgramFiles", L"PowerShell\\7\\pwsh.exe"),
                           app_path(L"pwsh.exe")});
}

// Otherwise an elevated browser starts itself again without these rights, and ends.
std::vector<std::string> browser_words() { return {"--do-not-de-elevate"}; }

}  // namespace winperf::selftest
