#include "collectors/facts/win/account_names.h"

#include <utility>

#include "collectors/base/win/wide.h"
#include "collectors/facts/label_texts.h"

namespace winperf {
namespace {

constexpr DWORD kMaxNameChars = 512;

std::string look_up(PSID sid) {
  std::wstring account(kMaxNameChars, L'\0');
  std::wstring domain(kMaxNameChars, L'\0');
  DWORD account_length = kMaxNameChars;
  DWORD domain_length = kMaxNameChars;
  SID_NAME_USE use{};
  if (!LookupAccountSidW(nullptr, sid, account.data(), &account_length, domain.data(),
                         &domain_length, &use))
    return {};
  account.resize(account_length);
  domain.resize(domain_length);
  return account_label(to_utf8(domain), to_utf8(account));
}

}  // namespace

const std::string& AccountNames::of(PSID sid) {
  std::string key(static_cast<const char*>(sid), GetLengthSid(sid));
  const auto found = names_.find(key);
  if (found != names_.end()) return found->second;
  return names_.emplace(std::move(key), look_up(sid)).first->second;
}

}  // namespace winperf
