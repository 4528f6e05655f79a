#include "service/console/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace winperf {
namespace {

bool is_terminal(int file) {
  const char* const kind = std::getenv("TERM");
  return isatty(file) != 0 && kind != nullptr && std::string_view(kind) != "dumb";
}

}  // namespace

bool is_error_terminal() { return is_terminal(STDERR_FILENO); }

bool are_colours_wanted() {
  const char* const no_colour = std::getenv("NO_COLOR");
  return no_colour == nullptr || *no_colour == '\0';
}

std::optional<TerminalSize> terminal_size() {
  if (!is_terminal(STDOUT_FILENO)) return std::nullopt;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
    return TerminalSize();
  return TerminalSize{.columns = size.ws_col, .rows = size.ws_row};
}

}  // namespace winperf
