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

}  // namespace winperf
