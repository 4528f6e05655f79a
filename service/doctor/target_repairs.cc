#include "service/doctor/target_repairs.h"

namespace winperf {
namespace {

constexpr char kPipeKey[] = "SYSTEM\\CurrentControlSet\\Control\\SecurePipeServers\\winreg";

RepairStep on(const std::string& host, std::string command, const std::string& text) {
  return {std::move(command), "on " + host + ": " + text};
}

RepairStep test_port(const std::string& host, int port, const std::string& text) {
  return {
      "powershell -Command \"Test-NetConnection " + host + " -Port " + std::to_string(port) + '"',
      text};
}

}  // namespace

Repair find_name(const std::string& host) {
  return {{"nslookup " + host, "shows what DNS knows about the name"},
          {"", "write the machine's full name in DNS, or its address, instead of " + host}};
}

Repair open_way(const std::string& host) {
  return {
      test_port(host, 445,
                "shows whether the SMB port, which is all that the registry needs, "
                "can be reached"),
      on(host, "powershell -Command \"Enable-NetFirewallRule -Name FPS-SMB-In-TCP*\"",
         "lets SMB through Windows' firewall (the rules \"File and Printer Sharing (SMB-In)\"); "
         "a firewall between the machines needs the same for TCP port 445")};
}

Repair serve_registry(const std::string& host) {
  return {{"sc \\\\" + host + " query RemoteRegistry",
           "shows whether the service runs that answers for the registry; it needs an "
           "administrator there"},
          on(host, "sc config RemoteRegistry start= auto",
             "lets the service start with Windows; on workstations it is disabled by default"),
          on(host, "sc start RemoteRegistry", "starts the service now")};
}

Repair use_known_account(const std::string& host) {
  return {{"net use \\\\" + host + "\\IPC$ /user:ACCOUNT *",
           "tries an account's password; net use \\\\" + host + "\\IPC$ /delete ends that again"},
          {"sc config winperf_exporter obj= \"DOMAIN\\ACCOUNT\" password= PASSWORD",
           "lets the service run as an account that " + host +
               " knows: one of its domain, or without a domain one of the same name and password "
               "on both machines. A group managed service account (DOMAIN\\ACCOUNT$) needs no "
               "password here"}};
}

Repair allow_account(const TargetFacts& target) {
  const std::string& host = target.host;
  return {
      on(host, join_monitor_users({.account = target.account}).command,
         "lets the account read performance counters by adding it to Performance Monitor Users. "
         "This takes effect at the account's next logon, so restart winperf_exporter"),
      on(host,
         "powershell -Command \"Get-Acl 'HKLM:\\" + std::string(kPipeKey) + "' | Format-List\"",
         "shows who may read the registry from other machines at all; the account or its group "
         "needs the right to read"),
      on(host, "reg query HKLM\\" + std::string(kPipeKey) + " /s /v Machine",
         "shows what others may read nevertheless (AllowedPaths, AllowedExactPaths); "
         "Software\\Microsoft\\Windows NT\\CurrentVersion\\Perflib must be there for an account "
         "without that right"),
      on(host,
         "reg add HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Policies\\System /v "
         "LocalAccountTokenFilterPolicy /t REG_DWORD /d 1 /f",
         "only for an administrator whose account is local there: Windows takes the "
         "administrator's rights from such an account when it comes over the network, and this "
         "ends that for all of them. A domain account, or a member of Performance Monitor Users, "
         "doesn't need it")};
}

Repair open_rpc(const std::string& host) {
  return {test_port(host, 135,
                    "shows whether RPC's port mapper can be reached; PerfLib needs it and "
                    "RPC's dynamic ports (49152 to 65535), each of which a firewall must "
                    "let through"),
          {"", "or leave \"path: registry\" for this machine, which needs none of them"}};
}

Repair set_clock() {
  return {{"w32tm /query /status", "shows where this machine has its time from"},
          {"w32tm /resync", "sets the clock anew; do it on the machine whose clock is wrong"}};
}

}  // namespace winperf
