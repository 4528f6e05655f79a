#include <gmock/gmock.h>

#include <algorithm>

#include "exporter/http/socket.h"

namespace winperf {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

bool has_ipv6() {
  const auto places = find_places("::1");
  return places && listen_at(places->front(), 0).has_value();
}

TEST(ListenPlaces, OfALiteral_AreThatAddress) {
  const auto ipv4 = find_places("127.0.0.1");
  ASSERT_TRUE(ipv4);
  ASSERT_THAT(*ipv4, SizeIs(1));
  EXPECT_FALSE(ipv4->front().is_ipv6);
  EXPECT_EQ(ipv4->front().address, to_net_address(std::vector<std::uint8_t>{127, 0, 0, 1}));
  const auto ipv6 = find_places("::1");
  ASSERT_TRUE(ipv6);
  EXPECT_TRUE(ipv6->front().is_ipv6);
}

TEST(ListenPlaces, OfAnUnknownName_SaySo) {
  const auto places = find_places("no such name");
  ASSERT_FALSE(places);
  EXPECT_THAT(places.error(), HasSubstr("the address is unknown: "));
}

TEST(Listening, OnAllAddresses_HasBothFamiliesAtOnePort) {
  if (!has_ipv6()) GTEST_SKIP() << "this machine has no IPv6 loopback";
  for (const char* all : {"", "::"}) {
    const auto sockets = listen_on(all, 0);
    ASSERT_TRUE(sockets) << all << sockets.error();
    ASSERT_THAT(*sockets, SizeIs(2)) << all;
    EXPECT_GT(local_port(sockets->front()), 0);
    EXPECT_EQ(local_port(sockets->front()), local_port(sockets->back())) << all;
  }
}

TEST(Listening, OnOneAddress_IsOneSocket) {
  const auto sockets = listen_on("127.0.0.1", 0);
  ASSERT_TRUE(sockets) << sockets.error();
  EXPECT_THAT(*sockets, SizeIs(1));
}

TEST(LocalAddress, IsTheOneThatTheConnectionGoesTo) {
  const auto listeners = listen_on("127.0.0.1", 0).value();
  EXPECT_EQ(local_address(listeners.front()),
            to_net_address(std::vector<std::uint8_t>{127, 0, 0, 1}));
}

TEST(Listening, OnAPortThatIsTaken_SaysSo) {
  const auto first = listen_on("127.0.0.1", 0);
  ASSERT_TRUE(first) << first.error();
  const auto second = listen_on("127.0.0.1", local_port(first->front()));
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error(), ::testing::AnyOf(HasSubstr("in use"), HasSubstr("permission")));
}

TEST(Listening, OnAnAddressThatIsNotOurs_SaysSo) {
  const auto sockets = listen_on("192.0.2.1", 0);  // documentation only: RFC 5737
  ASSERT_FALSE(sockets);
  EXPECT_THAT(sockets.error(), HasSubstr("does not have the address"));
}

TEST(Waker, EndsAWait_UntilItIsCleared) {
  const Waker waker;
  const auto is_awake = [&] {
    std::vector<Watched> watched{{.socket = waker.socket(), .for_reading = true}};
    wait_for(watched, std::chrono::milliseconds(0));
    return watched.front().is_ready;
  };
  EXPECT_FALSE(is_awake());
  waker.wake();
  waker.wake();
  EXPECT_TRUE(is_awake());
  waker.clear();
  EXPECT_FALSE(is_awake());
}

TEST(NamesOfThisMachine, AreAtLeastOneAndNoneIsEmpty) {
  const std::vector<std::string> names = names_of_this_machine();
  EXPECT_FALSE(names.empty());
  for (const std::string& name : names) EXPECT_NE(name, "");
}

}  // namespace
}  // namespace winperf
