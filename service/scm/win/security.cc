#include "service/scm/win/security.h"

// After windows.h:
#include <bcrypt.h>
#include <lm.h>
#include <sddl.h>

#include <array>
#include <system_error>

#include "collectors/base/system_text.h"
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

ServiceResult<std::wstring> counter_readers() {
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
  return name;
}

using ChangeMembers = NET_API_STATUS(WINAPI*)(LPCWSTR, LPCWSTR, DWORD, LPBYTE, DWORD);

ServiceResult<std::string> change_members(ChangeMembers change, NET_API_STATUS done_before,
                                          Sid account) {
  const auto group = counter_readers();
  if (!group) return std::unexpected(group.error());
  LOCALGROUP_MEMBERS_INFO_0 member{account.data()};
  const NET_API_STATUS status =
      change(nullptr, group->c_str(), 0, reinterpret_cast<LPBYTE>(&member), 1);
  if (status != NERR_Success && status != done_before) return system_failure(status);
  return to_utf8(*group);
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
  const auto* const bytes = static_cast<const std::byte*>(sid);
  Sid copy(bytes, bytes + GetLengthSid(sid));
  LocalFree(sid);
  return copy;
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

ServiceResult<std::string> join_counter_readers(Sid account) {
  return change_members(NetLocalGroupAddMembers, ERROR_MEMBER_IN_ALIAS, std::move(account));
}

ServiceResult<std::string> leave_counter_readers(Sid account) {
  return change_members(NetLocalGroupDelMembers, ERROR_MEMBER_NOT_IN_ALIAS, std::move(account));
}

}  // namespace winperf
