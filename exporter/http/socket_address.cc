#include "exporter/http/socket_address.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

namespace winperf {
namespace {

using Groups = std::array<std::uint16_t, 8>;  // of an IPv6 address

void append_hex(std::string& text, std::uint16_t number) {
  char digits[4];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number, 16).ptr);
}

// Where the longest run of zeros is, the first one of several, that "::" stands for (RFC 5952):
// [begin, end). A single zero is none.
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

SocketAddress to_socket_address(const ListenPlace& place, int port, std::uint16_t family) {
  SocketAddress address;
  std::uint8_t* const bytes = address.bytes.data();
  std::memcpy(bytes, &family, sizeof(family));
  bytes[kPortOffset] = static_cast<std::uint8_t>(port >> 8);
  bytes[kPortOffset + 1] = static_cast<std::uint8_t>(port & 0xFF);
  if (place.is_ipv6) {
    std::ranges::copy(place.address, bytes + kIpv6AddressOffset);
    std::memcpy(bytes + kIpv6ScopeOffset, &place.scope, sizeof(place.scope));
    address.size = kIpv6SocketAddressBytes;
  } else {
    std::ranges::copy(ipv4_bytes(place.address), bytes + kIpv4AddressOffset);
    address.size = kIpv4SocketAddressBytes;
  }
  return address;
}

int port_in(const void* sockaddr) {
  const auto* const bytes = static_cast<const std::uint8_t*>(sockaddr);
  return bytes[kPortOffset] << 8 | bytes[kPortOffset + 1];
}

std::string to_text(const NetAddress& address) {
  if (const auto ipv4 = ipv4_bytes(address); address == to_net_address(ipv4)) {
    std::string text;
    for (const std::uint8_t byte : ipv4) text += (text.empty() ? "" : ".") + std::to_string(byte);
    return text;
  }
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
    append_hex(text, groups[i]);
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
  if (address == to_net_address(ipv4_bytes(address))) return address;
  NetAddress network = address;
  std::ranges::fill(network.begin() + kNetworkBytes, network.end(), std::uint8_t{0});
  return network;
}

}  // namespace winperf
