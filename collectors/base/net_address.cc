#include "collectors/base/net_address.h"

#include <algorithm>
#include <utility>

#include "collectors/base/hex.h"
#include "collectors/base/wording.h"

namespace winperf {
namespace {

constexpr std::size_t kMappedPrefix = 12;  // bytes before the IPv4 address in ::ffff:1.2.3.4

using Groups = std::array<std::uint16_t, 8>;  // of an IPv6 address

// The longest run of zeros, which "::" replaces (RFC 5952), the first of several: [begin, end). A
// single zero doesn't count.
std::pair<std::size_t, std::size_t> longest_zeros(const Groups& groups) {
  std::pair<std::size_t, std::size_t> longest{};
  for (std::size_t begin = 0; begin < groups.size(); ++begin) {
    std::size_t end = begin;
    while (end < groups.size() && groups[end] == 0) ++end;
    if (end - begin > 1 && end - begin > longest.second - longest.first) longest = {begin, end};
  }
  return longest;
}

}  // namespace

NetAddress to_net_address(std::span<const std::uint8_t> bytes) {
  NetAddress address{};
  const bool is_ipv4 = bytes.size() < address.size();
  if (is_ipv4) address[10] = address[11] = 0xFF;
  const std::size_t start = is_ipv4 ? kMappedPrefix : 0;
  std::ranges::copy(bytes.first(std::min(bytes.size(), address.size() - start)),
                    address.begin() + static_cast<std::ptrdiff_t>(start));
  return address;
}

std::span<const std::uint8_t, 4> ipv4_bytes(const NetAddress& address) {
  return std::span(address).last<4>();
}

NetAddress address_in(const void* sockaddr, bool is_ipv6) {
  const auto* const bytes = static_cast<const std::uint8_t*>(sockaddr);
  return is_ipv6 ? to_net_address({bytes + kIpv6AddressOffset, 16})
                 : to_net_address({bytes + kIpv4AddressOffset, 4});
}

bool is_ipv4(const NetAddress& address) { return address == to_net_address(ipv4_bytes(address)); }

std::string to_text(const NetAddress& address) {
  if (is_ipv4(address))
    return joined(ipv4_bytes(address), ".", [](std::uint8_t byte) { return std::to_string(byte); });
  Groups groups{};
  for (std::size_t i = 0; i < groups.size(); ++i)
    groups[i] = static_cast<std::uint16_t>(address[2 * i] << 8U | address[2 * i + 1]);
  const auto [begin, end] = longest_zeros(groups);
  std::string text;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i == begin && end != begin) {
      text += "::";
      i = end - 1;
      continue;
    }
    if (!text.empty() && text.back() != ':') text += ':';
    text += short_hex(groups[i]);
  }
  return text;
}

bool is_loopback(const NetAddress& address) {
  static constexpr std::uint8_t kIpv4Loopback[]{127, 0, 0, 0};
  static constexpr std::uint8_t kIpv6Loopback[]{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  NetAddress network = address;
  std::ranges::fill(network.begin() + 13, network.end(), std::uint8_t{0});
  return network == to_net_address(kIpv4Loopback) || address == to_net_address(kIpv6Loopback);
}

NetAddress network_of(const NetAddress& address) {
  constexpr std::size_t kNetworkBytes = 8;
  if (is_ipv4(address)) return address;
  NetAddress network = address;
  std::ranges::fill(network.begin() + kNetworkBytes, network.end(), std::uint8_t{0});
  return network;
}

}  // namespace winperf
