#include "collectors/base/machine_name.h"

#include <algorithm>

#include "collectors/base/ascii.h"
#include "collectors/base/printable.h"
#include "collectors/base/utf8.h"

namespace winperf {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

bool is_part_of_name(char c) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789-._:";
  return kAllowed.contains(ascii_lower(c));
}

// The first character of the text, which must not be empty and isn't trusted.
std::string shown_character(std::string_view text) {
  if (text.front() == ' ') return "a blank";
  return '"' + printable(text.substr(0, next_character(text).bytes)) + '"';
}

std::string refused_character(std::string_view text) {
  std::string reason =
      "it has " + shown_character(text) +
      " in it, but only letters, digits, \"-\", \".\", \"_\" and \":\" are allowed";
  if (next_character(text).valid && static_cast<unsigned char>(text.front()) >= 0x80)
    reason += "; DNS encodes other letters, as in xn--bcher-kva";
  return reason;
}

// A dot at the end is that of the root.
bool has_empty_part(std::string_view text) { return text.starts_with('.') || text.contains(".."); }

bool is_like_ipv6(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return c == ':' || c == '.' || kHexDigits.contains(ascii_lower(c)); });
}

}  // namespace

std::expected<std::string, std::string> machine_name(std::string_view text) {
  if (text.starts_with("\\\\")) text.remove_prefix(2);
  if (text.empty()) return std::unexpected("it is empty");
  if (text.size() > kMaxMachineName)
    return std::unexpected("it has " + std::to_string(text.size()) +
                           " bytes, and a name has at most " + std::to_string(kMaxMachineName));
  const auto plain = std::ranges::find_if_not(text, is_part_of_name) - text.begin();
  const std::string_view rest = text.substr(static_cast<std::size_t>(plain));
  if (!rest.empty()) return std::unexpected(refused_character(rest));
  const auto colons = std::ranges::count(text, ':');
  if (colons == 1)
    return std::unexpected("it has a port: leave it out, because Windows chooses the port");
  if (colons > 1 && !is_like_ipv6(text))
    return std::unexpected("a name with colons is an IPv6 address, which has hexadecimal digits");
  if (has_empty_part(text)) return std::unexpected("one of its parts between dots is empty");
  return std::string(text);
}

}  // namespace winperf
