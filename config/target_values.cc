#include "config/target_values.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"
#include "config/host_port.h"
#include "config/targets.h"
#include "config/value_error.h"

namespace winperf {

std::expected<std::string, TextError> read_target_host(const Option& option, const Node& node) {
  constexpr std::string_view kWanted = "the name or address of a machine";
  if (const auto problem = text_problem(option, node, kWanted)) return std::unexpected(*problem);
  const std::string& text = node.text;
  const auto reason = why_no_target_name(text);
  if (!reason) return text;
  if (text.starts_with("\\\\") && !why_no_target_name(std::string_view(text).substr(2)))
    return refused(option, node, "a name without backslashes",
                   assignment(option, in_quotes(text.substr(2))));
  if (const auto parts = split_host_port(text); parts && !why_no_target_name(parts->host))
    return refused(option, node, "a name without a port, because Windows chooses it",
                   assignment(option, in_quotes(parts->host)));
  return complaint(option, node,
                   "has " + described(node) + ", which can't be a machine's name: " + *reason +
                       "; write, for example, " + assignment(option, in_quotes(option.example)));
}

std::expected<OptionValue, TextError> read_word(const Option& option, const Node& node) {
  constexpr std::string_view kWanted = "a word of letters, digits, ., _ and -";
  if (const auto problem = text_problem(option, node, kWanted)) return std::unexpected(*problem);
  const auto is_usual = [](char c) {
    return is_letter_or_digit(c) || std::string_view("._-").contains(c);
  };
  const std::string& text = node.text;
  if (text.empty() || std::cmp_greater(text.size(), option.maximum) ||
      !std::ranges::all_of(text, is_usual))
    return refused(option, node, kWanted);
  return text;
}

}  // namespace winperf
