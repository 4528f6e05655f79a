#include "collectors/provider/win/library_path.h"

#include <windows.h>

namespace winperf {
namespace {

constexpr DWORD kMaxPathChars = 32'768;

// Searched for with or without a directory and extension. The name itself if nothing is found.
std::wstring searched(const std::wstring& library) {
  std::wstring path(kMaxPathChars, L'\0');
  const DWORD length =
      SearchPathW(nullptr, library.c_str(), L".dll", kMaxPathChars, path.data(), nullptr);
  if (length == 0 || length >= kMaxPathChars) return library;
  path.resize(length);
  return path;
}

std::wstring directory_by(UINT(WINAPI* get)(LPWSTR, UINT)) {
  std::wstring path(MAX_PATH, L'\0');
  const UINT length = get(path.data(), MAX_PATH);
  path.resize(length < MAX_PATH ? length : 0);
  return path;
}

std::wstring in_32_bit_system(const std::wstring& path) {
  const std::wstring system_32_bit = directory_by(GetSystemWow64DirectoryW) + L'\\';
  if (system_32_bit.size() < 2) return path;
  // A name without a directory is one in the system directory, too.
  if (path.find_first_of(L"\\/") == std::wstring::npos) return system_32_bit + path;
  const std::wstring system = directory_by(GetSystemDirectoryW) + L'\\';
  const int length = static_cast<int>(system.size());
  if (length < 2 || path.size() < system.size()) return path;
  if (CompareStringOrdinal(path.c_str(), length, system.c_str(), length, TRUE) != CSTR_EQUAL)
    return path;
  return system_32_bit + path.substr(system.size());
}

bool is_there(const std::wstring& path) {
  if (GetFileAttributesW(path.c_str()) != INVALID_FILE_ATTRIBUTES) return true;
  const DWORD code = GetLastError();
  return code != ERROR_FILE_NOT_FOUND && code != ERROR_PATH_NOT_FOUND;
}

}  // namespace

std::wstring library_path(const std::wstring& library) {
  std::wstring path = searched(library);
  if (is_there(path)) return path;
  std::wstring other = searched(in_32_bit_system(path));
  return is_there(other) ? other : path;
}

}  // namespace winperf
