#include "collectors/diagnosis/win/account.h"

#include <windows.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"

namespace winperf {
namespace {

struct KernelHandleTraits {
  using Handle = HANDLE;
  static HANDLE invalid() { return nullptr; }
  static void close(HANDLE handle) { CloseHandle(handle); }
};
using UniqueKernelHandle = UniqueHandle<KernelHandleTraits>;

constexpr DWORD kMaxNameChars = 512;

std::optional<bool> is_member(WELL_KNOWN_SID_TYPE group) {
  std::array<std::byte, SECURITY_MAX_SID_SIZE> sid{};
  DWORD size = static_cast<DWORD>(sid.size());
  BOOL member = FALSE;
  if (!CreateWellKnownSid(group, nullptr, sid.data(), &size)) return std::nullopt;
  if (!CheckTokenMembership(nullptr, sid.data(), &member)) return std::nullopt;
  return member != FALSE;
}

std::string account_of(PSID sid) {
  std::wstring name(kMaxNameChars, L'\0');
  std::wstring domain(kMaxNameChars, L'\0');
  DWORD name_length = kMaxNameChars;
  DWORD domain_length = kMaxNameChars;
  SID_NAME_USE use{};
  if (!LookupAccountSidW(nullptr, sid, name.data(), &name_length, domain.data(), &domain_length,
                         &use))
    return {};
  name.resize(name_length);
  domain.resize(domain_length);
  return to_utf8(domain.empty() ? name : domain + L'\\' + name);
}

std::string account_name() {
  UniqueKernelHandle token;
  if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, token.put())) return {};
  alignas(TOKEN_USER) std::array<std::byte, sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE> user{};
  DWORD size = 0;
  if (!GetTokenInformation(token.get(), TokenUser, user.data(), static_cast<DWORD>(user.size()),
                           &size))
    return {};
  return account_of(reinterpret_cast<const TOKEN_USER*>(user.data())->User.Sid);
}

}  // namespace

TokenFacts read_token() {
  TokenFacts token;
  token.account = account_name();
  token.administrator = is_member(WinBuiltinAdministratorsSid);
  token.performance_monitor_users = is_member(WinBuiltinPerfMonitoringUsersSid);
  token.performance_log_users = is_member(WinBuiltinPerfLoggingUsersSid);
  return token;
}

}  // namespace winperf
