#include "service/doctor/repairs.h"

#include <utility>

namespace winperf {
namespace {

// lodctr's doing, by hand.
RepairStep set_disabled(const ProviderFacts& provider, bool disabled) {
  return {"reg add \"" + performance_key(provider) + "\" /v \"" + std::string(kDisableValue) +
              "\" /t REG_DWORD /d " + (disabled ? "1" : "0") + " /f",
          "does the same by hand, if lodctr refuses"};
}

}  // namespace

std::string performance_key(const ProviderFacts& provider) {
  return "HKLM\\SYSTEM\\CurrentControlSet\\Services\\" + provider.service + "\\Performance";
}

RepairStep advice(std::string text) { return {"", std::move(text)}; }

Repair rebuild_name_tables() {
  return {
      {"lodctr /S:%TEMP%\\perf-backup.ini",
       "saves the present names and registrations to a file; lodctr /R:%TEMP%\\perf-backup.ini "
       "restores them"},
      {"cd /d %SystemRoot%\\System32 && lodctr /R",
       "rebuilds all name tables from the system's backup and the providers' .ini files. This "
       "changes the machine: providers may get new indices, their settings may be reset, and a "
       "provider whose .ini file is gone loses its names until it is installed again. If the "
       "command ends with an error, run it a second time"},
      {"cd /d %SystemRoot%\\SysWOW64 && lodctr /R", "does the same for 32-bit programs"},
      {"winmgmt /resyncperf", "lets WMI read the new tables"},
      restart_exporter(),
  };
}

Repair reinstall(const ProviderFacts& provider) {
  return {
      advice("repair or reinstall the program that the service \"" + provider.service +
             "\" belongs to: its installer registers the provider again"),
      {"unlodctr \"" + provider.service + '"',
       "only if that program was removed: removes the provider's names and registration from the "
       "system, for every program"},
      restart_exporter(),
  };
}

Repair start_perf_host(std::optional<PerfHost> state) {
  const RepairStep start{
      "sc start PerfHost",
      "starts the Performance Counter DLL Host, through which Windows reads 32-bit providers for "
      "64-bit programs; this is slower than a 64-bit provider"};
  constexpr const char* kEnable = "sc config PerfHost start= demand";
  if (!state)
    return {start, {kEnable, "makes that possible if the service is disabled; then start it"}};
  switch (*state) {
    case PerfHost::kStopped:
      return {start};
    case PerfHost::kDisabled:
      return {{kEnable, "lets Windows and administrators start the service, which is disabled"},
              start};
    case PerfHost::kRunning:
    case PerfHost::kAbsent:
      return {};
  }
  return {};  // unreachable: all cases return
}

std::vector<std::string> perf_host_lines(std::optional<PerfHost> state) {
  if (!state) return {};
  return {"the service PerfHost (Performance Counter DLL Host) is " + std::string(name_of(*state))};
}

RepairStep try_alone(const ProviderFacts* provider) {
  const std::string command = "winperf_exporter providers --try";
  if (provider == nullptr)
    return {command,
            "loads each provider in a process of its own and says which of them it is. Disable "
            "that one with lodctr /D:\"SERVICE\""};
  return {command + " \"" + provider->service + '"',
          "loads the provider in a process of its own and says what is wrong with it; without the "
          "name of the service, it tries all providers"};
}

RepairStep query_provider(const ProviderFacts& provider) {
  return {"lodctr /Q:\"" + provider.service + '"',
          "shows the provider as Windows knows it: its DLL, its functions, and whether it is "
          "enabled"};
}

Repair enable_provider(const ProviderFacts& provider) {
  return {{"lodctr /E:\"" + provider.service + '"', "enables the provider"},
          set_disabled(provider, false)};
}

Repair disable_provider(const ProviderFacts& provider) {
  return {{"lodctr /D:\"" + provider.service + '"',
           "disables the provider for every program, until lodctr /E:\"" + provider.service +
               "\" enables it again"},
          set_disabled(provider, true)};
}

RepairStep delete_perflib_value(std::string_view value, std::string text) {
  return {"reg delete \"" + std::string(kPerflibKey) + "\" /v \"" + std::string(value) + "\" /f",
          std::move(text)};
}

RepairStep restart_exporter() {
  return advice(
      "restart winperf_exporter and all other programs that read counters: a process loads "
      "providers only once");
}

RepairStep read_event_log(std::string text) {
  return {
      "powershell -Command \"Get-WinEvent -FilterHashtable @{LogName='Application'; "
      "ProviderName='Microsoft-Windows-Perflib'} -MaxEvents 50 | Format-List TimeCreated, Id, "
      "Message\"",
      std::move(text)};
}

RepairStep join_monitor_users(const TokenFacts& token) {
  std::string account;
  for (const char c : token.account) account.append(c == '\'' ? 2 : 1, c);
  if (account.empty()) account = "ACCOUNT";
  return {
      "powershell -Command \"Add-LocalGroupMember -SID S-1-5-32-558 -Member '" + account + "'\"",
      "lets the account read performance counters by adding it to Performance Monitor Users, "
      "whatever the language of Windows. This takes effect at the account's next logon, so restart "
      "the service. Use the account that the service runs as, such as "
      "NT SERVICE\\winperf_exporter"};
}

RepairStep list_countersets(const MachineFacts& machine, std::string_view arguments,
                            std::string text) {
  std::string command = "winperf_exporter list";
  if (machine.replay) {
    const bool has_blank = machine.source.find(' ') != std::string::npos;
    command += " --source " + (has_blank ? '"' + machine.source + '"' : machine.source);
  }
  if (machine.target) command += " --target " + machine.target->host;
  if (!arguments.empty()) command.append(1, ' ').append(arguments);
  return {std::move(command), std::move(text)};
}

std::string value_line(std::string_view key, std::string_view value,
                       const std::optional<std::uint32_t>& number) {
  return std::string(key) + ": " + std::string(value) +
         (number ? " = " + std::to_string(*number) : " is not set");
}

std::string value_line(std::string_view key, std::string_view value,
                       const std::optional<std::string>& text) {
  return std::string(key) + ": " + std::string(value) +
         (text ? " = \"" + *text + '"' : " is not set");
}

std::string library_line(const ProviderFacts& provider) {
  return value_line(performance_key(provider), "Library", provider.library) +
         (provider.library_path.empty() ? "" : ", which is " + provider.library_path);
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) text += i + 1 == names.size() ? " or " : ", ";
    text += "\"" + names[i] + "\"";
  }
  return text;
}

}  // namespace winperf
