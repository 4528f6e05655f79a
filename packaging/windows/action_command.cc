#include "packaging/windows/action_command.h"

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <vector>

#include "collectors/base/ascii.h"
#include "collectors/base/decimal.h"
#include "collectors/base/plain_value.h"
#include "collectors/base/printable.h"

namespace winperf {
namespace {

constexpr char kBetween = '|';
constexpr std::size_t kMaxWords = 32;

bool is_whole_path(std::string_view word) {
  return word.size() > 3 && is_letter(word[0]) && word.substr(1, 2) == ":\\";
}

}  // namespace

std::expected<std::string, std::string> command_line_of(std::string_view action_data) {
  const std::size_t head = std::min(action_data.find(kBetween), action_data.size());
  const auto expected = whole_decimal<std::size_t>(action_data.substr(0, head)).value_or(0);
  const auto found = static_cast<std::size_t>(std::ranges::count(action_data, kBetween));
  if (expected == 0 || expected > kMaxWords || head + 1 == action_data.size())
    return std::unexpected("the action has no command");
  if (found != expected)
    return std::unexpected(
        "a value contains the character \"|\", which is not allowed in paths, addresses and "
        "accounts: " +
        printable(action_data.substr(head)));
  std::string line;
  for (const auto part : std::views::split(action_data.substr(head + 1), kBetween)) {
    const std::string_view word(part);
    if (const auto reason = why_not_plain(word))
      return std::unexpected("the value " + printable(word) + ' ' + *reason + "; write it without");
    if (line.empty() && !is_whole_path(word))
      return std::unexpected("the program " + printable(word) +
                             " is not specified with its full path");
    line += (line.empty() ? "" : " ") + quoted_argument(word);
  }
  return line;
}

}  // namespace winperf
