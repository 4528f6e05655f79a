// The name of another machine, as people write it and as calls to Windows take it: a name of DNS or
// NetBIOS, or an address, with or without the two backslashes that Windows puts before it.
//
// What is accepted can't be more than a name: it has no further backslash or slash, which would
// make it a path, and nothing else that network redirectors give a meaning, such as "@".
// Thread rule: any thread. Source: Learn, "Naming conventions in Active Directory for computers,
// domains, sites, and OUs"; letters beyond ASCII are left to the system.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace winperf {

inline constexpr std::size_t kMaxMachineName = 255;  // bytes; what DNS can hold

// The name without backslashes, in the case in which it was written; nothing if it can't be one.
std::optional<std::string> machine_name(std::string_view text);

}  // namespace winperf
