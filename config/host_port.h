// Hosts, and "HOST:PORT" as other programs write it. Thread rule: any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/options.h"

namespace winperf {

struct HostPort {
  std::string host;  // without brackets; may be empty
  std::string port;  // a whole number, of any size
  bool operator==(const HostPort&) const = default;
};

// The parts of "10.0.0.5:9182", "[::1]:9182" and ":9182"; neither is checked further. Nothing if
// the text has no port: "::1" doesn't, because an IPv6 address with a port has brackets.
std::optional<HostPort> split_host_port(std::string_view text);

// Whether the text can be a host name or an address, without brackets and port. At most
// kMaxHostBytes.
bool is_host(std::string_view text);

}  // namespace winperf
