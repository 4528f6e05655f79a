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

// Whether it stands for every machine whose name matches: * for any text, ? for one character,
// neither of them with a dot or a colon in it, so that a domain can't be another one.
bool is_host_pattern(std::string_view host);
bool matches_host(std::string_view pattern, std::string_view name);

// The name without "\\\\" before it and a dot at its end, in lower case: how a machine is known
// here.
std::string host_key(std::string_view name);

// Why it can be neither a machine's name or address nor a pattern of such names: a clause such as
// "it is empty". Nothing if it can. Without a port, a path or "\\\\" before it.
std::optional<std::string> why_no_target_name(std::string_view name);

// The configuration of a machine alone, as if it was the one that the exporter runs on.
Config config_of(const Config& config, const TargetConfig& target);

}  // namespace winperf
