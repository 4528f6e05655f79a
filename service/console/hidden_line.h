// Reads a secret, such as a password, without showing it on the screen. Implemented in win/ and
// posix/. Thread rule: one thread.
#pragma once

#include <optional>
#include <string>

namespace winperf {

inline constexpr std::size_t kMostHiddenBytes = 4096;

// Whether standard input is interactive.
bool is_typed();

// The typed line, up to the limit; nothing at the end of the input. An interruption ends the
// program as usual, but restores the echo first.
std::optional<std::string> typed_line();

}  // namespace winperf
