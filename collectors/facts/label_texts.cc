#include "collectors/facts/label_texts.h"

#include <algorithm>
#include <span>

#include "collectors/base/ascii.h"
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

void put_known(FactRow& row, std::string_view field, std::string_view text) {
  if (!text.empty()) row.text(field, text);
}

void put_known(FactRow& row, std::string_view field, std::optional<double> number) {
  if (number) row.number(field, *number);
}

std::string_view process_label(std::string_view file_name) {
  constexpr std::string_view kExtension = ".exe";
  if (file_name.size() <= kExtension.size()) return file_name;
  const std::size_t stem = file_name.size() - kExtension.size();
  return equal_names(file_name.substr(stem), kExtension) ? file_name.substr(0, stem) : file_name;
}

std::string session_label(std::string_view session_name) {
  std::string label(session_name);
  std::ranges::replace(label, '#', ' ');
  return label;
}

std::string task_label(std::string_view path) {
  std::string label(path);
  std::ranges::replace(label, '\\', '/');
  return label;
}

std::string account_label(std::string_view domain, std::string_view account) {
  if (domain.empty() || account.empty()) return std::string(account);
  return std::string(domain) + '\\' + std::string(account);
}

std::string_view clipped(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; };
  std::size_t end = max_bytes;
  while (end > 0 && continues(text[end])) --end;
  return text.substr(0, end);
}

}  // namespace winperf
