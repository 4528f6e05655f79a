#include "service/win/service_folder.h"

#include <windows.h>
// After windows.h:
#include <aclapi.h>
#include <sddl.h>
#include <shlobj.h>

#include <memory>

#include "collectors/sources/win/unique_handle.h"
#include "collectors/sources/win/wide.h"
#include "service/win/security.h"

namespace winperf {
namespace {

struct LocalMemory {
  void operator()(void* memory) const { LocalFree(memory); }
};
struct TaskMemory {
  void operator()(void* memory) const { CoTaskMemFree(memory); }
};

// The environment's variable may be anything.
Managed<std::wstring> program_data() {
  wchar_t* path = nullptr;
  const HRESULT result = SHGetKnownFolderPath(FOLDERID_ProgramData, 0, nullptr, &path);
  const std::unique_ptr<wchar_t, TaskMemory> owner(path);
  if (FAILED(result)) return system_failure(ERROR_PATH_NOT_FOUND);
  return std::wstring(path);
}

Managed<void> make_folder(std::wstring path, const std::string& rights) {
  if (!CreateDirectoryW(path.c_str(), nullptr) && GetLastError() != ERROR_ALREADY_EXISTS)
    return last_failure();
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(to_wide(rights).c_str(),
                                                            SDDL_REVISION_1, &descriptor, nullptr))
    return last_failure();
  const std::unique_ptr<void, LocalMemory> memory(descriptor);
  PSID owner = nullptr;
  PACL acl = nullptr;
  BOOL present = FALSE;
  BOOL defaulted = FALSE;
  if (!GetSecurityDescriptorOwner(descriptor, &owner, &defaulted) ||
      !GetSecurityDescriptorDacl(descriptor, &present, &acl, &defaulted))
    return last_failure();
  const DWORD status = SetNamedSecurityInfoW(
      path.data(), SE_FILE_OBJECT,
      OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION | PROTECTED_DACL_SECURITY_INFORMATION,
      owner, nullptr, acl, nullptr);
  if (status != ERROR_SUCCESS) return system_failure(status);
  return {};
}

Managed<std::wstring> service_folder(const std::string& service_name) {
  auto parent = program_data();
  if (parent) *parent += L'\\' + to_wide(service_name);
  return parent;
}

std::wstring logs_in(const std::wstring& folder) { return folder + L"\\logs"; }

struct FindTraits {
  using Handle = HANDLE;
  static HANDLE invalid() { return INVALID_HANDLE_VALUE; }
  static void close(HANDLE find) { FindClose(find); }
};

Managed<void> delete_files(const std::wstring& folder) {
  WIN32_FIND_DATAW entry{};
  const UniqueHandle<FindTraits> find(FindFirstFileW((folder + L"\\*").c_str(), &entry));
  if (!find && GetLastError() == ERROR_PATH_NOT_FOUND) return {};
  if (!find) return last_failure();
  do {
    const std::wstring file = folder + L'\\' + entry.cFileName;
    const bool is_folder = (entry.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    if (!is_folder && !DeleteFileW(file.c_str())) return last_failure();
  } while (FindNextFileW(find.get(), &entry));
  return {};
}

}  // namespace

Managed<std::string> make_service_folder(const std::string& service_name) {
  const auto folder = service_folder(service_name);
  if (!folder) return std::unexpected(folder.error());
  const auto sid = service_sid(service_name);
  if (!sid) return std::unexpected(sid.error());
  if (const auto made = make_folder(*folder, folder_rights(*sid)); !made)
    return std::unexpected(made.error());
  if (const auto made = make_folder(logs_in(*folder), log_folder_rights(*sid)); !made)
    return std::unexpected(made.error());
  return to_utf8(*folder);
}

Managed<void> remove_service_logs(const std::string& service_name) {
  const auto folder = service_folder(service_name);
  if (!folder) return std::unexpected(folder.error());
  const std::wstring logs = logs_in(*folder);
  if (auto deleted = delete_files(logs); !deleted) return deleted;
  if (!RemoveDirectoryW(logs.c_str()) && GetLastError() != ERROR_FILE_NOT_FOUND &&
      GetLastError() != ERROR_PATH_NOT_FOUND)
    return last_failure();
  RemoveDirectoryW(folder->c_str());  // stays where the configuration is in it
  return {};
}

}  // namespace winperf
