#include "service/selftest/work_folder.h"

#include <windows.h>
// After windows.h.
#include <knownfolders.h>
#include <shlobj.h>

#include <cwchar>
#include <system_error>

#include "collectors/base/path_text.h"
#include "collectors/base/system_text.h"
#include "collectors/base/win/path_rights.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "service/scm/win/security.h"
#include "service/selftest/processes.h"
#include "service/selftest/selftest.h"

namespace winperf::selftest {
namespace {

// What all services are members of.
constexpr char kAllServices[] = "S-1-5-80-0";
constexpr unsigned kDeepest = 32;
// A program that has ended, or a scanner, may hold a file for a moment.
constexpr int kAttempts = 40;
constexpr DWORD kPauseMs = 250;

std::filesystem::path known_folder(REFKNOWNFOLDERID id) {
  PWSTR folder = nullptr;
  std::filesystem::path path;
  if (SUCCEEDED(SHGetKnownFolderPath(id, KF_FLAG_CREATE, nullptr, &folder))) path = folder;
  CoTaskMemFree(folder);
  return path;
}

// Empty if Windows doesn't say.
std::filesystem::path root_for(bool administrators) {
  const std::filesystem::path folder =
      known_folder(administrators ? FOLDERID_ProgramFiles : FOLDERID_LocalAppData);
  if (folder.empty()) return {};
  return administrators ? folder / "winperf_exporter-selftest"
                        : folder / "winperf_exporter" / "selftest";
}

struct FindTraits {
  using Handle = HANDLE;
  static HANDLE invalid() { return INVALID_HANDLE_VALUE; }
  static void close(HANDLE find) { FindClose(find); }
};

DWORD remove_folder(const std::wstring& path, unsigned depth);

DWORD remove_entry(const std::wstring& path, DWORD attributes, unsigned depth) {
  if ((attributes & FILE_ATTRIBUTE_READONLY) != 0)
    SetFileAttributesW(path.c_str(), FILE_ATTRIBUTE_NORMAL);
  const bool is_folder = (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  if (!is_folder) return DeleteFileW(path.c_str()) ? ERROR_SUCCESS : GetLastError();
  if ((attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0)  // the link, not what it leads to
    return RemoveDirectoryW(path.c_str()) ? ERROR_SUCCESS : GetLastError();
  return remove_folder(path, depth + 1);
}

// Removes what it can, and returns why something is left.
DWORD remove_folder(const std::wstring& path, unsigned depth) {
  if (depth > kDeepest) return ERROR_FILENAME_EXCED_RANGE;
  DWORD failure = ERROR_SUCCESS;
  WIN32_FIND_DATAW entry{};
  UniqueHandle<FindTraits> find(FindFirstFileW((path + L"\\*").c_str(), &entry));
  if (!find) return GetLastError();
  do {
    const std::wstring name = entry.cFileName;
    if (name == L"." || name == L"..") continue;
    const DWORD code = remove_entry(path + L'\\' + name, entry.dwFileAttributes, depth);
    if (code != ERROR_SUCCESS) failure = code;
  } while (FindNextFileW(find.get(), &entry));
  find.reset();
  if (failure != ERROR_SUCCESS) return failure;
  return RemoveDirectoryW(path.c_str()) ? ERROR_SUCCESS : GetLastError();
}

// A run that was killed between the start of a program and its first step leaves it suspended for
// ever. Services that ran from here are gone by now.
void end_programs_in(const std::wstring& folder) {
  const std::wstring begin = folder + L'\\';
  for (const ProcessFacts& process : list_processes()) {
    const UniqueKernelHandle opened(
        OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION | PROCESS_TERMINATE, FALSE, process.id));
    if (!opened) continue;
    const std::wstring image = written_path([&](wchar_t* to, DWORD size) {
      return QueryFullProcessImageNameW(opened.get(), 0, to, &size) ? size : 0;
    });
    if (_wcsnicmp(image.c_str(), begin.c_str(), begin.size()) == 0)
      TerminateProcess(opened.get(), 1);
  }
}

// With the prefix that lets a path be longer than 260 characters, as in a browser's profile.
std::wstring long_path(const std::filesystem::path& path) {
  std::error_code failed;
  std::filesystem::path whole = std::filesystem::absolute(path, failed);
  if (failed) whole = path;
  const std::wstring text = whole.make_preferred().wstring();
  if (text.starts_with(L"\\\\?\\")) return text;
  if (text.starts_with(L"\\\\")) return L"\\\\?\\UNC" + text.substr(1);
  return L"\\\\?\\" + text;
}

bool is_absent(DWORD code) { return code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND; }

}  // namespace

bool is_elevated() {
  UniqueKernelHandle token;
  TOKEN_ELEVATION elevation{};
  DWORD bytes = 0;
  return OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, token.put()) &&
         GetTokenInformation(token.get(), TokenElevation, &elevation, sizeof elevation, &bytes) &&
         elevation.TokenIsElevated != 0;
}

std::expected<std::filesystem::path, std::string> selftest_root() {
  const std::filesystem::path root = root_for(is_elevated());
  if (root.empty()) return std::unexpected("Windows does not say where its folders are");
  return root;
}

bool has_administrators_root() {
  if (is_elevated()) return false;
  const std::filesystem::path root = root_for(true);
  return !root.empty() && GetFileAttributesW(root.c_str()) != INVALID_FILE_ATTRIBUTES;
}

std::expected<void, std::string> make_root(const std::filesystem::path& root) {
  const auto failed = [&root](const std::string& why) {
    return std::unexpected("cannot make " + path_text(root) + ": " + why);
  };
  if (!is_elevated()) {
    std::error_code code;
    std::filesystem::create_directories(root, code);
    if (code) return failed(system_text(code));
    return {};
  }
  const auto made = make_guarded_folder(root.wstring(), folder_rights(kAllServices), kAllServices);
  if (!made) return failed(made.error().text);
  return {};
}

std::optional<std::string> why_others_may_change_file(const std::filesystem::path& file) {
  if (auto why = why_others_may_change(file, PathRole::kFile)) return why;
  return why_others_may_change(file.parent_path(), PathRole::kFolder);
}

void remove_empty_root(const std::filesystem::path& root) {
  if (RemoveDirectoryW(root.c_str()) && !is_elevated())
    RemoveDirectoryW(root.parent_path().c_str());
}

std::expected<void, std::string> remove_tree(const std::filesystem::path& folder) {
  const std::wstring path = long_path(folder);
  DWORD code = ERROR_SUCCESS;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const DWORD attributes = GetFileAttributesW(path.c_str());
    if (attributes == INVALID_FILE_ATTRIBUTES) {
      code = GetLastError();
      break;
    }
    if ((attributes & FILE_ATTRIBUTE_DIRECTORY) == 0 ||
        (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0)
      return std::unexpected("it is a link, or no folder");
    code = remove_folder(path, 0);
    if (code == ERROR_SUCCESS || code == ERROR_FILENAME_EXCED_RANGE) break;
    end_programs_in(folder.wstring());
    Sleep(kPauseMs);
  }
  if (code == ERROR_SUCCESS || is_absent(code)) return {};
  return std::unexpected(
      system_text(std::error_code(static_cast<int>(code), std::system_category())));
}

}  // namespace winperf::selftest
