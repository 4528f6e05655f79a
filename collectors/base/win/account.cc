#include "collectors/base/win/account.h"

#include <sddl.h>

#include <array>
#include <cstddef>
#include <memory>

#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"

namespace winperf {

std::string sid_text(PSID sid) {
  LPWSTR text = nullptr;
  if (sid == nullptr || !ConvertSidToStringSidW(sid, &text)) return {};
  const std::unique_ptr<wchar_t, LocalFreed> owned(text);
  return to_utf8(text);
}

std::string account_name(PSID sid) {
  std::array<wchar_t, 512> name{};
  std::array<wchar_t, 512> domain{};
  auto name_size = static_cast<DWORD>(name.size());
  auto domain_size = static_cast<DWORD>(domain.size());
  SID_NAME_USE use{};
  if (!LookupAccountSidW(nullptr, sid, name.data(), &name_size, domain.data(), &domain_size, &use))
    return {};
  const std::string of = to_utf8(domain.data());
  return (of.empty() ? of : of + '\\') + to_utf8(name.data());
}

std::string account_text(PSID sid) {
  if (IsWellKnownSid(sid, WinWorldSid)) return "everyone";
  if (std::string name = account_name(sid); !name.empty()) return name;
  const std::string text = sid_text(sid);
  return text.empty() ? "an unknown account" : text;
}

std::string account_text(const std::string& sid) {
  PSID bytes = nullptr;
  if (!ConvertStringSidToSidW(to_wide(sid).c_str(), &bytes)) return "an unknown account";
  const std::unique_ptr<void, LocalFreed> owned(bytes);
  return account_text(bytes);
}

std::vector<std::byte> user_of(HANDLE process) {
  UniqueKernelHandle token;
  if (!OpenProcessToken(process, TOKEN_QUERY, token.put())) return {};
  alignas(TOKEN_USER) std::array<std::byte, sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE> user{};
  DWORD size = 0;
  if (!GetTokenInformation(token.get(), TokenUser, user.data(), static_cast<DWORD>(user.size()),
                           &size))
    return {};
  const PSID sid = reinterpret_cast<const TOKEN_USER*>(user.data())->User.Sid;
  if (!IsValidSid(sid)) return {};
  const auto* const first = static_cast<const std::byte*>(sid);
  return {first, first + GetLengthSid(sid)};
}

std::string own_sid() {
  auto sid = user_of(GetCurrentProcess());
  return sid.empty() ? std::string() : sid_text(sid.data());
}

}  // namespace winperf
