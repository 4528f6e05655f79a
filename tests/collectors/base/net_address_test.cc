#include "collectors/base/net_address.h"

#include <gtest/gtest.h>

#include <vector>

namespace winperf {
namespace {

NetAddress ipv4(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d) {
  const std::uint8_t bytes[] = {a, b, c, d};
  return to_net_address(bytes);
}

NetAddress ipv6(std::uint8_t last) {
  std::uint8_t bytes[16] = {};
  bytes[15] = last;
  return to_net_address(bytes);
}

TEST(NetAddress, AddressesOfFourBytesHaveTheirPlaceAmongThoseOfSixteen) {
  EXPECT_EQ(ipv4(1, 2, 3, 4), (NetAddress{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 1, 2, 3, 4}));
  EXPECT_EQ(ipv6(1), (NetAddress{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
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
