// The name of another machine, as people write it and as calls to Windows take it: a name of DNS or
// NetBIOS, or an address, with or without the two backslashes that Windows puts before it.
//
// What is accepted can't be more than a name, wherever it is shown or handed on: ASCII letters,
// digits, "-", ".", "_" and, in an IPv6 address, ":". So it is no path, nothing to which network
// redirectors give a meaning, such as "@", no format and nothing that a terminal obeys. This is the
// one place that says so, for the configuration, for /probe and for the command line.
// Thread rule: any thread. Source: Learn, "Naming conventions in Active Directory for computers,
// domains, sites, and OUs"; RFC 5891, 4.4 (DNS writes other letters in ASCII).
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

namespace winperf {

inline constexpr std::size_t kMaxMachineName = 255;  // bytes; what DNS can hold

// The name without backslashes, in the case in which it was written; or why it can't be one, such
// as "it is empty".
[[nodiscard]] std::expected<std::string, std::string> machine_name(std::string_view text);

}  // namespace winperf
