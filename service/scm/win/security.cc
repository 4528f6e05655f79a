#include "service/scm/win/security.h"

// After windows.h:
#include <aclapi.h>
#include <bcrypt.h>
#include <lm.h>
#include <sddl.h>
#include <shlobj.h>

#include <array>
#include <memory>
#include <system_error>

#include "collectors/base/system_text.h"
#include "collectors/base/win/account.h"
#include "collectors/base/win/path_rights.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"

namespace winperf {
namespace {

constexpr DWORD kMaxNameChars = 512;
constexpr ULONG kSha1Bytes = 20;

ServiceResult<std::array<DWORD, kSha1Bytes / sizeof(DWORD)>> sha1(std::wstring text) {
  std::array<DWORD, kSha1Bytes / sizeof(DWORD)> hash{};
  BCRYPT_ALG_HANDLE algorithm = nullptr;
  NTSTATUS status = BCryptOpenAlgorithmProvider(&algorithm, BCRYPT_SHA1_ALGORITHM, nullptr, 0);
  if (!BCRYPT_SUCCESS(status)) return system_failure(ERROR_NOT_SUPPORTED);
  status = BCryptHash(algorithm, nullptr, 0, reinterpret_cast<PUCHAR>(text.data()),
                      static_cast<ULONG>(text.size() * sizeof(wchar_t)),
                      reinterpret_cast<PUCHAR>(hash.data()), kSha1Bytes);
  BCryptCloseAlgorithmProvider(algorithm, 0);
  if (!BCRYPT_SUCCESS(status)) return system_failure(ERROR_NOT_SUPPORTED);
  return hash;
}

using ChangeMembers = NET_API_STATUS(WINAPI*)(LPCWSTR, LPCWSTR, DWORD, LPBYTE, DWORD);

ServiceResult<std::string> change_members(ChangeMembers change, NET_API_STATUS done_before,
                                          Sid account) {
  const auto group = counter_reader_group();
  if (!group) return std::unexpected(group.error());
  LOCALGROUP_MEMBERS_INFO_0 member{account.data()};
  const NET_API_STATUS status =
      change(nullptr, to_wide(*group).c_str(), 0, reinterpret_cast<LPBYTE>(&member), 1);
  if (status != NERR_Success && status != done_before) return system_failure(status);
  return *group;
}

}  // namespace

SystemError system_error(DWORD code) {
  return {.code = code,
          .text = system_text(std::error_code(static_cast<int>(code), std::system_category()))};
}

std::unexpected<SystemError> system_failure(DWORD code) {
  return std::unexpected(system_error(code));
}

std::unexpected<SystemError> last_failure() { return system_failure(GetLastError()); }

ServiceResult<std::string> service_sid(const std::string& service_name) {
  std::wstring upper = to_wide(service_name);
  CharUpperBuffW(upper.data(), static_cast<DWORD>(upper.size()));
  const auto hash = sha1(std::move(upper));
  if (!hash) return std::unexpected(hash.error());
  std::string text = "S-1-5-80";
  for (const DWORD part : *hash) text += '-' + std::to_string(part);
  return text;
}

ServiceResult<Sid> sid_of(const std::string& sid_text) {
  PSID sid = nullptr;
  if (!ConvertStringSidToSidW(to_wide(sid_text).c_str(), &sid)) return last_failure();
  const std::unique_ptr<void, LocalFreed> owned(sid);
  const auto* const bytes = static_cast<const std::byte*>(sid);
  return Sid(bytes, bytes + GetLengthSid(sid));
}

ServiceResult<Sid> sid_of_account(const std::string& account) {
  Sid sid(SECURITY_MAX_SID_SIZE);
  std::wstring domain(kMaxNameChars, L'\0');
  DWORD size = static_cast<DWORD>(sid.size());
  DWORD domain_length = kMaxNameChars;
  SID_NAME_USE use{};
  if (!LookupAccountNameW(nullptr, to_wide(account).c_str(), sid.data(), &size, domain.data(),
                          &domain_length, &use))
    return last_failure();
  return sid;
}

ServiceResult<std::string> counter_reader_group() {
  std::array<std::byte, SECURITY_MAX_SID_SIZE> sid{};
  DWORD size = static_cast<DWORD>(sid.size());
  if (!CreateWellKnownSid(WinBuiltinPerfMonitoringUsersSid, nullptr, sid.data(), &size))
    return last_failure();
  std::wstring name(kMaxNameChars, L'\0');
  std::wstring domain(kMaxNameChars, L'\0');
  DWORD name_length = kMaxNameChars;
  DWORD domain_length = kMaxNameChars;
  SID_NAME_USE use{};
  if (!LookupAccountSidW(nullptr, sid.data(), name.data(), &name_length, domain.data(),
                         &domain_length, &use))
    return last_failure();
  name.resize(name_length);
  return to_utf8(name);
}

ServiceResult<std::string> join_counter_readers(Sid account) {
  return change_members(NetLocalGroupAddMembers, ERROR_MEMBER_IN_ALIAS, std::move(account));
}

ServiceResult<std::string> leave_counter_readers(Sid account) {
  return change_members(NetLocalGroupDelMembers, ERROR_MEMBER_NOT_IN_ALIAS, std::move(account));
}

namespace {

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
          " is a link, which could lead anywhere; find out who created it, and remove it"});
}

// Opens the folder itself, never the target of a link, even if the path is changed concurrently.
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
  return std::unexpected(
      SystemError{ERROR_INVALID_OWNER,
                  to_utf8(path) + " belongs to " + account_text(rights.owner) +
                      "; check what is in it, then remove it, or make Administrators its owner"});
}

// A folder that other accounts could write to may contain their files, such as a configuration.
ServiceResult<void> check_entries(const std::wstring& path) {
  const auto foreign = foreign_entry(path);
  if (!foreign) return {};
  return std::unexpected(SystemError{
      ERROR_INVALID_OWNER, *foreign + ", and others than administrators could write to the folder "
                                      "until now; check what is in it, then remove the folder"});
}

struct Rights {
  std::unique_ptr<void, LocalFreed> descriptor;
  PSID owner = nullptr;
  PACL list = nullptr;
};

ServiceResult<Rights> parsed(const std::string& rights) {
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(to_wide(rights).c_str(),
                                                            SDDL_REVISION_1, &descriptor, nullptr))
    return last_failure();
  Rights whole{.descriptor = std::unique_ptr<void, LocalFreed>(descriptor)};
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

ServiceResult<Rights> present_rights(HANDLE folder) {
  Rights present;
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  const DWORD status = GetSecurityInfo(
      folder, SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION,
      &present.owner, nullptr, &present.list, nullptr, &descriptor);
  if (status != ERROR_SUCCESS) return system_failure(status);
  present.descriptor.reset(descriptor);
  return present;
}

// The second check prevents a race. If it fails, the folder is left as it was: once secured, it
// would pass the next check.
ServiceResult<void> secure_folder(HANDLE folder, const std::wstring& path, const Rights& wanted,
                                  const Rights* open_before) {
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
  const PathRights rights_before = rights_in(before->list, before->owner);
  if (const auto checked = check_owner(rights_before, path); !checked) return checked;
  const std::array trusted{own_sid(), service_sid};
  const bool was_open = !*is_new && stranger_among(rights_before, PathRole::kFolder, trusted);
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

// Keeps the folder in place while files are deleted by its path. No handle if there is none. If
// another account owns it, its content can't be trusted.
ServiceResult<UniqueFileHandle> hold_folder(const std::wstring& path) {
  auto folder = open_folder(path);
  if (!folder) {
    const std::uint32_t code = folder.error().code;
    if (code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND) return UniqueFileHandle();
    return folder;
  }
  const auto present = rights_of(folder->get());
  if (!present) return system_failure(present.error());
  if (const auto checked = check_owner(*present, path); !checked)
    return std::unexpected(checked.error());
  return folder;
}

bool is_present(const std::wstring& path) {
  return GetFileAttributesW(path.c_str()) != INVALID_FILE_ATTRIBUTES;
}

// A link could only be removed itself, and it belongs to another account.
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

ServiceResult<void> make_guarded_folder(const std::wstring& path, const std::string& rights,
                                        const std::string& reader_sid) {
  return make_folder(path, rights, reader_sid);
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
