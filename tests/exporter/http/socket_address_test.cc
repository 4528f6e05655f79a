#include "collectors/base/net_address.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace winperf {
namespace {

constexpr std::uint16_t kFamily = 0x0102;

TEST(SocketAddress, HasThePlaceAndThePortThatItWasMadeOf) {
  const ListenPlace ipv4{.address = to_net_address(std::vector<std::uint8_t>{10, 1, 2, 3})};
  const SocketAddress four = to_socket_address(ipv4, 0xABCD, kFamily);
  EXPECT_EQ(four.size, 16);
  EXPECT_EQ(port_in(four.bytes.data()), 0xABCD);
  EXPECT_EQ(address_in(four.bytes.data(), false), ipv4.address);
  ListenPlace ipv6{.is_ipv6 = true, .scope = 7};
  for (std::uint8_t i = 0; i < ipv6.address.size(); ++i) ipv6.address[i] = 0x20 + i;
  const SocketAddress six = to_socket_address(ipv6, 80, kFamily);
  EXPECT_EQ(six.size, 28);
  EXPECT_EQ(port_in(six.bytes.data()), 80);
  EXPECT_EQ(address_in(six.bytes.data(), true), ipv6.address);
  EXPECT_EQ(six.bytes[kIpv6ScopeOffset], 7);
}

TEST(SocketAddress_Port, IsInNetworkByteOrder) {
  const SocketAddress address = to_socket_address({}, 0x0102, kFamily);
  EXPECT_EQ(address.bytes[kPortOffset], 1);
  EXPECT_EQ(address.bytes[kPortOffset + 1], 2);
}

}  // namespace
}  // namespace winperf
