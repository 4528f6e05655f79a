// The text forms of names, numbers and addresses, which match counter instances and
// windows_exporter's dashboards. Thread rule: any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/facts/fact_table.h"
#include "collectors/model/fact_topic.h"

namespace winperf {

// The names of Windows' state and kind numbers in facts. Empty if the number has none.
struct StateNames {
  std::span<const std::string_view> names;
  std::uint32_t first = 0;  // the number of the first name

  constexpr std::string_view operator()(std::uint32_t number) const {
    const bool has_name = number >= first && number - first < names.size();
    return has_name ? names[number - first] : std::string_view();
  }
};
inline constexpr StateNames service_state_name{kServiceStates, 1};
inline constexpr StateNames service_start_name{kStartModes};
inline constexpr StateNames session_state_name{kSessionStates};
inline constexpr StateNames task_state_name{kTaskStates};
inline constexpr StateNames printer_status_name{kPrinterStates, 1};
inline constexpr StateNames license_state_name{kLicenseStates};
inline constexpr StateNames adapter_status_name{kAdapterStates, 1};
inline constexpr StateNames dhcp_scope_state_name{kDhcpScopeStates};
std::string_view logon_type_name(std::uint32_t type);

// Sets the field, if the text isn't empty; if there is a number.
void put_known(FactRow& row, std::string_view field, std::string_view text);
void put_known(FactRow& row, std::string_view field, std::optional<double> number);

// A program's file name as in counter instances: without ".exe".
std::string_view process_label(std::string_view file_name);
// "RDP-Tcp 0": with a blank for "#", as in windows_exporter and its counter instances.
std::string session_label(std::string_view session_name);
// "/Microsoft/Windows/Defrag/ScheduledDefrag": a task's path, as windows_exporter writes it.
std::string task_label(std::string_view path);
// "DOMAIN\account"; only the account if it has no domain; empty without an account.
std::string account_label(std::string_view domain, std::string_view account);

// From the times of Windows to seconds since 1970. Nothing if the time is invalid: zero, the
// largest number ("never"), or too early to be real. Source: Learn, FILETIME; [MS-OAUT] 2.2.25
// (DATE).

// A FILETIME as one number: units of 100 ns since 1601.
std::optional<double> unix_seconds(std::uint64_t file_time);

// An OLE date, days since 30 December 1899, as a FILETIME in the same time zone, to the second. The
// task scheduler, which uses such dates, encodes "never" as 1899 and as 1999.
std::optional<std::uint64_t> file_time_of_date(double days);

// The registry of Windows 11 still says "Windows 10 Pro". Without blanks at the ends.
std::string product_name(std::string_view in_registry, std::uint32_t build);

// An adapter's description as the instances of "Network Interface" are called: "Intel[R] I350 _2".
std::string nic_name(std::string_view description);

// "00:1A:2B:3C:4D:5E"; empty if there are no bytes.
std::string mac_text(std::span<const std::uint8_t> address);

// Whether the address, 4 bytes of IPv4 or 16 of IPv6, may be used by remote machines: not the
// unspecified one, nor loopback, link-local, multicast or broadcast ones.
bool is_global_unicast(std::span<const std::uint8_t> address);

// Each number once, in ascending order: "0;1".
std::string joined_numbers(std::vector<std::uint32_t> numbers);

// "\\.\PHYSICALDRIVE0" is PHYSICALDRIVE0: without leading and trailing backslashes and full stops.
std::string_view without_device_prefix(std::string_view path);

std::string_view without_blanks_at_end(std::string_view text);

// The path of a paging file as the registry lists it, without the leading "\??\".
std::string_view without_object_prefix(std::string_view path);

}  // namespace winperf
