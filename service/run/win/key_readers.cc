#include "service/run/win/key_readers.h"

#include <array>
#include <cstddef>

#include "collectors/base/win/account.h"

namespace winperf {
namespace {

using SidBytes = std::array<std::byte, SECURITY_MAX_SID_SIZE>;

constexpr DWORD kReading = FILE_READ_DATA | GENERIC_READ | GENERIC_ALL;
// NT SERVICE\\TrustedInstaller, which owns the system's files. Other S-1-5-80 SIDs are any service.
constexpr char kInstaller[] = "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464";
constexpr wchar_t kService[] = L"NT SERVICE\\winperf_exporter";

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

bool may_read(PSID sid, PSID owner) {
  for (const WELL_KNOWN_SID_TYPE type : {WinBuiltinAdministratorsSid, WinLocalSystemSid,
                                         WinCreatorOwnerSid, WinCreatorOwnerRightsSid})
    if (IsWellKnownSid(sid, type)) return true;
  return (owner != nullptr && EqualSid(sid, owner)) || sid_text(sid) == kInstaller ||
         is_of_the_service(sid) || sid_text(sid) == own_sid();
}

// Both kinds begin alike. The condition of the second kind isn't evaluated.
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
