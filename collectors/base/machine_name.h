// The name of a remote machine, as administrators write it and as Windows takes it: a DNS or
// NetBIOS name, or an address, with or without two leading backslashes.
//
// An accepted name is safe to show and to pass on: ASCII letters, digits, "-", ".", "_" and, in an
// IPv6 address, ":". So it can't be a path, a format, a terminal's escape sequence or anything with
// a meaning to network redirectors, such as "@". The configuration, /probe and the command line all
// use this check. Thread rule: any thread. Source: Learn, "Naming conventions in Active Directory
// for computers, domains, sites, and OUs"; RFC 5891, 4.4 (DNS writes other letters in ASCII).
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

namespace winperf {

inline constexpr std::size_t kMaxMachineName = 255;  // bytes; what DNS can hold

// The name without backslashes, its case unchanged; or why it isn't one, such as "it is empty".
[[nodiscard]] std::expected<std::string, std::string> machine_name(std::string_view text);

}  // namespace winperf
