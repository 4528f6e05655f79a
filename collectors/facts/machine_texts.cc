#include "collectors/facts/machine_texts.h"

#include <algorithm>

#include "collectors/base/hex.h"

namespace winperf {
namespace {

constexpr std::uint32_t kFirstBuildOfWindows11 = 22'000;
constexpr std::string_view kWindows10 = "Windows 10";

// What a name in front of it ends with, or what is behind it: nothing or a blank.
bool ends_there(std::string_view rest) { return rest.empty() || rest.front() == ' '; }

bool is_global_ipv4(std::span<const std::uint8_t> address) {
  const bool loopback = address[0] == 127;
  const bool link_local = address[0] == 169 && address[1] == 254;
  const bool multicast = (address[0] & 0xF0U) == 0xE0U;
  const auto all = [address](std::uint8_t byte) {
    return std::ranges::all_of(address, [byte](std::uint8_t other) { return other == byte; });
  };
  return !loopback && !link_local && !multicast && !all(0) && !all(255);
}

bool is_global_ipv6(std::span<const std::uint8_t> address) {
  const bool link_local = address[0] == 0xFE && (address[1] & 0xC0U) == 0x80U;
  const bool multicast = address[0] == 0xFF;
  // ::, and ::1, which is the loopback.
  const bool none = std::ranges::all_of(address.first(address.size() - 1),
                                        [](std::uint8_t byte) { return byte == 0; }) &&
                    address.back() <= 1;
  return !link_local && !multicast && !none;
}

}  // namespace

std::string product_name(std::string_view in_registry, std::uint32_t build) {
  while (in_registry.starts_with(' ')) in_registry.remove_prefix(1);
  std::string name(without_blanks_at_end(in_registry));
  const std::size_t at = name.find(kWindows10);
  if (build < kFirstBuildOfWindows11 || at == std::string::npos) return name;
  const std::size_t end = at + kWindows10.size();
  if (ends_there(std::string_view(name).substr(end))) name[end - 1] = '1';
  return name;
}

std::string nic_name(std::string_view description) {
  std::string name(description);
  for (char& c : name) {
    switch (c) {
      case '(':
        c = '[';
        break;
      case ')':
        c = ']';
        break;
      case '#':
      case '/':
      case '\\':
        c = '_';
        break;
      default:
        break;
    }
  }
  return name;
}

std::string mac_text(std::span<const std::uint8_t> address) {
  std::string text;
  for (const std::uint8_t byte : address) {
    if (!text.empty()) text += ':';
    text += upper_hex(byte, 2);
  }
  return text;
}

bool is_global_unicast(std::span<const std::uint8_t> address) {
  constexpr std::size_t kIpv4Bytes = 4;
  constexpr std::size_t kIpv6Bytes = 16;
  if (address.size() == kIpv4Bytes) return is_global_ipv4(address);
  return address.size() == kIpv6Bytes && is_global_ipv6(address);
}

std::string joined_numbers(std::vector<std::uint32_t> numbers) {
  std::ranges::sort(numbers);
  const auto repeated = std::ranges::unique(numbers);
  numbers.erase(repeated.begin(), repeated.end());
  std::string text;
  for (const std::uint32_t number : numbers) {
    if (!text.empty()) text += ';';
    text += std::to_string(number);
  }
  return text;
}

std::string_view without_device_prefix(std::string_view path) {
  constexpr std::string_view kAround = "\\.";
  const std::size_t first = path.find_first_not_of(kAround);
  if (first == std::string_view::npos) return {};
  return path.substr(first, path.find_last_not_of(kAround) - first + 1);
}

std::string_view without_blanks_at_end(std::string_view text) {
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::string_view without_object_prefix(std::string_view path) {
  constexpr std::string_view kPrefix = "\\??\\";
  return path.starts_with(kPrefix) ? path.substr(kPrefix.size()) : path;
}

}  // namespace winperf
