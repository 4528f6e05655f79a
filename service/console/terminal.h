// What standard output and standard error are, if they are terminals. Implemented in win/ and
// posix/. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <optional>

namespace winperf {

struct TerminalSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
  bool operator==(const TerminalSize&) const = default;
};

// Nothing if standard output is a file, a pipe, or a terminal without escape sequences. On Windows
// the sequences are turned on.
std::optional<TerminalSize> terminal_size();

// Whether standard error is a terminal with escape sequences, as above.
bool is_error_terminal();

// False if the variable NO_COLOR is set and not empty.
bool are_colours_wanted();

}  // namespace winperf
