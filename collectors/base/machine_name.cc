#include "collectors/base/machine_name.h"

#include <algorithm>

#include "collectors/base/ascii.h"
#include "collectors/base/utf8.h"

namespace winperf {
namespace {

bool is_part_of_name(char c) {
  constexpr std::string_view kAscii =
      "abcdefghijklmnopqrstuvwxyz0123456789-_."
      ":%";  // of an IPv6 address
  return kAscii.contains(ascii_lower(c)) || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

std::optional<std::string> machine_name(std::string_view text) {
  if (text.starts_with("\\\\")) text.remove_prefix(2);
  const bool is_name = !text.empty() && text.size() <= kMaxMachineName &&
                       std::ranges::all_of(text, is_part_of_name) &&
                       // One colon separates a port, several are an address.
                       std::ranges::count(text, ':') != 1 && valid_bytes(text) == text.size() &&
                       text.find_first_not_of('.') != text.npos;
  return is_name ? std::optional<std::string>(text) : std::nullopt;
}

}  // namespace winperf
