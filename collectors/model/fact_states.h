// What the states and kinds of facts are called: windows_exporter's names, in the order of Windows'
// numbers. Thread rule: constants. Source: winsvc.h, ntsecapi.h, wtsapi32.h, taskschd.h, ifdef.h,
// slpublic.h and dhcpsapi.h of the SDK; Win32_Printer.PrinterStatus; Win32_DiskDrive.Status.
#pragma once

#include <span>
#include <string_view>

namespace winperf {

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

// By the names that tables of metrics (exporter/profiles) have for them.
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
