// Names of processes, sessions and accounts as facts have them, and fields that are set only if
// they are known. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "collectors/facts/fact_table.h"

namespace winperf {

// What Windows' numbers for states and kinds are called in facts (collectors/model/fact_states.h).
// Empty if the number has no name: then nothing is known. Thread rule: any thread.
std::string_view service_state_name(std::uint32_t state);
std::string_view service_start_name(std::uint32_t start_type);
std::string_view logon_type_name(std::uint32_t type);
std::string_view session_state_name(std::uint32_t state);
std::string_view task_state_name(std::uint32_t state);
std::string_view printer_status_name(std::uint32_t status);
std::string_view license_state_name(std::uint32_t state);
std::string_view adapter_status_name(std::uint32_t status);
std::string_view dhcp_scope_state_name(std::uint32_t state);

// Sets the field, if the text isn't empty; if there is a number.
void put_known(FactRow& row, std::string_view field, std::string_view text);
void put_known(FactRow& row, std::string_view field, std::optional<double> number);

// A program's file name as the counters' instances have it: without ".exe".
std::string_view process_label(std::string_view file_name);
// "RDP-Tcp 0": windows_exporter has a blank for "#", as it has in instances of counters.
std::string session_label(std::string_view session_name);
// "/Microsoft/Windows/Defrag/ScheduledDefrag": a task's path, as windows_exporter writes it.
std::string task_label(std::string_view path);
// "DOMAIN\account"; the account alone if it has no domain; empty without an account.
std::string account_label(std::string_view domain, std::string_view account);
// Its first characters, at most so many bytes of UTF-8.
std::string_view clipped(std::string_view text, std::size_t max_bytes);

}  // namespace winperf
