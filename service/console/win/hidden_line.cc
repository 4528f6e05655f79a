#include "service/console/hidden_line.h"

#include <windows.h>

#include <array>

#include "collectors/base/win/wide.h"

namespace winperf {
namespace {

// The console handler receives no context, so this is global; there is one console.
HANDLE g_console = INVALID_HANDLE_VALUE;
DWORD g_mode = 0;

// Called by the system on a separate thread, before the program ends.
BOOL WINAPI show_again(DWORD) {
  SetConsoleMode(g_console, g_mode);
  return FALSE;
}

class WithoutEcho {
 public:
  explicit WithoutEcho(HANDLE console) : console_(console) {
    has_console_ = GetConsoleMode(console_, &before_) != 0;
    if (!has_console_) return;
    g_console = console_;
    g_mode = before_;
    SetConsoleCtrlHandler(show_again, TRUE);
    SetConsoleMode(console_, before_ & ~static_cast<DWORD>(ENABLE_ECHO_INPUT));
  }
  WithoutEcho(const WithoutEcho&) = delete;
  WithoutEcho& operator=(const WithoutEcho&) = delete;
  ~WithoutEcho() {
    if (!has_console_) return;
    SetConsoleMode(console_, before_);
    SetConsoleCtrlHandler(show_again, FALSE);
  }

 private:
  HANDLE console_;
  DWORD before_ = 0;
  bool has_console_ = false;
};

}  // namespace

bool is_typed() {
  DWORD mode = 0;
  return GetConsoleMode(GetStdHandle(STD_INPUT_HANDLE), &mode) != 0;
}

// The console's own function: the C runtime would convert what is typed to a code page.
std::optional<std::string> typed_line() {
  const HANDLE console = GetStdHandle(STD_INPUT_HANDLE);
  const WithoutEcho silent(console);
  std::array<wchar_t, kMostHiddenBytes> text{};
  DWORD count = 0;
  if (!ReadConsoleW(console, text.data(), static_cast<DWORD>(text.size()), &count, nullptr) ||
      count == 0)
    return std::nullopt;
  std::string line = to_utf8(std::wstring_view(text.data(), count));
  while (line.ends_with('\n') || line.ends_with('\r')) line.pop_back();
  return line;
}

}  // namespace winperf
