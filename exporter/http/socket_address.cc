#include "exporter/http/socket_address.h"

#include <algorithm>
#include <cstring>

namespace winperf {

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

bool is_loopback(const NetAddress& address) {
  static constexpr std::uint8_t kIpv4Loopback[]{127, 0, 0, 0};
  static constexpr std::uint8_t kIpv6Loopback[]{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  NetAddress network = address;
  std::ranges::fill(network.begin() + 13, network.end(), std::uint8_t{0});
  return network == to_net_address(kIpv4Loopback) || address == to_net_address(kIpv6Loopback);
}

}  // namespace winperf
