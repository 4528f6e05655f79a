// What Windows' numbers for states and kinds are called in facts (collectors/model/fact_states.h).
// Empty if the number has no name: then nothing is known. Thread rule: any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace winperf {

std::string_view service_state_name(std::uint32_t state);
std::string_view service_start_name(std::uint32_t start_type);
std::string_view logon_type_name(std::uint32_t type);
std::string_view session_state_name(std::uint32_t state);
std::string_view task_state_name(std::uint32_t state);
std::string_view printer_status_name(std::uint32_t status);
std::string_view license_state_name(std::uint32_t state);
std::string_view adapter_status_name(std::uint32_t status);
std::string_view dhcp_scope_state_name(std::uint32_t state);

}  // namespace winperf
