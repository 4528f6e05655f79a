// Repairs that several rules advise, and the registry's values as evidence. Internal to this room.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/diagnosis/facts.h"
#include "service/doctor/finding.h"

namespace winperf {

inline constexpr std::string_view kPerflibKey =
    "HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib";
std::string performance_key(const ProviderFacts& provider);

using Repair = std::vector<RepairStep>;

// lodctr /R, and what it costs.
Repair rebuild_name_tables();
// The program whose provider it is, installed again; or its registration removed.
Repair reinstall(const ProviderFacts& provider);
RepairStep delete_perflib_value(std::string_view value, std::string text);
// Providers are loaded when this program first asks for counters.
RepairStep restart_exporter();
RepairStep read_event_log(std::string text);
// Adding the account to Performance Monitor Users, in any language of Windows.
RepairStep join_monitor_users(const TokenFacts& token);
// `winperf_exporter list`, of the machine or capture that was examined.
RepairStep see_what_there_is(const MachineFacts& machine, std::string_view arguments,
                             std::string text);

// `key: value = number`, or that the value is not set.
std::string value_line(std::string_view key, std::string_view value,
                       const std::optional<std::uint32_t>& number);
std::string value_line(std::string_view key, std::string_view value,
                       const std::optional<std::string>& text);

// The registered Library, and which file that is.
std::string library_line(const ProviderFacts& provider);

// `"a"`, `"a" or "b"`, `"a", "b" or "c"`.
std::string quoted_list(const std::vector<std::string>& names);

}  // namespace winperf
