// Rules about the account and Perflib's own settings.
#include <array>

#include "service/doctor/repairs.h"
#include "service/doctor/rule_case.h"

namespace winperf {
namespace {

constexpr std::uint32_t kDefaultTestLevel = 4;

struct FlagText {
  std::uint32_t bit;
  const char* text;
};
constexpr std::array<FlagText, 4> kFlags{{
    {0x1, "alignment of replies is not tested"},
    {0x2, "failing providers are not disabled"},
    {0x4, "replies are not tested for damage"},
    {0x8, "time limits are ignored"},
}};

const char* yes_or_no(const std::optional<bool>& fact) {
  return fact ? (*fact ? "yes" : "no") : "unknown";
}

std::string account_line(const TokenFacts& token) {
  return "the doctor ran as " + (token.account.empty() ? "an unknown account" : token.account) +
         ": administrator " + yes_or_no(token.administrator) + ", Performance Monitor Users " +
         yes_or_no(token.performance_monitor_users) + ", Performance Log Users " +
         yes_or_no(token.performance_log_users);
}

RepairStep show_key_rights(const std::string& key) {
  return {"powershell -Command \"Get-Acl '" + key + "' | Format-List\"",
          "shows who may read the key; Performance Monitor Users must be among them"};
}

bool lacks_privilege(const TokenFacts& token) {
  return token.administrator == false && token.performance_monitor_users == false &&
         token.performance_log_users == false;
}

}  // namespace

MaybeFinding access_denied(const Case& c) {
  // Another machine has a rule of its own for it.
  if (c.machine.target) return std::nullopt;
  const Error* const denied = c.trial_error(ErrorCode::kAccessDenied);
  const bool perflib_denied = c.machine.perflib.access == Access::kDenied;
  const bool provider_denied = c.provider != nullptr && c.provider->access == Access::kDenied;
  if (denied == nullptr && !perflib_denied && !provider_denied) return std::nullopt;
  Finding finding;
  finding.severity = c.blocking();
  finding.sentence = "this account may not read ";
  finding.sentence += denied != nullptr ? "performance counters"
                      : perflib_denied  ? "Perflib's registry key"
                                        : "the registry key of the provider of " + c.quoted();
  finding.repair = {join_monitor_users(c.machine.token)};
  const std::string perflib_path =
      "HKLM:\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib";
  finding.repair.push_back(show_key_rights(perflib_path));
  finding.repair.push_back(show_key_rights(perflib_path + "\\009"));
  if (provider_denied)
    finding.repair.push_back(show_key_rights("HKLM:\\SYSTEM\\CurrentControlSet\\Services\\" +
                                             c.provider->service + "\\Performance"));
  finding.repair.push_back(restart_exporter());
  finding.evidence = {account_line(c.machine.token)};
  if (denied != nullptr) finding.evidence.push_back(describe(*denied));
  return finding;
}

MaybeFinding not_privileged(const Case& c) {
  const bool empty = c.object == nullptr || (c.object->multi_instance && c.object->instances == 0);
  if (!c.name_known() || !empty || !lacks_privilege(c.machine.token)) return std::nullopt;
  Finding finding;
  finding.severity = c.blocking();
  finding.sentence =
      "this account is neither an administrator nor a member of Performance Monitor Users; "
      "some providers deliver nothing to such an account";
  finding.repair = {join_monitor_users(c.machine.token)};
  finding.evidence = {account_line(c.machine.token)};
  return finding;
}

MaybeFinding configuration_flags_set(const Case& c) {
  const std::uint32_t flags = c.machine.perflib.configuration_flags.value_or(0);
  if (flags == 0) return std::nullopt;
  Finding finding;
  finding.severity = Severity::kNote;
  finding.sentence = "some of Perflib's safeguards are turned off on this machine";
  const char* separator = ": ";
  for (const FlagText& flag : kFlags) {
    if ((flags & flag.bit) == 0) continue;
    finding.sentence += separator;
    finding.sentence += flag.text;
    separator = ", ";
  }
  finding.repair = {delete_perflib_value("Configuration Flags", "restores Windows' defaults"),
                    restart_exporter()};
  finding.evidence = {
      value_line(kPerflibKey, "Configuration Flags", c.machine.perflib.configuration_flags)};
  return finding;
}

MaybeFinding test_level_set(const Case& c) {
  const std::uint32_t level = c.machine.perflib.ext_counter_test_level.value_or(kDefaultTestLevel);
  if (level == kDefaultTestLevel) return std::nullopt;
  Finding finding;
  finding.severity = Severity::kNote;
  finding.sentence = "Perflib tests providers at level " + std::to_string(level) +
                     " instead of Windows' default, 4: queries are slower, and Windows may disable "
                     "providers for small faults";
  finding.repair = {delete_perflib_value("ExtCounterTestLevel", "restores Windows' default"),
                    restart_exporter()};
  finding.evidence = {
      value_line(kPerflibKey, "ExtCounterTestLevel", c.machine.perflib.ext_counter_test_level)};
  return finding;
}

}  // namespace winperf
