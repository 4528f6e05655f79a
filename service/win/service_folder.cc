#include "service/win/service_folder.h"

#include <windows.h>
// After windows.h:
#include <aclapi.h>
#include <sddl.h>
#include <shlobj.h>

#include <memory>

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

}  // namespace

Managed<std::string> make_service_folder(const std::string& service_name) {
  const auto parent = program_data();
  if (!parent) return std::unexpected(parent.error());
  const auto sid = service_sid(service_name);
  if (!sid) return std::unexpected(sid.error());
  const std::wstring folder = *parent + L'\\' + to_wide(service_name);
  if (const auto made = make_folder(folder, folder_rights(*sid)); !made)
    return std::unexpected(made.error());
  if (const auto made = make_folder(folder + L"\\logs", log_folder_rights(*sid)); !made)
    return std::unexpected(made.error());
  return to_utf8(folder);
}

}  // namespace winperf
