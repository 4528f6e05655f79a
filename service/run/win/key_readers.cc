#include "service/run/win/key_readers.h"

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
template <class T>
using Local = std::unique_ptr<T, LocalFreed>;

using SidBytes = std::array<std::byte, SECURITY_MAX_SID_SIZE>;

constexpr DWORD kReading = FILE_READ_DATA | GENERIC_READ | GENERIC_ALL;
// NT SERVICE\\TrustedInstaller, which owns the system's files. Others of S-1-5-80 are any service.
constexpr wchar_t kInstaller[] = L"S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464";
constexpr wchar_t kService[] = L"NT SERVICE\\winperf_exporter";

std::wstring sid_text(PSID sid) {
  LPWSTR text = nullptr;
  if (!ConvertSidToStringSidW(sid, &text)) return {};
  const Local<wchar_t> owned(text);
  return text;
}

bool is_of_the_service(PSID sid) {
  SidBytes service{};
  std::array<wchar_t, 256> domain{};
  auto size = static_cast<DWORD>(service.size());
  auto domain_size = static_cast<DWORD>(domain.size());
  SID_NAME_USE use{};
  return LookupAccountNameW(nullptr, kService, service.data(), &size, domain.data(), &domain_size,
                            &use) != 0 &&
         EqualSid(sid, service.data()) != 0;
}

bool runs_this_program(PSID sid) {
  HANDLE token = nullptr;
  if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token)) return false;
  const UniqueKernelHandle owned(token);
  alignas(TOKEN_USER) std::array<std::byte, sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE> user{};
  DWORD size = 0;
  return GetTokenInformation(token, TokenUser, user.data(), static_cast<DWORD>(user.size()),
                             &size) != 0 &&
         EqualSid(sid, reinterpret_cast<const TOKEN_USER*>(user.data())->User.Sid) != 0;
}

bool may_read(PSID sid, PSID owner) {
  for (const WELL_KNOWN_SID_TYPE type : {WinBuiltinAdministratorsSid, WinLocalSystemSid,
                                         WinCreatorOwnerSid, WinCreatorOwnerRightsSid})
    if (IsWellKnownSid(sid, type)) return true;
  return (owner != nullptr && EqualSid(sid, owner)) || sid_text(sid) == kInstaller ||
         is_of_the_service(sid) || runs_this_program(sid);
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
  const std::wstring text = sid_text(sid);
  return text.empty() ? "an unknown account" : to_utf8(text);
}

// Both kinds begin alike. Whether the condition of the second one holds isn't asked.
bool allows(const ACE_HEADER& header) {
  return header.AceType == ACCESS_ALLOWED_ACE_TYPE ||
         header.AceType == ACCESS_ALLOWED_CALLBACK_ACE_TYPE;
}

}  // namespace

std::vector<std::string> readers_in(const ACL* list, PSID owner) {
  if (list == nullptr) return {"everyone"};
  std::vector<std::string> readers;
  for (DWORD i = 0; i < list->AceCount; ++i) {
    void* found = nullptr;
    if (!GetAce(const_cast<ACL*>(list), i, &found)) continue;
    const auto& entry = *static_cast<const ACCESS_ALLOWED_ACE*>(found);
    if (!allows(entry.Header) || (entry.Mask & kReading) == 0 ||
        (entry.Header.AceFlags & INHERIT_ONLY_ACE) != 0)
      continue;
    auto* const sid = const_cast<DWORD*>(&entry.SidStart);
    if (!may_read(sid, owner)) readers.push_back(account_text(sid));
  }
  return readers;
}

}  // namespace winperf
