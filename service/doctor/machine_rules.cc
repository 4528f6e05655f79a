// Rules about the account and Perflib's own settings.
#include <utility>

#include "service/doctor/rule_case.h"

namespace winperf {
namespace {

constexpr std::uint32_t kDefaultTestLevel = 4;

constexpr std::pair<std::uint32_t, const char*> kFlags[] = {
    {0x1, "alignment of replies is not tested"},
    {0x2, "failing providers are not disabled"},
    {0x4, "replies are not tested for damage"},
    {0x8, "time limits are ignored"},
};

const char* yes_no_or_unknown(const std::optional<bool>& fact) {
  return fact ? (*fact ? "yes" : "no") : "unknown";
}

RepairStep show_key_rights(const std::string& key) {
  return {"powershell -Command \"Get-Acl '" + key + "' | Format-List\"",
          "shows who may read the key; Performance Monitor Users must be among them"};
}

}  // namespace

std::string account_line(const TokenFacts& token) {
  return "the doctor ran as " + (token.account.empty() ? "an unknown account" : token.account) +
         ": administrator " + yes_no_or_unknown(token.administrator) +
         ", Performance Monitor Users " + yes_no_or_unknown(token.performance_monitor_users) +
         ", Performance Log Users " + yes_no_or_unknown(token.performance_log_users);
}

bool lacks_privilege(const TokenFacts& token) {
  return token.administrator == false && token.performance_monitor_users == false &&
         token.performance_log_users == false;
}

MaybeFinding access_denied(const Case& c) {
  // Another machine has a separate rule for it.
  if (c.machine.target) return std::nullopt;
  const Error* const denied = c.trial_error(ErrorCode::kAccessDenied);
  const bool perflib_denied = c.machine.perflib.access == Access::kDenied;
  const bool provider_denied = c.provider != nullptr && c.provider->access == Access::kDenied;
  if (denied == nullptr && !perflib_denied && !provider_denied) return std::nullopt;
  const std::string perflib_path =
      "HKLM:\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib";
  Finding finding{.severity = c.blocking(),
                  .sentence = "this account may not read ",
                  .repair = {join_monitor_users(c.machine.token), show_key_rights(perflib_path),
                             show_key_rights(perflib_path + "\\009")},
                  .evidence = {account_line(c.machine.token)}};
  finding.sentence += denied != nullptr ? "performance counters"
                      : perflib_denied  ? "Perflib's registry key"
                                        : "the registry key of the provider of " + c.quoted();
  if (provider_denied)
    finding.repair.push_back(show_key_rights("HKLM:\\SYSTEM\\CurrentControlSet\\Services\\" +
                                             c.provider->service + "\\Performance"));
  finding.repair.push_back(restart_exporter());
  if (denied != nullptr) finding.evidence.push_back(describe(*denied));
  return finding;
}

MaybeFinding not_privileged(const Case& c) {
  const bool empty = c.object == nullptr || (c.object->multi_instance && c.object->instances == 0);
  if (!c.name_known() || !empty || !lacks_privilege(c.machine.token)) return std::nullopt;
  return Finding{.severity = c.blocking(),
                 .sentence =
                     "this account is neither an administrator nor a member of Performance Monitor "
                     "Users; some providers deliver nothing to such an account",
                 .repair = {join_monitor_users(c.machine.token)},
                 .evidence = {account_line(c.machine.token)}};
}

MaybeFinding configuration_flags_set(const Case& c) {
  const std::uint32_t flags = c.machine.perflib.configuration_flags.value_or(0);
  if (flags == 0) return std::nullopt;
  Finding finding{
      .severity = Severity::kNote,
      .sentence = "some of Perflib's safeguards are turned off on this machine",
      .repair = {delete_perflib_value("Configuration Flags", "restores Windows' defaults"),
                 restart_exporter()},
      .evidence = {
          value_line(kPerflibKey, "Configuration Flags", c.machine.perflib.configuration_flags)}};
  const char* separator = ": ";
  for (const auto& [bit, text] : kFlags) {
    if ((flags & bit) == 0) continue;
    finding.sentence += std::exchange(separator, ", ");
    finding.sentence += text;
  }
  return finding;
}

MaybeFinding test_level_set(const Case& c) {
  const std::uint32_t level = c.machine.perflib.ext_counter_test_level.value_or(kDefaultTestLevel);
  if (level == kDefaultTestLevel) return std::nullopt;
  return Finding{
      .severity = Severity::kNote,
      .sentence = "Perflib tests providers at level " + std::to_string(level) +
                  " instead of Windows' default, 4: queries are slower, and Windows may disable "
                  "providers for small faults",
      .repair = {delete_perflib_value("ExtCounterTestLevel", "restores Windows' default"),
                 restart_exporter()},
      .evidence = {value_line(kPerflibKey, "ExtCounterTestLevel",
                              c.machine.perflib.ext_counter_test_level)}};
}

}  // namespace winperf
