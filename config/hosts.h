// Names and addresses of machines. Neither case nor the root's dot at the end matters in the names
// of `targets`. Thread rule: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/config.h"

namespace winperf {

// "HOST:PORT" as other programs write it.
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

// Whether it is a pattern: * matches any text and ? one character, neither matches a dot or a
// colon, so that it can't match another domain.
bool is_host_pattern(std::string_view host);
bool matches_host(std::string_view pattern, std::string_view name);

// The normalised name: without a leading "\\\\" and a trailing dot, in lower case.
std::string host_key(std::string_view name);

// Why it can be neither a machine's name or address nor a pattern of such names: a clause such as
// "it is empty". Nothing if it can. Without a port, a path or "\\\\" before it.
std::optional<std::string> why_no_target_name(std::string_view name);

// The configuration of one target, as if the exporter ran on it.
Config config_of(const Config& config, const TargetConfig& target);

}  // namespace winperf
