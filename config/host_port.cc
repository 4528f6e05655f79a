#include "config/host_port.h"

#include <algorithm>
#include <utility>

#include "config/quantity.h"

namespace winperf {
namespace {

// Text with a colon, or of digits and dots alone, can't be a host name: then it must be an address,
// of four numbers with dots, or of what IPv6 addresses consist of.
bool is_address_or_name(std::string_view text) {
  if (text.find(':') != std::string_view::npos) {
    const std::string_view digits = text.substr(0, text.find('%'));
    return std::ranges::count(digits, ':') >= 2 &&
           digits.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
  }
  if (text.find_first_not_of("0123456789.") != std::string_view::npos) return true;
  int parts = 0;
  for (bool more = true; more; ++parts) {
    const std::size_t dot = text.find('.');
    const auto number = parse_integer(text.substr(0, dot));
    if (!number || *number > 255) return false;
    more = dot != std::string_view::npos;
    if (more) text.remove_prefix(dot + 1);
  }
  return parts == 4;
}

}  // namespace

bool is_host(std::string_view text) {
  // What isn't ASCII is written differently in DNS, as xn--...
  const bool is_ascii = std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
  return !text.empty() && std::cmp_less_equal(text.size(), kMaxHostBytes) && is_ascii &&
         text.find_first_of("/[]*\"'@?#,;\\") == std::string_view::npos && is_address_or_name(text);
}

std::optional<HostPort> split_host_port(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos || !parse_integer(text.substr(colon + 1))) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const bool is_bracketed = host.starts_with('[') && host.ends_with(']');
  if (is_bracketed) host = host.substr(1, host.size() - 2);
  // Only an IPv6 address has colons, and only that is in brackets.
  if (is_bracketed != host.contains(':') || host.find_first_of("[]") != host.npos)
    return std::nullopt;
  return HostPort{.host = std::string(host), .port = std::string(text.substr(colon + 1))};
}

}  // namespace winperf
