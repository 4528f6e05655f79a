// Rules about the way to another machine.
#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <string>

#include "collectors/base/os_code.h"
#include "collectors/sources/platform.h"
#include "service/doctor/rule_case.h"

namespace winperf {
namespace {

// The Windows codes of each cause, and its text.
struct CauseRow {
  TargetCause cause;
  std::string_view meaning;
  std::initializer_list<NetworkCode> codes{};
};
using Code = NetworkCode;
constexpr CauseRow kCauses[] = {
    {TargetCause::kHung, "it does not respond in time"},
    {TargetCause::kUnreachable,
     "it was not found or does not respond: its name may be wrong, it may be off, a firewall may "
     "block it, or its service RemoteRegistry may be stopped",
     {Code::kBadPath, Code::kNameDeleted, Code::kBadName, Code::kTimedOut, Code::kConnectionRefused,
      Code::kNetworkUnreachable, Code::kHostUnreachable, Code::kServerUnavailable}},
    {TargetCause::kNotServed,
     "it responds but does not serve its registry: its service RemoteRegistry may be stopped or "
     "disabled",
     {Code::kFileNotFound, Code::kUnknownInterface, Code::kEndpointNotRegistered}},
    {TargetCause::kLogonFailed,
     "it refuses this account's logon",
     {Code::kInvalidPassword, Code::kNoLogonServers, Code::kLogonFailure, Code::kAccountRestriction,
      Code::kPasswordExpired, Code::kAccountDisabled, Code::kLogonTypeNotGranted,
      Code::kWrongTargetName, Code::kTimeSkew, Code::kTrustFailure, Code::kPasswordMustChange,
      Code::kAccountLockedOut}},
    {TargetCause::kAccessDenied,
     "this account has no permission to read its registry or its counters",
     {Code::kAccessDenied, Code::kNetworkAccessDenied}},
    {TargetCause::kOther, "connecting failed"}};

constexpr char kPipeKey[] = "SYSTEM\\CurrentControlSet\\Control\\SecurePipeServers\\winreg";

RepairStep on(const std::string& host, std::string command, const std::string& text) {
  return {std::move(command), "on " + host + ": " + text};
}

RepairStep test_port(const std::string& host, int port, const std::string& text) {
  return {
      "powershell -Command \"Test-NetConnection " + host + " -Port " + std::to_string(port) + '"',
      text};
}

// Repairs for another machine that can't be read. A command is for this machine unless its text
// begins with "on HOST".

Repair find_name(const std::string& host) {
  return {{"nslookup " + host, "shows what DNS knows about the name"},
          advice("write the machine's full name in DNS, or its address, instead of " + host)};
}

Repair open_way(const std::string& host) {
  return {
      test_port(host, 445,
                "shows whether the SMB port is reachable; the registry needs no other port"),
      on(host, "powershell -Command \"Enable-NetFirewallRule -Name FPS-SMB-In-TCP*\"",
         "lets SMB through Windows' firewall (the rules \"File and Printer Sharing (SMB-In)\"); a "
         "firewall between the machines needs the same for TCP port 445")};
}

Repair serve_registry(const std::string& host) {
  return {{"sc \\\\" + host + " query RemoteRegistry",
           "shows whether the Remote Registry service is running; requires administrator rights on "
           "that machine"},
          on(host, "sc config RemoteRegistry start= auto",
             "lets the service start with Windows; on workstations it is disabled by default"),
          on(host, "sc start RemoteRegistry", "starts the service now")};
}

Repair open_way_and_serve(const std::string& host) {
  Repair repair = open_way(host);
  append(repair, serve_registry(host));
  return repair;
}

Repair use_known_account(const std::string& host) {
  return {{"net use \\\\" + host + "\\IPC$ /user:ACCOUNT *",
           "tries an account's password; net use \\\\" + host + "\\IPC$ /delete undoes it"},
          {"sc config winperf_exporter obj= \"DOMAIN\\ACCOUNT\" password= PASSWORD",
           "lets the service run as an account that " + host +
               " knows: one of its domain or, without a domain, one with the same name and "
               "password on both machines. A group managed service account (DOMAIN\\ACCOUNT$) "
               "needs no password here"}};
}

// Group membership and remote access to the registry.
Repair allow_account(const TargetFacts& target) {
  const std::string& host = target.host;
  return {on(host, join_monitor_users({.account = target.account}).command,
             "adds the account to Performance Monitor Users. This takes effect at the account's "
             "next logon, so restart winperf_exporter"),
          on(host,
             "powershell -Command \"Get-Acl 'HKLM:\\" + std::string(kPipeKey) + "' | Format-List\"",
             "shows who may read the registry remotely; the account or its group needs read "
             "permission"),
          on(host, "reg query HKLM\\" + std::string(kPipeKey) + " /s /v Machine",
             "shows what can be read without that permission (AllowedPaths, AllowedExactPaths); "
             "Software\\Microsoft\\Windows NT\\CurrentVersion\\Perflib must be among them for an "
             "account without it"),
          on(host,
             "reg add HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Policies\\System /v "
             "LocalAccountTokenFilterPolicy /t REG_DWORD /d 1 /f",
             "only for a local administrator account of that machine: Windows removes "
             "administrator rights from such accounts when they log on over the network, and this "
             "setting disables that for all of them. A domain account or a member of Performance "
             "Monitor Users does not need it")};
}

Repair open_rpc(const std::string& host) {
  return {test_port(host, 135,
                    "shows whether the RPC port mapper is reachable; PerfLib needs it and the "
                    "dynamic RPC ports (49152 to 65535), all of which a firewall must allow"),
          advice("or leave \"path: registry\" for this machine, which needs none of these ports")};
}

Repair set_clock() {
  return {
      {"w32tm /query /status", "shows this machine's time source"},
      {"w32tm /resync", "resynchronises the clock; run it on the machine whose clock is wrong"}};
}

// Kerberos' default tolerance.
constexpr std::chrono::minutes kMostSkew{5};

// Why the machine, or only the counterset, cannot be read.
std::optional<TargetCause> cause_in(const Case& c) {
  if (!c.machine.target) return std::nullopt;
  if (c.machine.target->connection) return cause_of(*c.machine.target->connection);
  if (c.trial_error(ErrorCode::kAccessDenied) != nullptr) return TargetCause::kAccessDenied;
  return std::nullopt;
}

std::string yes_or_no(bool fact) { return fact ? "yes" : "no"; }

std::vector<std::string> lines_of(const TargetFacts& target) {
  std::vector<std::string> lines;
  if (target.connection) lines.push_back(describe(*target.connection));
  if (target.has_address)
    lines.push_back(target.host + " resolves to an address: " + yes_or_no(*target.has_address));
  if (target.answers_smb)
    lines.push_back("its TCP port 445 accepts connections: " + yes_or_no(*target.answers_smb));
  if (!target.account.empty()) lines.push_back("the doctor ran as " + target.account);
  return lines;
}

Finding target_finding(const Case& c, std::string sentence, Repair repair) {
  return Finding{.severity = c.blocking(),
                 .sentence = std::move(sentence),
                 .repair = std::move(repair),
                 .evidence = lines_of(*c.machine.target)};
}

// Whether only the machine's RemoteRegistry service can be the reason.
bool is_not_served(TargetCause cause, const TargetFacts& target) {
  return cause == TargetCause::kNotServed ||
         (cause == TargetCause::kUnreachable && target.answers_smb == true);
}

bool is_nameless(TargetCause cause, const TargetFacts& target) {
  return cause != TargetCause::kUnsupported && target.has_address == false;
}

// "Windows error 53", or the error's description.
std::string error_text(const Error& error) {
  const bool is_of_windows = error.os_code != 0 && !is_lost(error.code);
  return is_of_windows ? "Windows error " + std::to_string(error.os_code) : describe(error);
}

}  // namespace

TargetCause cause_of(const Error& error) {
  if (error.code == ErrorCode::kUnsupported) return TargetCause::kUnsupported;
  if (error.code == ErrorCode::kAccessDenied) return TargetCause::kAccessDenied;
  if (is_lost(error.code)) return TargetCause::kHung;
  if (error.where != std::string_view(kConnecting)) return TargetCause::kOther;
  const auto found = std::ranges::find_if(kCauses, [&](const CauseRow& row) {
    return std::ranges::find(row.codes, NetworkCode{error.os_code}) != row.codes.end();
  });
  return found != std::end(kCauses) ? found->cause : TargetCause::kOther;
}

std::string unreachable_message(const TargetFacts& target) {
  const TargetCause cause = cause_of(*target.connection);
  if (cause == TargetCause::kUnsupported)
    return "reading counters of remote machines needs Windows";
  return target.host + " cannot be read: " +
         std::string(std::ranges::find(kCauses, cause, &CauseRow::cause)->meaning) + " (" +
         error_text(*target.connection) + "); \"winperf_exporter doctor --target " + target.host +
         "\" shows the remedy";
}

MaybeFinding target_name_unknown(const Case& c) {
  const auto cause = cause_in(c);
  if (!cause || !is_nameless(*cause, *c.machine.target)) return std::nullopt;
  const std::string& host = c.machine.target->host;
  return target_finding(c, "the name " + host + " cannot be resolved", find_name(host));
}

MaybeFinding target_not_served(const Case& c) {
  const auto cause = cause_in(c);
  if (!cause || !is_not_served(*cause, *c.machine.target)) return std::nullopt;
  const std::string& host = c.machine.target->host;
  return target_finding(c, host + " responds but does not serve its registry",
                        serve_registry(host));
}

MaybeFinding target_unreachable(const Case& c) {
  const auto cause = cause_in(c);
  if (cause != TargetCause::kUnreachable && cause != TargetCause::kHung) return std::nullopt;
  const TargetFacts& target = *c.machine.target;
  if (is_nameless(*cause, target) || is_not_served(*cause, target)) return std::nullopt;
  return target_finding(c,
                        cause == TargetCause::kHung
                            ? target.host + " does not respond in time"
                            : target.host +
                                  " is unreachable: it is off, a firewall blocks it, or it does "
                                  "not serve its registry",
                        open_way_and_serve(target.host));
}

MaybeFinding target_logon_failed(const Case& c) {
  if (cause_in(c) != TargetCause::kLogonFailed) return std::nullopt;
  const std::string& host = c.machine.target->host;
  return target_finding(c, host + " refuses this account's logon", use_known_account(host));
}

MaybeFinding target_access_denied(const Case& c) {
  if (cause_in(c) != TargetCause::kAccessDenied) return std::nullopt;
  const TargetFacts& target = *c.machine.target;
  Finding finding = target_finding(c, "this account may not read the counters of " + target.host,
                                   allow_account(target));
  if (const Error* const denied = c.trial_error(ErrorCode::kAccessDenied))
    finding.evidence.push_back(describe(*denied));
  return finding;
}

MaybeFinding target_failed(const Case& c) {
  const auto cause = cause_in(c);
  if (cause == TargetCause::kUnsupported)
    return target_finding(c, unreachable_message(*c.machine.target), {});
  if (cause != TargetCause::kOther || c.machine.target->has_address == false) return std::nullopt;
  const TargetFacts& target = *c.machine.target;
  return target_finding(
      c, "connecting to " + target.host + " failed (" + error_text(*target.connection) + ")",
      open_way_and_serve(target.host));
}

MaybeFinding target_account(const Case& c) {
  if (!c.machine.target) return std::nullopt;
  const TargetFacts& target = *c.machine.target;
  if (target.identity == NetworkIdentity::kUnknown) return std::nullopt;
  const auto cause = cause_in(c);
  const bool may_matter = cause == TargetCause::kLogonFailed || cause == TargetCause::kAccessDenied;
  std::string sentence;
  if (target.identity == NetworkIdentity::kAnonymous)
    sentence = target.account + " is anonymous on the network, so other machines refuse it";
  else if (target.identity == NetworkIdentity::kMachine)
    sentence = target.account +
               " uses this machine's computer account on the network, which only machines in its "
               "domains accept";
  else
    sentence = "the doctor ran as " + target.account +
               "; as a service, winperf_exporter runs as another account, which needs the same "
               "rights: a virtual account such as NT SERVICE\\winperf_exporter uses this machine's "
               "computer account on the network, and LocalService is anonymous";
  return Finding{.severity = may_matter ? Severity::kWarning : Severity::kNote,
                 .sentence = std::move(sentence),
                 .repair = use_known_account(target.host)};
}

MaybeFinding target_perflib_unavailable(const Case& c) {
  if (!c.machine.target || !c.machine.target->perflib) return std::nullopt;
  const TargetFacts& target = *c.machine.target;
  return Finding{.severity = Severity::kNote,
                 .sentence = "PerfLib cannot read " + target.host +
                             ", although its registry, which includes V2 countersets, can be read",
                 .repair = open_rpc(target.host),
                 .evidence = {describe(*target.perflib)}};
}

MaybeFinding target_clock_differs(const Case& c) {
  if (!c.machine.target || !c.machine.target->ahead) return std::nullopt;
  const std::chrono::seconds ahead = *c.machine.target->ahead;
  if (std::abs(ahead.count()) < std::chrono::seconds(kMostSkew).count()) return std::nullopt;
  return Finding{.severity = Severity::kWarning,
                 .sentence = "the clock of " + c.machine.target->host + " is " +
                             std::to_string(std::abs(ahead.count())) + " seconds " +
                             (ahead.count() > 0 ? "ahead of" : "behind") +
                             " this machine's; Kerberos logons fail beyond five minutes",
                 .repair = set_clock()};
}

}  // namespace winperf
