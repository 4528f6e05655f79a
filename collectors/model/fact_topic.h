// Facts about a machine, by topic. Thread rule: values.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

namespace winperf {

enum class FactTopic : std::uint8_t {
  kOs,             // product, version, names of the computer, boot
  kTime,           // time zone, what the clock is synchronized with
  kMemory,         // sizes
  kPagefiles,      // by file
  kProcessors,     // by socket
  kDisks,          // physical ones, with their status
  kVolumes,        // with free space
  kAdapters,       // network interfaces, with addresses
  kConnections,    // of TCP, counted by state
  kServices,       // with state and start mode
  kServiceStatus,  // what WMI calls the status of a service
  kLogons,         // logon sessions
  kSessions,       // of terminal services
  kTasks,          // scheduled ones
  kPrinters,
  kQuotas,         // of folders, by File Server Resource Manager
  kLicense,        // of Windows
  kIis,            // which version is installed
  kSqlServers,     // installed instances
  kDnsStatistics,  // errors that the DNS server has counted
  kDhcpScopes,     // of the DHCP server, with their addresses
  kProcesses,      // owners and command lines
  kTextfile,       // metrics that other programs write into files
};
inline constexpr std::size_t kFactTopicCount = static_cast<std::size_t>(FactTopic::kTextfile) + 1;

struct FactTopicInfo {
  FactTopic topic{};
  std::string_view name{};
  std::string_view content{};            // for people; docs/facts.md has the same
  std::chrono::milliseconds interval{};  // unless the configuration says otherwise
  bool is_default = true;                // whether it is read by default
  std::string_view row_name{};           // the field that filters match; empty: one row, no filter
};

// All, in their order. Topics that change often are read at Prometheus' usual scrape interval.

inline constexpr FactTopicInfo kFactTopics[] = {
    {FactTopic::kOs, "os", "Windows version, host name, domain, installation and boot time",
     std::chrono::seconds(60)},
    {FactTopic::kTime, "time", "time zone, clock synchronization", std::chrono::seconds(60)},
    {FactTopic::kMemory, "memory", "memory sizes", std::chrono::seconds(15)},
    {FactTopic::kPagefiles, "pagefiles", "paging files", std::chrono::seconds(60), true, "file"},
    {FactTopic::kProcessors, "processors", "processors by socket", std::chrono::seconds(60)},
    {FactTopic::kDisks, "disks", "physical disks and their health", std::chrono::seconds(60), true,
     "name"},
    {FactTopic::kVolumes, "volumes", "size, free space, file system", std::chrono::seconds(15),
     true, "volume"},
    {FactTopic::kAdapters, "adapters", "network adapters: addresses, speed, status",
     std::chrono::seconds(15), true, "nic"},
    {FactTopic::kConnections, "connections", "TCP connections by state", std::chrono::seconds(15)},
    {FactTopic::kServices, "services", "service state, start mode, process",
     std::chrono::seconds(15), true, "name"},
    {FactTopic::kServiceStatus, "service_status", "WMI's service status, for older dashboards",
     std::chrono::seconds(60), true, "name"},
    {FactTopic::kLogons, "logons", "logon sessions", std::chrono::seconds(60)},
    {FactTopic::kSessions, "sessions", "Remote Desktop sessions", std::chrono::seconds(15), true,
     "session_name"},
    {FactTopic::kTasks, "tasks", "scheduled tasks, last results", std::chrono::seconds(60), true,
     "task"},
    {FactTopic::kPrinters, "printers", "printers and print jobs", std::chrono::seconds(60), true,
     "printer"},
    {FactTopic::kQuotas, "quotas", "folder quotas (File Server Resource Manager)",
     std::chrono::seconds(60), true, "path"},
    {FactTopic::kLicense, "license", "whether Windows is genuine", std::chrono::seconds(600)},
    {FactTopic::kIis, "iis", "IIS version", std::chrono::seconds(60)},
    {FactTopic::kSqlServers, "sql_servers", "SQL Server instances", std::chrono::seconds(60), true,
     "instance"},
    // A query of a role that few machines have.
    {FactTopic::kDnsStatistics, "dns_statistics", "DNS server errors", std::chrono::seconds(60),
     false, "name"},
    {FactTopic::kDhcpScopes, "dhcp_scopes", "DHCP scopes, addresses, failover",
     std::chrono::seconds(60), false, "scope"},
    {FactTopic::kProcesses, "processes", "owner and command line", std::chrono::seconds(15), false,
     "process"},
    {FactTopic::kTextfile, "textfile", "metrics that other programs write into files",
     std::chrono::seconds(15), false, "file"},
};
static_assert(std::size(kFactTopics) == kFactTopicCount);

constexpr const FactTopicInfo& info_of(FactTopic topic) {
  return kFactTopics[static_cast<std::size_t>(topic)];
}
constexpr std::string_view name_of(FactTopic topic) { return info_of(topic).name; }
constexpr std::optional<FactTopic> find_fact_topic(std::string_view name) {
  for (const FactTopicInfo& info : kFactTopics)
    if (info.name == name) return info.topic;
  return std::nullopt;
}

// What the states and kinds of facts are called: windows_exporter's names, in the order of Windows'
// numbers. Thread rule: constants. Source: winsvc.h, ntsecapi.h, wtsapi32.h, taskschd.h, ifdef.h,
// slpublic.h and dhcpsapi.h of the SDK; Win32_Printer.PrinterStatus; Win32_DiskDrive.Status.
inline constexpr std::string_view kServiceStates[] = {
    "stopped",          "start pending", "stop pending", "running",
    "continue pending", "pause pending", "paused"};  // from 1
inline constexpr std::string_view kStartModes[] = {"boot", "system", "auto", "manual", "disabled"};
inline constexpr std::string_view kAdapterStates[] = {
    "up", "down", "testing", "unknown", "dormant", "not present", "lower layer down"};  // from 1
inline constexpr std::string_view kTaskStates[] = {"unknown", "disabled", "queued", "ready",
                                                   "running"};
inline constexpr std::string_view kSessionStates[] = {
    "active", "connected", "connect_query", "shadow", "disconnected",
    "idle",   "listen",    "reset",         "down",   "init"};
// The first is 0, the second 2.
inline constexpr std::string_view kLogonTypes[] = {"system",
                                                   "interactive",
                                                   "network",
                                                   "batch",
                                                   "service",
                                                   "proxy",
                                                   "unlock",
                                                   "network_clear_text",
                                                   "new_credentials",
                                                   "remote_interactive",
                                                   "cached_interactive",
                                                   "cached_remote_interactive",
                                                   "cached_unlock"};
inline constexpr std::string_view kPrinterStates[] = {
    "Other", "Unknown", "Idle", "Printing", "Warmup", "Stopped Printing", "Offline"};  // from 1
inline constexpr std::string_view kLicenseStates[] = {"genuine", "invalid_license", "tampered",
                                                      "offline", "last"};
inline constexpr std::string_view kDhcpScopeStates[] = {"Enabled", "Disabled", "EnabledSwitched",
                                                        "DisabledSwitched", "InvalidState"};
// These have no numbers.
inline constexpr std::string_view kDiskStates[] = {
    "OK",       "Error",   "Degraded", "Unknown",    "Pred Fail",  "Starting",
    "Stopping", "Service", "Stressed", "Nonrecover", "No Contact", "Lost Comm"};
inline constexpr std::string_view kClockSources[] = {"NTP", "NT5DS", "AllSync", "NoSync",
                                                     "Local CMOS Clock"};

// By their names in the tables of metrics (exporter/profiles).
struct FactStates {
  std::string_view name;
  std::span<const std::string_view> words;
};
inline constexpr FactStates kFactStates[] = {
    {"service_states", kServiceStates},      {"start_modes", kStartModes},
    {"adapter_states", kAdapterStates},      {"task_states", kTaskStates},
    {"session_states", kSessionStates},      {"logon_types", kLogonTypes},
    {"printer_states", kPrinterStates},      {"license_states", kLicenseStates},
    {"dhcp_scope_states", kDhcpScopeStates}, {"disk_states", kDiskStates},
    {"clock_sources", kClockSources}};

}  // namespace winperf
