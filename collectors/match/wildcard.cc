#include "collectors/match/wildcard.h"

#include <string_view>

namespace winperf {
namespace {

constexpr std::string_view kEverything = "*";
constexpr std::string_view kIgnoreCase = "(?i)";
constexpr std::string_view kSpecial = "\\^$.|?*+()[]{}";

bool is_special(char c) { return kSpecial.find(c) != std::string_view::npos; }
bool is_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

// The expression without what doesn't narrow it: the anchors, which hold anyway.
std::string_view bare(std::string_view expression) {
  if (expression.starts_with(kIgnoreCase)) expression.remove_prefix(kIgnoreCase.size());
  if (expression.starts_with('^')) expression.remove_prefix(1);
  if (expression.ends_with('$') && !expression.ends_with("\\$")) expression.remove_suffix(1);
  return expression;
}

std::optional<std::string> wildcard_of(std::string_view expression) {
  std::string wildcard;
  expression = bare(expression);
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    const char next = i + 1 < expression.size() ? expression[i + 1] : '\0';
    if (c == '.') {
      // One character may be two units of UTF-16, so "?" would be too narrow.
      wildcard += '*';
      if (next == '*' || next == '+') ++i;
    } else if (c == '\\' && is_punctuation(next)) {
      wildcard += next;
      ++i;
    } else if (is_special(c)) {
      return std::nullopt;
    } else {
      wildcard += c;
    }
  }
  if (wildcard.empty()) return std::nullopt;
  return wildcard;
}

}  // namespace

std::string wildcard_for(const Filter& filter) {
  if (filter.include.size() != 1) return std::string(kEverything);
  return wildcard_of(filter.include.front().text()).value_or(std::string(kEverything));
}

std::optional<std::string> only_name(const Filter& filter) {
  if (filter.include.size() != 1 || !filter.exclude.empty()) return std::nullopt;
  const std::string& text = filter.include.front().text();
  if (text.empty() || text.find_first_of(kSpecial) != std::string::npos) return std::nullopt;
  return text;
}

}  // namespace winperf
