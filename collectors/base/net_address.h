// Addresses of both versions of IP, as one type. Thread rule: pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace winperf {

// An IPv6 address, or an IPv4 address as one (::ffff:1.2.3.4); all zeros: any address.
using NetAddress = std::array<std::uint8_t, 16>;

// From 4 or 16 bytes, in network byte order.
NetAddress to_net_address(std::span<const std::uint8_t> bytes);

// The four bytes of an IPv4 address.
std::span<const std::uint8_t, 4> ipv4_bytes(const NetAddress& address);

// Where a sockaddr_in and a sockaddr_in6 have their addresses, on every system.
inline constexpr std::size_t kIpv4AddressOffset = 4;
inline constexpr std::size_t kIpv6AddressOffset = 8;

// The address in a sockaddr_in6 or, if it isn't one, a sockaddr_in.
NetAddress address_in(const void* sockaddr, bool is_ipv6);

// "10.0.0.5" or "2001:db8::1".
std::string to_text(const NetAddress& address);

// Whether it is an IPv4 address.
bool is_ipv4(const NetAddress& address);

// 127.0.0.0/8 and ::1.
bool is_loopback(const NetAddress& address);

// The network of one client: for IPv6 the first half, because one customer has 2^64 addresses or
// more; for IPv4 the address itself.
NetAddress network_of(const NetAddress& address);

}  // namespace winperf
