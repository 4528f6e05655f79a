#include "collectors/diagnosis/port_owner.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <iostream>
#include <string>

#include "collectors/worker/own_process.h"
#include "exporter/http/http_server.h"
#include "tests/exporter/support/raw_connection.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Ne;
using ::testing::StartsWith;

NetAddress ipv4(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d) {
  const std::uint8_t bytes[] = {a, b, c, d};
  return to_net_address(bytes);
}

NetAddress ipv6(std::uint8_t last) {
  std::uint8_t bytes[16] = {};
  bytes[15] = last;
  return to_net_address(bytes);
}

TEST(PortOwner, OnlyAListenerInTheWayIsNamed) {
  const NetAddress any = ipv4(0, 0, 0, 0);
  const NetAddress loop = ipv4(127, 0, 0, 1);
  const NetAddress any6 = ipv6(0);
  const NetAddress loop6 = ipv6(1);
  const auto in_the_way = [](const NetAddress& there, const NetAddress& wanted) {
    const Listener listeners[] = {{.address = there, .process_id = 7}};
    return !owners(listeners, wanted).empty();
  };
  EXPECT_TRUE(in_the_way(loop, loop));
  EXPECT_TRUE(in_the_way(any, loop));
  EXPECT_TRUE(in_the_way(loop, any));
  EXPECT_TRUE(in_the_way(any6, loop));  // it may take IPv4 connections as well
  EXPECT_TRUE(in_the_way(loop, any6));
  EXPECT_TRUE(in_the_way(loop6, any6));
  EXPECT_FALSE(in_the_way(loop, ipv4(127, 0, 0, 2)));
  EXPECT_FALSE(in_the_way(loop6, loop));
  EXPECT_FALSE(in_the_way(loop6, any));
  EXPECT_FALSE(in_the_way(any, loop6));
  // An address of IPv6 with ffff in the middle, which stands for no other.
  const NetAddress ffff{0x20, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 1, 2, 3, 4};
  EXPECT_FALSE(in_the_way(any, ffff));
  EXPECT_TRUE(in_the_way(any6, ffff));
}

TEST(PortOwner, EachProcessIsNamedOnceAndAnUnknownOneNotAtAll) {
  const NetAddress loop = ipv4(127, 0, 0, 1);
  const Listener listeners[] = {{loop, 7}, {loop, 0}, {ipv4(0, 0, 0, 0), 9}, {loop, 7}};
  EXPECT_THAT(owners(listeners, loop), ElementsAre(7U, 9U));
  EXPECT_THAT(owners({}, loop), IsEmpty());
}

class TakenPort : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(server_.start()); }

  BuildInfo build_{"1", "abc", "gcc", "linux", "x86_64"};
  SampleSlot slot_;
  ExporterRegistry registry_{build_, testing::kSampledAt};
  Router router_{slot_, registry_, {build_, {}, [] { return testing::kTaken; }}};
  HttpServer server_{router_, {"127.0.0.1", 0}};
};

TEST_F(TakenPort, IsNamedWithTheProcessThatHasIt) {
  const std::vector<Listener> listeners = listeners_on(server_.port());
  ASSERT_THAT(listeners, Contains(Field(&Listener::address, ipv4(127, 0, 0, 1))));
  const std::uint32_t self = listeners.front().process_id;
  std::string owner = "another program";
  if (self != 0) {
    // Linux cuts names at 15 characters.
    EXPECT_THAT(process_name(self), HasSubstr("run_test"));
    owner = process_name(self) + " (process " + std::to_string(self) + ")";
  } else {
    ASSERT_EQ(std::filesystem::path::preferred_separator, '\\') << "Linux tells";
    std::cerr << "NOT TESTED: the name of a port's owner; Wine does not tell who that is\n";
  }

  const auto refused = try_listening("127.0.0.1", server_.port(), describe_owners);
  ASSERT_FALSE(refused);
  const std::string& reason = refused.error();
  EXPECT_EQ(reason, "cannot listen on 127.0.0.1:" + std::to_string(server_.port()) +
                        ": the address is already in use by " + owner);
  HttpServerOptions same("127.0.0.1", server_.port());
  same.describe_owners = describe_owners;
  HttpServer second(router_, std::move(same));
  const auto started = second.start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error(), reason);
}

TEST_F(TakenPort, IsNotThatOfThoseWhoAreConnectedToIt) {
  const std::vector<Listener> before = listeners_on(server_.port());
  testing::RawConnection connection(server_.port());
  connection.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  connection.receive_until("HTTP");
  EXPECT_EQ(listeners_on(server_.port()), before);
}

TEST_F(TakenPort, IsNobodysOnceItIsGivenBack) {
  const int port = server_.port();
  const Listener self = listeners_on(port).at(0);
  server_.stop();
  // Another test may have it by now; where nobody is told apart, that would look the same.
  if (self.process_id != 0) {
    EXPECT_THAT(listeners_on(port), Each(Ne(self)));
  }
}

TEST(TryListening, HasTheSocketsOfAPortThatIsToBeHad) {
  const auto sockets = try_listening("127.0.0.1", 0);
  ASSERT_TRUE(sockets) << sockets.error();
  EXPECT_EQ(sockets->size(), 1U);
}

TEST(PortOwner, AProcessHasTheNameOfItsFileAndOneThatDoesNotExistHasNone) {
  EXPECT_EQ(process_name(0x7FFFFFFF), "");
  EXPECT_THAT(process_name(static_cast<std::uint32_t>(worker::own_process_id())),
              StartsWith("run_test"));
}

}  // namespace
}  // namespace winperf
