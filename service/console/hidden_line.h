// Reads what nobody else should see on the screen, such as a password. win/ and posix/ implement
// what a person types. Thread rule: one thread.
#pragma once

#include <expected>
#include <optional>
#include <string>

namespace winperf {

inline constexpr std::size_t kMostHiddenBytes = 4096;

// Whether a person types what standard input delivers.
bool is_typed();

// A line of standard input, in UTF-8 and without its end. If a person types it, `prompt` comes
// first, on standard error, and nothing of the line is shown. The error is a sentence: there is
// none, or it has more than 4 KiB.
[[nodiscard]] std::expected<std::string, std::string> read_hidden_line(const std::string& prompt);

// What a person types, to its end or to the limit; nothing at the end of the input. An interruption
// ends the program as it would otherwise, but what is typed is shown again.
std::optional<std::string> typed_line();

}  // namespace winperf
