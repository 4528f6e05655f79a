#include "collectors/base/win/account.h"

#include <sddl.h>

#include <array>
#include <cstddef>
#include <memory>

#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"

namespace winperf {
namespace {

struct LocalFreed {
  void operator()(void* memory) const { LocalFree(memory); }
};

}  // namespace

std::string sid_text(PSID sid) {
  LPWSTR text = nullptr;
  if (sid == nullptr || !ConvertSidToStringSidW(sid, &text)) return {};
  const std::unique_ptr<wchar_t, LocalFreed> owned(text);
  return to_utf8(text);
}

std::string account_text(PSID sid) {
  std::array<wchar_t, 256> name{};
  std::array<wchar_t, 256> domain{};
  auto name_size = static_cast<DWORD>(name.size());
  auto domain_size = static_cast<DWORD>(domain.size());
  SID_NAME_USE use{};
  if (IsWellKnownSid(sid, WinWorldSid)) return "everyone";
  if (LookupAccountSidW(nullptr, sid, name.data(), &name_size, domain.data(), &domain_size, &use)) {
    const std::string account = to_utf8(name.data());
    const std::string of = to_utf8(domain.data());
    return of.empty() ? account : of + '\\' + account;
  }
  const std::string text = sid_text(sid);
  return text.empty() ? "an unknown account" : text;
}

std::string account_text(const std::string& sid) {
  PSID bytes = nullptr;
  if (!ConvertStringSidToSidW(to_wide(sid).c_str(), &bytes)) return "an unknown account";
  const std::unique_ptr<void, LocalFreed> owned(bytes);
  return account_text(bytes);
}

std::string own_sid() {
  HANDLE token = nullptr;
  if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token)) return {};
  const UniqueKernelHandle owned(token);
  alignas(TOKEN_USER) std::array<std::byte, sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE> user{};
  DWORD size = 0;
  if (!GetTokenInformation(token, TokenUser, user.data(), static_cast<DWORD>(user.size()), &size))
    return {};
  return sid_text(reinterpret_cast<const TOKEN_USER*>(user.data())->User.Sid);
}

}  // namespace winperf
