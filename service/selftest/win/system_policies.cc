#include "service/selftest/win/system_facts.h"

// After windows.h.
#include <ntsecapi.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <vector>

#include "collectors/base/win/account.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "service/selftest/selftest.h"

namespace winperf::selftest {
namespace {

struct KnownGroup {
  WELL_KNOWN_SID_TYPE sid;
  const char* fact;
};
constexpr std::array<KnownGroup, 7> kGroups{{
    {WinBuiltinAdministratorsSid, "in Administrators"},
    {WinBuiltinPerfMonitoringUsersSid, "in Performance Monitor Users"},
    {WinBuiltinPerfLoggingUsersSid, "in Performance Log Users"},
    {WinServiceSid, "is a service"},
    {WinLocalSystemSid, "is LocalSystem"},
    {WinNetworkServiceSid, "is NetworkService"},
    {WinInteractiveSid, "is interactive"},
}};

void add_membership(FactGroup& group, const KnownGroup& known) {
  std::array<std::byte, SECURITY_MAX_SID_SIZE> sid{};
  auto size = static_cast<DWORD>(sid.size());
  BOOL is_member = FALSE;
  if (CreateWellKnownSid(known.sid, nullptr, sid.data(), &size) &&
      CheckTokenMembership(nullptr, sid.data(), &is_member))
    group.add(known.fact, is_member != FALSE);
  else
    group.lacks(known.fact, windows_error(GetLastError()));
}

// Of this process' token.
std::expected<std::uint32_t, std::string> own_integrity() {
  constexpr std::size_t kLabelBytes = 256;
  UniqueKernelHandle token;
  alignas(TOKEN_MANDATORY_LABEL) std::array<std::byte, kLabelBytes> bytes{};
  DWORD size = 0;
  if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, token.put()) ||
      !GetTokenInformation(token.get(), TokenIntegrityLevel, bytes.data(), kLabelBytes, &size))
    return std::unexpected(windows_error(GetLastError()));
  const PSID sid = reinterpret_cast<const TOKEN_MANDATORY_LABEL*>(bytes.data())->Label.Sid;
  if (sid == nullptr || !IsValidSid(sid) || *GetSidSubAuthorityCount(sid) == 0)
    return std::unexpected("the label has no level");
  return *GetSidSubAuthority(sid, *GetSidSubAuthorityCount(sid) - 1U);
}

}  // namespace

FactGroup account_facts() {
  FactGroup group{.name = "account"};
  group.add("elevated", is_elevated());
  if (const auto level = own_integrity())
    group.add("integrity", integrity_level(*level));
  else
    group.lacks("integrity", level.error());
  for (const KnownGroup& known : kGroups) add_membership(group, known);
  DWORD session = 0;
  if (ProcessIdToSessionId(GetCurrentProcessId(), &session))
    group.add("session", std::uint32_t{session});
  else
    group.lacks("session", windows_error(GetLastError()));
  return group;
}

namespace {

void add_code_integrity(FactGroup& group) {
  struct CodeIntegrity {
    ULONG length = sizeof(CodeIntegrity);
    ULONG options = 0;
  };
  constexpr int kCodeIntegrity = 103;  // SystemCodeIntegrityInformation
  const auto query =
      ntdll_function<LONG(WINAPI*)(int, void*, ULONG, ULONG*)>("NtQuerySystemInformation");
  CodeIntegrity state;
  const LONG status = query == nullptr ? -1 : query(kCodeIntegrity, &state, sizeof state, nullptr);
  if (status == 0)
    group.add("code integrity", code_integrity_words(state.options));
  else
    group.lacks("code integrity",
                "NtQuerySystemInformation: " + std::to_string(static_cast<std::uint32_t>(status)));
}

void add_applocker(FactGroup& group) {
  const std::wstring root = L"SOFTWARE\\Policies\\Microsoft\\Windows\\SrpV2";
  for (const wchar_t* const kind : {L"Exe", L"Dll", L"Msi", L"Script"}) {
    const KeyReader key(HKEY_LOCAL_MACHINE, root + L"\\" + kind);
    const std::string fact = "AppLocker " + to_utf8(kind);
    if (key.status() == ERROR_FILE_NOT_FOUND)
      group.add(fact, "not configured");
    else if (key.status() != ERROR_SUCCESS)
      group.lacks(fact, windows_error(static_cast<DWORD>(key.status())));
    else
      group.add(fact, enforcement_word(key.number(L"EnforcementMode").value_or(0)) + ", " +
                          std::to_string(key.subkeys().size()) + " rules");
  }
  const UniqueService manager(OpenSCManagerW(nullptr, nullptr, SC_MANAGER_CONNECT));
  const UniqueService service(
      manager ? OpenServiceW(manager.get(), L"AppIDSvc", SERVICE_QUERY_STATUS) : nullptr);
  SERVICE_STATUS status{};
  if (service && QueryServiceStatus(service.get(), &status))
    group.add("AppIDSvc runs", status.dwCurrentState == SERVICE_RUNNING);
  else
    group.lacks("AppIDSvc runs", windows_error(GetLastError()));
}

struct PolicyTraits : NullableHandle<LSA_HANDLE> {
  static void close(LSA_HANDLE handle) { LsaClose(handle); }
};

// Whether the accounts of services have the right "Log on as a service". Administrators may ask.
std::expected<bool, std::string> services_may_log_on() {
  LSA_OBJECT_ATTRIBUTES attributes{};
  UniqueHandle<PolicyTraits> policy;
  NTSTATUS status = LsaOpenPolicy(
      nullptr, &attributes, POLICY_LOOKUP_NAMES | POLICY_VIEW_LOCAL_INFORMATION, policy.put());
  if (status != 0) return std::unexpected(windows_error(LsaNtStatusToWinError(status)));
  std::array<wchar_t, 32> name{L"SeServiceLogonRight"};
  LSA_UNICODE_STRING right{};
  right.Buffer = name.data();
  right.Length =
      static_cast<USHORT>(std::char_traits<wchar_t>::length(name.data()) * sizeof(wchar_t));
  right.MaximumLength = static_cast<USHORT>(right.Length + sizeof(wchar_t));
  void* found = nullptr;
  ULONG count = 0;
  status = LsaEnumerateAccountsWithUserRight(policy.get(), &right, &found, &count);
  constexpr auto kNoMoreEntries = std::bit_cast<NTSTATUS>(0x8000001AU);
  if (status == kNoMoreEntries) return false;
  if (status != 0) return std::unexpected(windows_error(LsaNtStatusToWinError(status)));
  const auto* const accounts = static_cast<const LSA_ENUMERATION_INFORMATION*>(found);
  bool has_services = false;
  for (ULONG i = 0; i < count; ++i)
    has_services = has_services || sid_text(accounts[i].Sid) == "S-1-5-80-0";
  LsaFreeMemory(found);
  return has_services;
}

// As Security Center knows them; servers have none.
void add_antivirus(FactGroup& group) {
  const std::wstring root = L"SOFTWARE\\Microsoft\\Security Center\\Provider\\Av";
  const KeyReader list(HKEY_LOCAL_MACHINE, root);
  if (list.status() != ERROR_SUCCESS) {
    group.lacks("antivirus", windows_error(static_cast<DWORD>(list.status())));
    return;
  }
  auto products = nlohmann::ordered_json::array();
  for (const std::wstring& product : list.subkeys())
    if (const auto name =
            KeyReader(HKEY_LOCAL_MACHINE, root + L"\\" + product).text(L"DISPLAYNAME"))
      products.push_back(to_utf8(*name));
  group.add("antivirus", std::move(products));
}

void add_powershell(FactGroup& group) {
  const KeyReader policy(HKEY_LOCAL_MACHINE, L"SOFTWARE\\Policies\\Microsoft\\Windows\\PowerShell");
  const bool is_set = policy.status() == ERROR_SUCCESS && policy.has(L"ExecutionPolicy");
  group.add("PowerShell scripts",
            is_set ? to_utf8(policy.text(L"ExecutionPolicy").value_or(L"")) : "no policy");
  const KeyReader environment(HKEY_LOCAL_MACHINE,
                              L"SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment");
  group.add("PowerShell lockdown", environment.has(L"__PSLockdownPolicy"));
}

}  // namespace

FactGroup policy_facts() {
  FactGroup group{.name = "policies"};
  add_code_integrity(group);
  add_applocker(group);
  const KeyReader restrictions(HKEY_LOCAL_MACHINE,
                               L"SOFTWARE\\Policies\\Microsoft\\Windows\\Safer\\CodeIdentifiers");
  add_number(group, "software restriction", restrictions, L"DefaultLevel");
  const KeyReader kernel(HKEY_LOCAL_MACHINE,
                         L"SYSTEM\\CurrentControlSet\\Control\\Session Manager\\kernel");
  group.add("exploit protection of all programs", kernel.has(L"MitigationOptions"));
  if (const auto may = services_may_log_on())
    group.add("services may log on", *may);
  else
    group.lacks("services may log on", may.error());
  add_powershell(group);
  add_antivirus(group);
  return group;
}

FactGroup mitigation_facts() {
  FactGroup group{.name = "mitigations of this process"};
  const UniqueLibrary kernel = load_system_library(L"kernel32.dll");
  const auto get = function_in<BOOL(WINAPI*)(HANDLE, std::uint32_t, PVOID, SIZE_T)>(
      kernel.get(), "GetProcessMitigationPolicy");
  constexpr std::uint32_t kDep = 0;  // whose flags a byte follows
  for (std::uint32_t policy = 0; policy < kMitigationPolicies; ++policy) {
    const std::string name(mitigation_name(policy));
    if (name.empty()) continue;
    std::array<std::uint32_t, 2> flags{};
    const SIZE_T size = policy == kDep ? sizeof flags : sizeof flags[0];
    if (get == nullptr)
      group.lacks(name, "kernel32.dll has no GetProcessMitigationPolicy");
    else if (get(GetCurrentProcess(), policy, flags.data(), size))
      group.add(name, flags[0]);
    else
      group.lacks(name, windows_error(GetLastError()));
  }
  return group;
}

}  // namespace winperf::selftest
