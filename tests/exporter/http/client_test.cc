// A client with a real socket: what it sends in one turn.
#include "exporter/http/clients.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <thread>

#include "tests/exporter/support/raw_connection.h"
#include "tests/exporter/support/tls_connection.h"
#include "tests/exporter/support/tls_pair.h"

namespace winperf {
namespace {

constexpr std::size_t kTurn = 256 * 1024;
const Connection::Time kNow{};

Accepted accepted_from(const Socket& listener) {
  auto accepted = accept_from(listener);
  while (!accepted) {  // the connection is there, but perhaps not yet in the queue
    std::this_thread::yield();
    accepted = accept_from(listener);
  }
  return *std::move(accepted);
}

class ClientTest : public ::testing::Test {
 protected:
  ClientTest() {
    client_ = std::make_unique<Client>(accepted_from(listeners_.front()), limits_, kNow);
    client_->connection.receive("GET / HTTP/1.1\r\nHost: x\r\n\r\n", kNow);
    EXPECT_TRUE(client_->connection.take_request(kNow));
  }

  void answer(std::size_t body_bytes) {
    Answer answer;
    answer.head = "head";
    answer.body = std::string(body_bytes, 'x');
    client_->answer(std::move(answer), kNow);
  }
  // All that one turn sends.
  std::size_t sent_in_a_turn() {
    client_->write(kNow);
    client_.reset();  // closes the connection
    return peer_.receive_all().size();
  }

  const ConnectionLimits limits_;
  std::vector<Socket> listeners_ = listen_on("127.0.0.1", 0).value();
  testing::RawConnection peer_{local_port(listeners_.front())};
  std::unique_ptr<Client> client_;
};

TEST_F(ClientTest, ALongAnswer_WaitsForItsTurn) {
  answer(kTurn + 1);
  EXPECT_TRUE(client_->sends_long());
  EXPECT_FALSE(client_->may_write());
  EXPECT_LE(sent_in_a_turn(), kTurn);
}

TEST_F(ClientTest, AShortAnswer_GoesOutAtOnce) {
  answer(40 * 1024);
  EXPECT_FALSE(client_->sends_long());
  EXPECT_TRUE(client_->may_write());
  EXPECT_EQ(sent_in_a_turn(), 40 * 1024 + 4);
}

TEST_F(ClientTest, AnAnswer_IsShortUpToATurn) {
  answer(kTurn);
  EXPECT_FALSE(client_->sends_long());
}

TEST_F(ClientTest, OverLoopback_IsOnThisMachine) {
  EXPECT_TRUE(client_->is_local());
  EXPECT_EQ(client_->address(), to_net_address(std::vector<std::uint8_t>{127, 0, 0, 1}));
}

// The client's socket is full, as when it reads nothing.
void fill(NativeSocket native) {
  alignas(Socket) std::byte place[sizeof(Socket)];
  const Socket& borrowed = *new (place) Socket(native);  // never closed
  const std::string bytes(64 * 1024, 'x');
  while (send_to(borrowed, bytes).state == IoState::kMoved) {
  }
}

TEST(ClientOfTls, WithSomethingUnsent_IsWatchedUntilThatIsSent) {
  const ConnectionLimits limits;
  const std::vector<Socket> listeners = listen_on("127.0.0.1", 0).value();
  testing::TlsConnection peer(local_port(listeners.front()), {.knows_13 = false});
  Client client(accepted_from(listeners.front()), limits, kNow, testing::context_of());
  {
    const std::jthread connecting([&] { EXPECT_TRUE(peer.connect()); });
    while (client.is_shaking_hands()) (void)client.read(kNow);
  }
  EXPECT_TRUE(client.to_watch()->for_reading);
  EXPECT_FALSE(client.to_watch()->for_writing);
  while (!client.to_watch()->for_writing) {  // the system may take a little more than it has said
    fill(client.to_watch()->socket);
    peer.peer.renegotiate();
    peer.flush();
    client.see({.is_ready = true}, kNow);
  }
  EXPECT_FALSE(client.to_watch()->for_reading) << "it would be ready again and again";
  client.see({.is_ready = true}, kNow);
  EXPECT_FALSE(client.is_over);
}

}  // namespace
}  // namespace winperf
