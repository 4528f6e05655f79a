#include "service/console/terminal.h"

#include <windows.h>

namespace winperf {
namespace {

// False if it is no console, or one without escape sequences.
bool turn_on_sequences(HANDLE console) {
  DWORD mode = 0;
  return GetConsoleMode(console, &mode) &&
         SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

}  // namespace

bool is_error_terminal() { return turn_on_sequences(GetStdHandle(STD_ERROR_HANDLE)); }

bool are_colours_wanted() {
  wchar_t first[2];
  // An empty value has the length 0, like a variable that isn't set.
  return GetEnvironmentVariableW(L"NO_COLOR", first, 2) == 0;
}

std::optional<TerminalSize> terminal_size() {
  const HANDLE console = GetStdHandle(STD_OUTPUT_HANDLE);
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (!GetConsoleScreenBufferInfo(console, &info) || !turn_on_sequences(console))
    return std::nullopt;
  const int columns = info.srWindow.Right - info.srWindow.Left + 1;
  const int rows = info.srWindow.Bottom - info.srWindow.Top + 1;
  if (columns < 1 || rows < 1) return TerminalSize();
  return TerminalSize{.columns = static_cast<std::size_t>(columns),
                      .rows = static_cast<std::size_t>(rows)};
}

}  // namespace winperf
