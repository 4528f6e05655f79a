#include "collectors/base/system_text.h"

#include <windows.h>

#include <iterator>
#include <string_view>

#include "collectors/base/win/wide.h"

namespace winperf {
namespace {

// Empty if Windows has no text in that language.
std::string windows_text(DWORD code, DWORD language) {
  wchar_t text[512];
  const DWORD length =
      FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, nullptr, code,
                     language, text, static_cast<DWORD>(std::size(text)), nullptr);
  std::wstring_view line(text, length);
  line = line.substr(0, line.find_first_of(L"\r\n"));
  while (line.ends_with(L' ') || line.ends_with(L'.')) line.remove_suffix(1);
  return to_utf8(line);
}

}  // namespace

std::string system_text(const std::error_code& error) {
  // The C library's own texts are ASCII.
  if (error.category() != std::system_category()) return error.message();
  const auto code = static_cast<DWORD>(error.value());
  const std::string number = "Windows error " + std::to_string(code);
  std::string text = windows_text(code, MAKELANGID(LANG_ENGLISH, SUBLANG_ENGLISH_US));
  if (text.empty()) text = windows_text(code, 0);
  return text.empty() ? number : text + " (" + number + ')';
}

}  // namespace winperf
