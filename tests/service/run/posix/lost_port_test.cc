// A server that can't listen at its new address and, because another program was faster, no longer
// at the old one. On Windows nobody can take the port while a connection is left.
#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "exporter/http/socket.h"
#include "service/run/server.h"
#include "tests/exporter/support/raw_connection.h"
#include "tests/service/run/running_server.h"

namespace winperf {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kHalf[] = "GET /-/healthy HTTP/1.1\r\n";
constexpr char kOtherHalf[] = "Host: x\r\n\r\n";

class LostPort : public ::testing::Test {
 protected:
  void SetUp() override {
    // The server waits for the rest of this request, but listens no longer.
    std::optional<testing::RawConnection> unfinished(std::in_place, port_);
    unfinished->send(kHalf);
    testing::RawConnection idle(port_);
    idle.send(std::string(kHalf) + kOtherHalf);
    idle.receive_until("healthy.\n");
    std::jthread other_program([&] {
      idle.receive_all();  // ends when the server listens no longer
      auto sockets = listen_on("127.0.0.1", port_);
      EXPECT_TRUE(sockets) << sockets.error();
      if (sockets) other_program_ = *std::move(sockets);
      unfinished.reset();
    });
    lost_ = running_.server().apply(listening("127.0.0.1", port_));
  }

  static Config listening(const std::string& address, int port) {
    Config config = *parse_config("{countersets: ['4']}", "test");
    config.listen = {ListenConfig{.address = address, .port = static_cast<std::uint16_t>(port)}};
    return config;
  }

  std::string logged() const { return folder_.read("w.log"); }
  std::string place() const { return "localhost:" + std::to_string(port_); }
  bool is_healthy() { return running_.request("GET /-/healthy").starts_with("HTTP/1.1 200"); }

  const testing::TempFolder folder_;
  testing::RunningServer running_{
      listening("localhost", 0),
      {.logger =
           make_logger({.file = "w.log"}, {.config_file = (folder_.path() / "w.yaml").string()})
               .value()}};
  const int port_ = running_.port();
  std::vector<Socket> other_program_;
  std::expected<void, std::string> lost_;
};

TEST_F(LostPort, IsSaidWithWhatComesNext) {
  ASSERT_FALSE(lost_);
  const std::string port = std::to_string(port_);
  EXPECT_THAT(lost_.error(), AllOf(StartsWith("cannot listen on 127.0.0.1:" + port +
                                              ": the address is already in use"),
                                   HasSubstr("; the previous address is lost as well and is "
                                             "retried every second: cannot listen on localhost:" +
                                             port)));
  EXPECT_EQ(running_.server().config().listen, listening("localhost", 0).listen);
  EXPECT_EQ(running_.server().urls(), "");
}

TEST_F(LostPort, IsListenedOnAgainAsSoonAsItIsFree) {
  running_.server().maintain();
  EXPECT_THAT(logged(), Not(HasSubstr("listening on")));
  other_program_.clear();
  running_.server().maintain();
  EXPECT_EQ(running_.server().urls(), "http://" + place() + '/');
  EXPECT_TRUE(is_healthy());
  EXPECT_THAT(logged(), HasSubstr(" listening on http://" + place() + '/'));
}

TEST_F(LostPort, IsHadAgainOnlyOnce) {
  other_program_.clear();
  running_.server().maintain();
  const std::string once = logged();
  testing::RawConnection kept(port_);
  kept.send(kHalf);
  running_.server().maintain();
  kept.send(kOtherHalf);
  EXPECT_THAT(kept.receive_until("healthy.\n"), StartsWith("HTTP/1.1 200"));
  EXPECT_EQ(logged(), once);
}

TEST_F(LostPort, IsLostAgainIfItIsStillTaken) {
  const auto again = running_.server().apply(listening("127.0.0.1", port_));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error(), lost_.error());
  other_program_.clear();
  running_.server().maintain();
  EXPECT_EQ(running_.server().urls(), "http://" + place() + '/');
  EXPECT_TRUE(is_healthy());
}

// That of the file has not changed since the server listened.
TEST_F(LostPort, IsReplacedIfTheConfigurationInUseTakesAnyPort) {
  EXPECT_TRUE(running_.server().apply(running_.server().config()));
  EXPECT_TRUE(is_healthy());
  EXPECT_NE(running_.port(), port_);
}

TEST_F(LostPort, IsOfNoInterestOnceAnotherAddressIsHad) {
  ASSERT_TRUE(running_.server().apply(listening("127.0.0.1", 0)));
  EXPECT_TRUE(is_healthy());
  const int port = running_.port();
  other_program_.clear();
  running_.server().maintain();
  EXPECT_EQ(running_.port(), port);
}

}  // namespace
}  // namespace winperf
