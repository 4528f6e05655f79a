#include "collectors/diagnosis/facts.h"

#include <windows.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/base/win/account.h"
#include "collectors/base/win/key_reader.h"
#include "collectors/base/win/wide.h"
#include "collectors/diagnosis/trial.h"
#include "collectors/provider/win/registrations.h"

namespace winperf {
namespace {

PerflibFacts read_perflib() {
  const KeyReader key = perflib_key();
  return {.access = access_of(key.status()),
          .last_counter = key.number(L"Last Counter"),
          .last_help = key.number(L"Last Help"),
          .supports_metadata = key.number(L"Supports Metadata"),
          .disable_performance_counters = key.number(kDisableValue),
          .configuration_flags = key.number(L"Configuration Flags"),
          .ext_counter_test_level = key.number(L"ExtCounterTestLevel")};
}

std::vector<ProviderFacts> read_providers() {
  std::vector<ProviderFacts> providers;
  for (PerformanceKey& key : read_performance_keys()) {
    ProviderFacts& facts = providers.emplace_back(ProviderFacts{std::move(key)});
    if (facts.library.value_or("").empty()) continue;
    const std::wstring path = library_path(expanded(to_wide(*facts.library)));
    facts.file = inspect_library(path);
    facts.library_path = to_utf8(path);
  }
  return providers;
}

std::optional<bool> is_member(WELL_KNOWN_SID_TYPE group) {
  std::array<std::byte, SECURITY_MAX_SID_SIZE> sid{};
  DWORD size = static_cast<DWORD>(sid.size());
  BOOL member = FALSE;
  if (!CreateWellKnownSid(group, nullptr, sid.data(), &size)) return std::nullopt;
  if (!CheckTokenMembership(nullptr, sid.data(), &member)) return std::nullopt;
  return member != FALSE;
}

// The account of this process, and whether its token is in the groups that may read performance
// counters. With user account control, an administrator's token counts as one only in an elevated
// process, which is what matters here.
TokenFacts read_token() {
  return {.account = read_account().name,
          .administrator = is_member(WinBuiltinAdministratorsSid),
          .performance_monitor_users = is_member(WinBuiltinPerfMonitoringUsersSid),
          .performance_log_users = is_member(WinBuiltinPerfLoggingUsersSid)};
}

std::optional<PeMachine> read_process_machine() {
  const std::wstring path =
      written_path([](wchar_t* to, DWORD size) { return GetModuleFileNameW(nullptr, to, size); });
  return path.empty() ? std::nullopt : inspect_library(path).machine;
}

}  // namespace

AccountFacts read_account() {
  auto sid = user_of(GetCurrentProcess());
  if (sid.empty()) return {};
  return {.name = account_name(sid.data()), .identity = identity_of(sid_text(sid.data()))};
}

MachineFacts read_machine_facts() {
  return {.registry_known = true,
          .perflib = read_perflib(),
          .providers = read_providers(),
          .perf_host = read_perf_host(),
          .token = read_token(),
          .process_machine = read_process_machine()};
}

}  // namespace winperf
