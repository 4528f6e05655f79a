#include "collectors/facts/state_names.h"

#include <span>

#include "collectors/model/fact_states.h"

namespace winperf {
namespace {

// `first`: the number of the first name.
std::string_view name_at(std::span<const std::string_view> names, std::uint32_t number,
                         std::uint32_t first = 0) {
  return number >= first && number - first < names.size() ? names[number - first]
                                                          : std::string_view();
}

}  // namespace

std::string_view service_state_name(std::uint32_t state) {
  return name_at(kServiceStates, state, 1);
}

std::string_view service_start_name(std::uint32_t start_type) {
  return name_at(kStartModes, start_type);
}

std::string_view logon_type_name(std::uint32_t type) {
  // There is no type 1.
  if (type == 0) return name_at(kLogonTypes, 0);
  return type == 1 ? std::string_view() : name_at(kLogonTypes, type, 1);
}

std::string_view session_state_name(std::uint32_t state) { return name_at(kSessionStates, state); }

std::string_view task_state_name(std::uint32_t state) { return name_at(kTaskStates, state); }

std::string_view printer_status_name(std::uint32_t status) {
  return name_at(kPrinterStates, status, 1);
}

std::string_view license_state_name(std::uint32_t state) { return name_at(kLicenseStates, state); }

std::string_view adapter_status_name(std::uint32_t status) {
  return name_at(kAdapterStates, status, 1);
}

std::string_view dhcp_scope_state_name(std::uint32_t state) {
  return name_at(kDhcpScopeStates, state);
}

}  // namespace winperf
