// How others may call this machine. Implemented in posix/ and win/. Thread rule: any thread.
#pragma once

#include <string>
#include <vector>

namespace winperf {

// Without its addresses and localhost; none if the system doesn't say.
std::vector<std::string> names_of_this_machine();

}  // namespace winperf
