#include "exporter/http/socket_address.h"

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

NetAddress address(std::vector<std::uint8_t> bytes) { return to_net_address(bytes); }

// RFC 5952, sections 4 and 5.
TEST(AddressText, IsWhatPeopleWrite) {
  EXPECT_EQ(to_text(address({10, 0, 200, 5})), "10.0.200.5");
  EXPECT_EQ(to_text({}), "::");
  EXPECT_EQ(to_text({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}), "::1");
  EXPECT_EQ(to_text({0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xA, 0xB}),
            "2001:db8::a0b");
  EXPECT_EQ(to_text({0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}), "fe80::");
  EXPECT_EQ(to_text({0, 1, 0, 0, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7}), "1:0:2:3:4:5:6:7")
      << "one group of zeros is no run";
  EXPECT_EQ(to_text({0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3}), "1:0:0:2::3")
      << "the longest run";
  EXPECT_EQ(to_text({0, 1, 0, 0, 0, 0, 0, 2, 0, 3, 0, 0, 0, 0, 0, 4}), "1::2:3:0:0:4")
      << "the first of two";
}

TEST(Network, IsAnIpv4AddressOrTheFirstHalfOfAnIpv6Address) {
  EXPECT_EQ(network_of(address({10, 1, 2, 3})), address({10, 1, 2, 3}));
  EXPECT_EQ(network_of({0x20, 1, 0x0d, 0xb8, 0, 0, 0, 7, 1, 2, 3, 4, 5, 6, 7, 8}),
            (NetAddress{0x20, 1, 0x0d, 0xb8, 0, 0, 0, 7}));
}

TEST(Loopback, IsANetworkOfIpv4AndOneAddressOfIpv6) {
  EXPECT_TRUE(is_loopback(address({127, 0, 0, 1})));
  EXPECT_TRUE(is_loopback(address({127, 255, 1, 2})));
  EXPECT_FALSE(is_loopback(address({126, 0, 0, 1})));
  EXPECT_FALSE(is_loopback(address({128, 0, 0, 1})));
  NetAddress ipv6{};
  EXPECT_FALSE(is_loopback(ipv6));
  ipv6.back() = 1;
  EXPECT_TRUE(is_loopback(ipv6));
  ipv6.back() = 2;
  EXPECT_FALSE(is_loopback(ipv6));
  // An IPv6 address whose last bytes look like 127.0.0.1.
  EXPECT_FALSE(is_loopback({0x20, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1}));
}

}  // namespace
}  // namespace winperf
