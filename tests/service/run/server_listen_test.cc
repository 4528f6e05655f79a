// Where a server listens when its configuration changes: the new address, or the old one as if
// nothing had happened.
#include <gmock/gmock.h>

#include <future>
#include <memory>
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

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Config listening(const std::string& address, int port) {
  Config config = *parse_config("{countersets: ['4'], reload: {http: true}}", "test");
  config.listen = {ListenConfig{.address = address, .port = static_cast<std::uint16_t>(port)}};
  return config;
}

// A connection that stays open between its requests, as long as the server that accepted it
// listens.
class KeptConnection {
 public:
  explicit KeptConnection(int port) : connection_(port) { EXPECT_TRUE(is_answered()); }

  bool is_answered() {
    connection_.send("GET /-/healthy HTTP/1.1\r\nHost: x\r\n\r\n");
    return connection_.receive_until("healthy.\n").starts_with("HTTP/1.1 200");
  }

 private:
  testing::RawConnection connection_;
};

bool is_healthy(testing::RunningServer& running) {
  return running.request("GET /-/healthy").starts_with("HTTP/1.1 200");
}

std::string url_of(const std::string& address, int port) {
  return "http://" + address + ':' + std::to_string(port) + '/';
}

TEST(ServerListens, WhereItDidWhenItsAddressIsTheSame) {
  testing::RunningServer running(listening("127.0.0.1", 0));
  const int port = running.port();
  KeptConnection kept(port);
  EXPECT_TRUE(running.server().apply(listening("127.0.0.1", 0)));
  EXPECT_EQ(running.port(), port);
  EXPECT_TRUE(kept.is_answered());
}

TEST(ServerListens, AtAnotherAddressAndNoLongerAtTheOldOne) {
  testing::RunningServer running(listening("127.0.0.1", 0));
  const int before = running.port();
  EXPECT_TRUE(running.server().apply(listening("localhost", 0)));
  EXPECT_EQ(running.server().urls(), url_of("localhost", running.port()));
  EXPECT_TRUE(is_healthy(running));
  EXPECT_NE(running.port(), before);
  EXPECT_THROW(testing::RawConnection{before}, std::runtime_error);
}

// Both listen for a moment, so that no request is refused.
TEST(ServerListens, AtAnAddressBesideTheOldOneAtTheSamePort) {
  testing::RunningServer running(listening("127.0.0.1", 0));
  const int port = running.port();
  EXPECT_TRUE(running.server().apply(listening("127.0.0.2", port)));
  EXPECT_EQ(running.server().urls(), url_of("127.0.0.2", port));
  EXPECT_THROW(testing::RawConnection{port}, std::runtime_error);
}

// The old listener holds a part of the new address.
TEST(ServerListens, AtTheSamePortOfAnAddressThatOverlapsTheOldOne) {
  testing::RunningServer running(listening("localhost", 0));
  const int port = running.port();
  EXPECT_TRUE(running.server().apply(listening("127.0.0.1", port)));
  EXPECT_EQ(running.server().urls(), url_of("127.0.0.1", port));
  EXPECT_TRUE(is_healthy(running));
}

TEST(ServerListens, WhereItDidWhenAnotherProgramHasTheNewPort) {
  testing::RunningServer running(listening("127.0.0.1", 0));
  const auto others = listen_on("127.0.0.1", 0).value();
  const int taken = local_port(others.front());
  const int port = running.port();
  KeptConnection kept(port);
  const auto applied = running.server().apply(listening("127.0.0.1", taken));
  ASSERT_FALSE(applied);
  EXPECT_THAT(applied.error(), StartsWith("cannot listen on 127.0.0.1:" + std::to_string(taken)));
  EXPECT_EQ(running.server().config().listen.front().port, 0);
  EXPECT_EQ(running.port(), port);
  EXPECT_TRUE(kept.is_answered()) << "it listens without a gap";
}

TEST(ServerListens, WhereItDidWhenThisMachineDoesNotHaveTheNewAddress) {
  testing::RunningServer running(listening("127.0.0.1", 0));
  const int port = running.port();
  KeptConnection kept(port);
  // An address for documentation, which no machine has.
  const auto applied = running.server().apply(listening("192.0.2.1", port));
  ASSERT_FALSE(applied);
  EXPECT_THAT(applied.error(), StartsWith("cannot listen on 192.0.2.1:" + std::to_string(port)));
  EXPECT_EQ(running.port(), port);
  EXPECT_TRUE(kept.is_answered()) << "it listens without a gap";
}

ListenConfig at(const std::string& address, int port,
                std::optional<std::vector<Served>> serve = {}) {
  return {.address = address, .port = static_cast<std::uint16_t>(port), .serve = std::move(serve)};
}

Config listening_at(std::vector<ListenConfig> places) {
  Config config = listening("127.0.0.1", 0);
  config.listen = std::move(places);
  return config;
}

// The ports of the addresses that the server names, in their order.
std::vector<int> ports_of(testing::RunningServer& running) {
  std::vector<int> ports;
  const std::string urls = running.server().urls();
  for (std::size_t end = urls.find("/ ");; end = urls.find("/ ", end + 1)) {
    const std::size_t stop = end == std::string::npos ? urls.size() - 1 : end;
    ports.push_back(std::stoi(urls.substr(urls.rfind(':', stop) + 1)));
    if (end == std::string::npos) return ports;
  }
}

std::string status_at(int port, const std::string& path) {
  testing::RawConnection connection(port);
  connection.send("GET " + path + " HTTP/1.0\r\n\r\n");
  return connection.receive_all().substr(9, 3);
}

TEST(ServerListens, AtSeveralAddressesEachWithWhatItServes) {
  testing::RunningServer running(
      listening_at({at("127.0.0.1", 0), at("localhost", 0, {{Served::kMetrics}})}));
  const std::vector<int> ports = ports_of(running);
  ASSERT_EQ(ports.size(), 2U);
  EXPECT_EQ(running.server().urls(),
            url_of("127.0.0.1", ports[0]) + " and " + url_of("localhost", ports[1]));
  EXPECT_EQ(status_at(ports[0], "/version"), "200");
  EXPECT_EQ(status_at(ports[1], "/version"), "403");
  EXPECT_EQ(status_at(ports[1], "/metrics"), "200");
  EXPECT_EQ(running.own("http_threads"), 10);
}

TEST(ServerListens, WithoutAGapAtAnAddressThatStaysAmongOthers) {
  testing::RunningServer running(listening_at({at("127.0.0.1", 0), at("localhost", 0)}));
  const std::vector<int> before = ports_of(running);
  KeptConnection kept(before[1]);
  EXPECT_TRUE(running.server().apply(
      listening_at({at("localhost", 0, {{Served::kPage}}), at("127.0.0.2", 0)})));
  const std::vector<int> after = ports_of(running);
  EXPECT_EQ(after[0], before[1]);
  EXPECT_TRUE(kept.is_answered());
  EXPECT_EQ(status_at(after[0], "/metrics"), "403") << "what it serves has changed";
  EXPECT_THROW(testing::RawConnection{before[0]}, std::runtime_error);
}

TEST(ServerListens, NowhereElseWhenOneOfItsNewAddressesIsTaken) {
  testing::RunningServer running(listening_at({at("127.0.0.1", 0), at("localhost", 0)}));
  const std::vector<int> before = ports_of(running);
  const auto others = listen_on("127.0.0.1", 0).value();
  const int taken = local_port(others.front());
  const auto applied = running.server().apply(listening_at(
      {at("localhost", 0, {{Served::kPage}}), at("127.0.0.2", 0), at("127.0.0.1", taken)}));
  ASSERT_FALSE(applied);
  EXPECT_THAT(applied.error(), StartsWith("cannot listen on 127.0.0.1:" + std::to_string(taken)));
  EXPECT_EQ(ports_of(running), before);
  for (const int port : before) EXPECT_EQ(status_at(port, "/metrics"), "200") << port;
}

// The first one can be opened only when what listens there now is closed.
TEST(ServerListens, WithoutAGapWhenOneOfItsNewAddressesHasABadCertificate) {
  testing::RunningServer running(listening("127.0.0.1", 0));
  const int port = running.port();
  KeptConnection kept(port);
  std::vector<ListenConfig> places{at("0.0.0.0", port), at("127.0.0.1", 0)};
  places[1].web.tls = {.certificate = {.text = "x"}, .key = {.text = "y"}};
  const auto applied = running.server().apply(listening_at(places));
  ASSERT_FALSE(applied);
  EXPECT_THAT(applied.error(), StartsWith("cannot serve 127.0.0.1:0: "));
  EXPECT_EQ(running.port(), port);
  EXPECT_TRUE(kept.is_answered()) << "it was never closed";
}

// A stop must not wait for them, and none of them for another.
TEST(ServerListens, ElsewhereWithoutWaitingForThoseWhoAskAtTheOldAddresses) {
  testing::RunningServer running(listening_at({at("127.0.0.1", 0), at("localhost", 0)}));
  std::vector<std::unique_ptr<testing::RawConnection>> halves;
  for (const int port : ports_of(running)) {
    halves.push_back(std::make_unique<testing::RawConnection>(port));
    halves.back()->send("GET /-/healthy HTTP/1.1\r\n");
  }
  while (running.own("http_connections") != 2) std::this_thread::yield();
  EXPECT_TRUE(running.server().apply(listening("127.0.0.2", 0)));
  for (const auto& half : halves) {
    half->send("Host: x\r\n\r\n");
    EXPECT_THAT(half->receive_all(), HasSubstr("healthy.\n"));
  }
}

// Both are in the way of the one that takes their place.
TEST(ServerListens, AtOneAddressInsteadOfTwoOfTheSamePort) {
  testing::RunningServer running(listening("127.0.0.1", 0));
  const int port = running.port();
  ASSERT_TRUE(running.server().apply(listening_at({at("127.0.0.1", port), at("127.0.0.2", port)})));
  EXPECT_TRUE(running.server().apply(listening("0.0.0.0", port)));
  EXPECT_EQ(running.server().urls(), url_of("0.0.0.0", port));
  EXPECT_TRUE(is_healthy(running));
}

// The old listener has to go before it shows that another program has a part of the new address.
TEST(ServerListens, AgainWhereItDidWhenTheNewAddressTurnsOutToBeTaken) {
  testing::RunningServer running(listening("127.0.0.1", 0));
  const int port = running.port();
  const auto others = listen_on("127.0.0.2", port).value();
  const auto applied = running.server().apply(listening("0.0.0.0", port));
  ASSERT_FALSE(applied);
  EXPECT_THAT(applied.error(), StartsWith("cannot listen on 0.0.0.0:" + std::to_string(port)));
  EXPECT_THAT(applied.error(), Not(HasSubstr("lost")));
  EXPECT_EQ(running.server().urls(), url_of("127.0.0.1", port));
  EXPECT_TRUE(is_healthy(running));
}

TEST(ServerStops, WhenWhatItIsAnsweringIsAnswered) {
  std::promise<void> asked;
  std::promise<void> may_answer;
  const auto reload = [&] {
    asked.set_value();
    may_answer.get_future().wait();
    return PlainAnswer{200, "reloaded\n"};
  };
  testing::RunningServer running(listening("127.0.0.1", 0), {.reload = reload});
  const int port = running.port();
  testing::RawConnection connection(port);
  connection.send("POST /-/reload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
  asked.get_future().wait();
  const std::jthread stopping([&] {
    EXPECT_EQ(running.server().stop(std::chrono::steady_clock::now() + std::chrono::minutes(1)),
              "");
  });
  while (!testing::is_free(port)) std::this_thread::yield();
  may_answer.set_value();
  EXPECT_THAT(connection.receive_all(), HasSubstr("reloaded\n"));
}

// A server tells how many threads it has when it begins, and none at its end.
TEST(ServerListens, AndTheServerThatWasReplacedEndsWhenItHasAnswered) {
  std::promise<void> asked;
  std::promise<void> may_answer;
  const auto reload = [&] {
    asked.set_value();
    may_answer.get_future().wait();
    return PlainAnswer{200, "reloaded\n"};
  };
  testing::RunningServer running(listening("127.0.0.1", 0), {.reload = reload});
  double threads = 0;  // of one server
  {
    testing::RawConnection connection(running.port());
    connection.send("POST /-/reload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
    asked.get_future().wait();
    threads = running.own("http_threads");
    EXPECT_GT(threads, 0);
    EXPECT_TRUE(running.server().apply(listening("localhost", 0)));
    EXPECT_TRUE(is_healthy(running)) << "the new one has begun";
    running.server().maintain();
    EXPECT_EQ(running.own("http_threads"), 2 * threads);
    may_answer.set_value();
    EXPECT_THAT(connection.receive_until("reloaded\n"), StartsWith("HTTP/1.1 200"));
  }
  // The connection counts until its client has closed it, and is idle by then.
  while (running.own("http_connections") != 0) std::this_thread::yield();
  EXPECT_EQ(running.own("http_threads"), 2 * threads);
  running.server().maintain();
  EXPECT_EQ(running.own("http_threads"), threads);
}

}  // namespace
}  // namespace winperf
