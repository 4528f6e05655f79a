#include "service/console/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace winperf {

std::optional<TerminalSize> terminal_size() {
  const char* const kind = std::getenv("TERM");
  if (isatty(STDOUT_FILENO) == 0 || kind == nullptr || std::string_view(kind) == "dumb")
    return std::nullopt;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
    return TerminalSize();
  return TerminalSize{.columns = size.ws_col, .rows = size.ws_row};
}

}  // namespace winperf
