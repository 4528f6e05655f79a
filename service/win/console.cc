#include "service/console.h"

#include <windows.h>
// After windows.h:
#include <shellapi.h>

#include <atomic>
#include <cstdlib>
#include <memory>

#include "collectors/sources/win/wide.h"

namespace winperf {
namespace {

// What the console had before; 0 where nothing has to be put back.
std::atomic<UINT> g_code_page = 0;

void restore() {
  if (const UINT before = g_code_page.exchange(0); before != 0) SetConsoleOutputCP(before);
}

// Called before Windows ends the process, on a thread of its own, where the program has no handler
// of its own that stops it.
BOOL WINAPI restore_on_console_event(DWORD) {
  restore();
  return FALSE;
}

bool is_console(DWORD stream) {
  DWORD mode = 0;
  return GetConsoleMode(GetStdHandle(stream), &mode) != 0;
}

struct LocalMemory {
  void operator()(LPWSTR* memory) const { LocalFree(memory); }
};

}  // namespace

// Not argv: the C library has put it into the ANSI code page.
std::vector<std::string> command_line_words(int, char**) {
  int count = 0;
  const std::unique_ptr<LPWSTR, LocalMemory> wide(CommandLineToArgvW(GetCommandLineW(), &count));
  std::vector<std::string> words;
  for (int i = 1; wide != nullptr && i < count; ++i) words.push_back(to_utf8(wide.get()[i]));
  return words;
}

Utf8Console::Utf8Console() {
  // Who reads the output by a pipe or a file need not know of the console.
  if (!is_console(STD_OUTPUT_HANDLE) && !is_console(STD_ERROR_HANDLE)) return;
  const UINT before = GetConsoleOutputCP();
  if (before == 0 || before == CP_UTF8) return;
  g_code_page = before;
  SetConsoleCtrlHandler(restore_on_console_event, TRUE);
  SetConsoleOutputCP(CP_UTF8);
}

Utf8Console::~Utf8Console() {
  restore();
  SetConsoleCtrlHandler(restore_on_console_event, FALSE);
}

void end_at_once(int exit_code) {
  restore();
  std::_Exit(exit_code);
}

}  // namespace winperf
