#include "service/console/hidden_line.h"

#include <iostream>
#include <string_view>

namespace winperf {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // as PowerShell writes it to a pipe

// No longer than that, whatever comes.
std::optional<std::string> piped_line() {
  std::string line;
  char c = 0;
  while (line.size() <= kMostHiddenBytes && std::cin.get(c)) {
    if (c == '\n') return line;
    line += c;
  }
  return line.empty() ? std::nullopt : std::optional(std::move(line));
}

}  // namespace

std::expected<std::string, std::string> read_hidden_line(const std::string& prompt) {
  const bool typed = is_typed();
  if (typed) std::cerr << prompt << std::flush;
  auto line = typed ? typed_line() : piped_line();
  if (typed) std::cerr << '\n';
  if (!line) return std::unexpected("there is no password on standard input");
  if (line->ends_with('\r')) line->pop_back();
  if (!typed && line->starts_with(kByteOrderMark)) line->erase(0, kByteOrderMark.size());
  if (line->size() > kMostHiddenBytes)
    return std::unexpected("standard input has a line of more than 4 KiB, which is no password");
  return *std::move(line);
}

}  // namespace winperf
