// Reads what nobody else should see on the screen, such as a password. Implemented in win/ and
// posix/. Thread rule: one thread.
#pragma once

#include <optional>
#include <string>

namespace winperf {

inline constexpr std::size_t kMostHiddenBytes = 4096;

// Whether a person types what standard input delivers.
bool is_typed();

// What a person types, to its end or to the limit; nothing at the end of the input. An interruption
// ends the program as it would otherwise, but what is typed is shown again.
std::optional<std::string> typed_line();

}  // namespace winperf
