// Repairs that several rules suggest, and lines of evidence that show values of the registry.
// Internal to this room. Thread rule: any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/diagnosis/facts.h"
#include "service/doctor/rules.h"

namespace winperf {

inline constexpr std::string_view kPerflibKey =
    "HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib";
inline constexpr std::string_view kDisableValue = "Disable Performance Counters";
std::string performance_key(const ProviderFacts& provider);

// To a repair, or to lines of evidence.
template <class Item>
void append(std::vector<Item>& list, std::vector<Item> more) {
  std::ranges::move(more, std::back_inserter(list));
}

// A step without a command.
RepairStep advice(std::string text);

// lodctr /R, with its side effects.
Repair rebuild_name_tables();
// Installing the provider's program again, or removing its registration.
Repair reinstall(const ProviderFacts& provider);
// Loading the provider alone, or each one that there is, which shows whose fault it is.
RepairStep try_alone(const ProviderFacts* provider);
// What Windows has noted about the provider.
RepairStep query_provider(const ProviderFacts& provider);
// Enabling a disabled provider for every program, and the other way round.
Repair enable_provider(const ProviderFacts& provider);
Repair disable_provider(const ProviderFacts& provider);
// What 32-bit providers need. Nothing to do: Windows' host of theirs is running, or isn't there.
Repair start_perf_host(std::optional<PerfHost> state);
RepairStep delete_perflib_value(std::string_view value, std::string text);
// Restarting the program, which loads providers with its first query.
RepairStep restart_exporter();
RepairStep read_event_log(std::string text);
// Adding the account to Performance Monitor Users, in any language of Windows.
RepairStep join_monitor_users(const TokenFacts& token);
// `winperf_exporter list` for the machine or recording that was examined.
RepairStep list_countersets(const MachineFacts& machine, std::string_view arguments,
                            std::string text);

// `key: value = number`, or that the value is not set.
std::string value_line(std::string_view key, std::string_view value,
                       const std::optional<std::uint32_t>& number);
std::string value_line(std::string_view key, std::string_view value,
                       const std::optional<std::string>& text);

// The registered Library, and the file that it stands for.
std::string library_line(const ProviderFacts& provider);

// What is known of that host.
std::vector<std::string> perf_host_lines(std::optional<PerfHost> state);

// `"a"`, `"a" or "b"`, `"a", "b" or "c"`.
std::string quoted_list(const std::vector<std::string>& names);

}  // namespace winperf
