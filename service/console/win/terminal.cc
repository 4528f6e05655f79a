#include "service/console/terminal.h"

#include <windows.h>

namespace winperf {

std::optional<TerminalSize> terminal_size() {
  const HANDLE console = GetStdHandle(STD_OUTPUT_HANDLE);
  DWORD mode = 0;
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (!GetConsoleMode(console, &mode) || !GetConsoleScreenBufferInfo(console, &info) ||
      !SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING))
    return std::nullopt;
  const int columns = info.srWindow.Right - info.srWindow.Left + 1;
  const int rows = info.srWindow.Bottom - info.srWindow.Top + 1;
  if (columns < 1 || rows < 1) return TerminalSize();
  return TerminalSize{.columns = static_cast<std::size_t>(columns),
                      .rows = static_cast<std::size_t>(rows)};
}

}  // namespace winperf
