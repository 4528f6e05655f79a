#include "config/host_port.h"

#include "config/quantity.h"

namespace winperf {

std::optional<HostPort> split_host_port(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos || !parse_integer(text.substr(colon + 1))) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']') && host.size() > 2) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != host.npos) {
    return std::nullopt;
  }
  return HostPort{.host = std::string(host), .port = std::string(text.substr(colon + 1))};
}

}  // namespace winperf
