// What a sockaddr_in or sockaddr_in6 holds, as bytes: both systems lay them out alike. The files of
// each system check that when they are compiled. Thread rule: pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "exporter/http/socket.h"

namespace winperf {

inline constexpr std::size_t kPortOffset = 2;
inline constexpr std::size_t kIpv6ScopeOffset = 24;
inline constexpr std::size_t kIpv4SocketAddressBytes = 16;
inline constexpr std::size_t kIpv6SocketAddressBytes = 28;

struct SocketAddress {
  alignas(8) std::array<std::uint8_t, kIpv6SocketAddressBytes> bytes{};
  int size = 0;  // of what is used
};

// `family`: the system's number for the place's family.
SocketAddress to_socket_address(const ListenPlace& place, int port, std::uint16_t family);

// The port in either of them.
int port_in(const void* sockaddr);

}  // namespace winperf
