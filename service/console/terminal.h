// What standard output is, if it is a terminal. Implemented in win/ and posix/. Thread rule: one
// thread.
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

}  // namespace winperf
