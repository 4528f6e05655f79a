#include "service/scm/win/service_folder.h"

#include <windows.h>
// After windows.h:
#include <aclapi.h>
#include <sddl.h>
#include <shlobj.h>

#include <array>
#include <cstddef>
#include <memory>

#include "collectors/base/win/account.h"
#include "collectors/base/win/path_rights.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "service/scm/win/security.h"

namespace winperf {
namespace {

struct LocalMemory {
  void operator()(void* memory) const { LocalFree(memory); }
};
struct TaskMemory {
  void operator()(void* memory) const { CoTaskMemFree(memory); }
};

// The environment variable could hold anything.
ServiceResult<std::wstring> program_data() {
  wchar_t* path = nullptr;
  const HRESULT result = SHGetKnownFolderPath(FOLDERID_ProgramData, 0, nullptr, &path);
  const std::unique_ptr<wchar_t, TaskMemory> owner(path);
  if (FAILED(result)) return system_failure(ERROR_PATH_NOT_FOUND);
  return std::wstring(path);
}

// A junction or a symbolic link. False if nothing exists there.
bool is_link(const std::wstring& path) {
  const DWORD attributes = GetFileAttributesW(path.c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
}

std::unexpected<SystemError> link_failure(const std::wstring& path) {
  return std::unexpected(SystemError{
      ERROR_CANT_RESOLVE_FILENAME,
      to_utf8(path) +
          " is a link, which could lead anywhere: find out who created it, and remove it"});
}

// Opens the folder itself, never the target of a link, even if the path is changed meanwhile.
ServiceResult<UniqueFileHandle> open_folder(const std::wstring& path) {
  UniqueFileHandle folder(
      CreateFileW(path.c_str(), FILE_LIST_DIRECTORY | READ_CONTROL | WRITE_DAC | WRITE_OWNER,
                  FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_EXISTING,
                  FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
  if (!folder) return last_failure();
  BY_HANDLE_FILE_INFORMATION information{};
  if (!GetFileInformationByHandle(folder.get(), &information)) return last_failure();
  if (is_link(path) || (information.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0)
    return link_failure(path);
  if ((information.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) == 0)
    return system_failure(ERROR_DIRECTORY);
  return folder;
}

// Another owner may have left files in the folder that still belong to them, and may hold handles
// to what was open before.
ServiceResult<void> check_owner(const PathRights& rights, const std::wstring& path) {
  if (is_administrative(rights.owner) || rights.owner == own_sid()) return {};
  return std::unexpected(SystemError{
      ERROR_INVALID_OWNER, to_utf8(path) + " belongs to " + account_text(rights.owner) +
                               ": check what is in it, then remove it, or make Administrators its "
                               "owner"});
}

// A folder that a stranger could write to until now may hold what the stranger has put there, such
// as a configuration.
ServiceResult<void> check_entries(const std::wstring& path) {
  const auto foreign = foreign_entry(path);
  if (!foreign) return {};
  return std::unexpected(SystemError{
      ERROR_INVALID_OWNER, *foreign + ", and others than administrators could write to the folder "
                                      "until now: check what is in it, then remove the folder"});
}

struct Rights {
  std::unique_ptr<void, LocalMemory> descriptor;
  PSID owner = nullptr;
  PACL list = nullptr;
};

ServiceResult<Rights> parsed(const std::string& rights) {
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(to_wide(rights).c_str(),
                                                            SDDL_REVISION_1, &descriptor, nullptr))
    return last_failure();
  Rights whole{.descriptor = std::unique_ptr<void, LocalMemory>(descriptor)};
  BOOL present = FALSE;
  BOOL defaulted = FALSE;
  if (!GetSecurityDescriptorOwner(descriptor, &whole.owner, &defaulted) ||
      !GetSecurityDescriptorDacl(descriptor, &present, &whole.list, &defaulted))
    return last_failure();
  return whole;
}

// A new folder has these rights from its first moment. Returns whether it is new.
ServiceResult<bool> create_folder(const std::wstring& path, const Rights& rights) {
  SECURITY_ATTRIBUTES attributes{.nLength = sizeof(SECURITY_ATTRIBUTES),
                                 .lpSecurityDescriptor = rights.descriptor.get(),
                                 .bInheritHandle = FALSE};
  if (CreateDirectoryW(path.c_str(), &attributes)) return true;
  if (GetLastError() != ERROR_ALREADY_EXISTS) return last_failure();
  return false;
}

struct PresentRights {
  std::unique_ptr<void, LocalMemory> descriptor;
  PACL list = nullptr;
  PathRights rights{};
};

ServiceResult<PresentRights> present_rights(HANDLE folder) {
  PSID owner = nullptr;
  PACL list = nullptr;
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  const DWORD status = GetSecurityInfo(folder, SE_FILE_OBJECT,
                                       OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION,
                                       &owner, nullptr, &list, nullptr, &descriptor);
  if (status != ERROR_SUCCESS) return system_failure(status);
  return PresentRights{.descriptor = std::unique_ptr<void, LocalMemory>(descriptor),
                       .list = list,
                       .rights = rights_in(list, owner)};
}

// Nobody may be quicker than the second check. If it fails, the folder is left as it was: secured,
// it would pass as sound the next time.
ServiceResult<void> secure_folder(HANDLE folder, const std::wstring& path, const Rights& wanted,
                                  const PresentRights* open_before) {
  const auto check = [&] { return open_before ? check_entries(path) : ServiceResult<void>(); };
  if (auto checked = check(); !checked) return checked;
  const DWORD status = SetSecurityInfo(
      folder, SE_FILE_OBJECT,
      OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION | PROTECTED_DACL_SECURITY_INFORMATION,
      wanted.owner, nullptr, wanted.list, nullptr);
  if (status != ERROR_SUCCESS) return system_failure(status);
  auto checked = check();
  if (!checked)
    SetSecurityInfo(folder, SE_FILE_OBJECT,
                    DACL_SECURITY_INFORMATION | UNPROTECTED_DACL_SECURITY_INFORMATION, nullptr,
                    nullptr, open_before->list, nullptr);
  return checked;
}

ServiceResult<void> make_folder(const std::wstring& path, const std::string& rights,
                                const std::string& service_sid) {
  const auto wanted = parsed(rights);
  if (!wanted) return std::unexpected(wanted.error());
  const auto is_new = create_folder(path, *wanted);
  if (!is_new) return std::unexpected(is_new.error());
  const auto folder = open_folder(path);
  if (!folder) return std::unexpected(folder.error());
  const auto before = present_rights(folder->get());
  if (!before) return std::unexpected(before.error());
  if (const auto checked = check_owner(before->rights, path); !checked) return checked;
  const std::array trusted{own_sid(), service_sid};
  const bool was_open = !*is_new && stranger_among(before->rights, PathRole::kFolder, trusted);
  return secure_folder(folder->get(), path, *wanted, was_open ? &*before : nullptr);
}

ServiceResult<std::wstring> folder_of(const std::string& service_name) {
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

ServiceResult<void> delete_files(const std::wstring& folder) {
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

// Keeps the folder what it is, and where it is, while files are deleted by its path. No handle if
// there is none. A stranger who owns it could have put anything there.
ServiceResult<UniqueFileHandle> hold_folder(const std::wstring& path) {
  auto folder = open_folder(path);
  if (!folder) {
    const std::uint32_t code = folder.error().code;
    if (code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND) return UniqueFileHandle();
    return folder;
  }
  const auto present = present_rights(folder->get());
  if (!present) return std::unexpected(present.error());
  if (const auto checked = check_owner(present->rights, path); !checked)
    return std::unexpected(checked.error());
  return folder;
}

bool is_present(const std::wstring& path) {
  return GetFileAttributesW(path.c_str()) != INVALID_FILE_ATTRIBUTES;
}

// Of a link, only the link itself could be removed, and it is somebody's.
void remove_empty(const std::wstring& path) {
  if (!is_link(path)) RemoveDirectoryW(path.c_str());
}

}  // namespace

ServiceResult<std::string> service_folder(const std::string& service_name) {
  const auto folder = folder_of(service_name);
  if (!folder) return std::unexpected(folder.error());
  return to_utf8(*folder);
}

ServiceResult<std::string> make_service_folder(const std::string& service_name) {
  const auto folder = folder_of(service_name);
  if (!folder) return std::unexpected(folder.error());
  const auto sid = service_sid(service_name);
  if (!sid) return std::unexpected(sid.error());
  if (const auto made = make_folder(*folder, folder_rights(*sid), *sid); !made)
    return std::unexpected(made.error());
  if (const auto made = make_folder(logs_in(*folder), log_folder_rights(*sid), *sid); !made)
    return std::unexpected(made.error());
  return to_utf8(*folder);
}

ServiceResult<void> remove_service_logs(const std::string& service_name) {
  const auto folder = folder_of(service_name);
  if (!folder) return std::unexpected(folder.error());
  const std::wstring logs = logs_in(*folder);
  {
    const auto held_folder = hold_folder(*folder);
    if (!held_folder) return std::unexpected(held_folder.error());
    const auto held_logs = hold_folder(logs);
    if (!held_logs) return std::unexpected(held_logs.error());
    if (*held_logs)
      if (auto deleted = delete_files(logs); !deleted) return deleted;
  }
  remove_empty(logs);
  remove_empty(*folder);  // stays, as it should, if the configuration is in it
  if (is_present(logs)) return system_failure(ERROR_DIR_NOT_EMPTY);
  return {};
}

ServiceResult<void> remove_empty_service_folders(const std::string& service_name) {
  const auto folder = folder_of(service_name);
  if (!folder) return std::unexpected(folder.error());
  remove_empty(logs_in(*folder));
  remove_empty(*folder);
  return {};
}

}  // namespace winperf
