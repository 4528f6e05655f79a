// What a session does about clients that send without an end, or read nothing.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "tests/exporter/support/tls_pair.h"

namespace winperf {
namespace {

using testing::context_of;
using testing::EndlessTransport;
using testing::PeerTransport;
using testing::TlsPair;
using testing::TlsPeer;

// Those that the library passes over: a warning (user_canceled), and a change of the cipher.
const std::string kWarning("\x15\x03\x03\x00\x02\x01\x5a", 7);
const std::string kCipherChange("\x14\x03\x03\x00\x01\x01", 6);
constexpr std::size_t kMostReceives = 100;  // of one call
constexpr std::size_t kMostGiven = 256 * 1024;

// The hello of the newest client, and then without an end what follows it.
class AfterHello final : public Transport {
 public:
  explicit AfterHello(TlsPeer& peer, const std::string& flood) : hello_(peer), flood_(flood) {}
  IoResult receive(std::span<char> buffer) override {
    const IoResult got = hello_.receive(buffer);
    return got.state == IoState::kMoved ? got : flood_.receive(buffer);
  }
  IoResult send(std::string_view bytes) override { return flood_.send(bytes); }
  EndlessTransport& flood() { return flood_; }

 private:
  PeerTransport hello_;
  EndlessTransport flood_;
};

TEST(TlsSession, OfAHandshakeInWhichNothingComes_ReturnsAndEnds) {
  for (const std::string& record : {kWarning, kCipherChange}) {
    TlsPeer peer({});
    peer.step();
    AfterHello transport(peer, record);
    TlsSession session(context_of());
    std::array<char, 100> buffer{};
    while (!session.failure() && transport.flood().given < 2 * kMostGiven) {
      const std::size_t before = transport.flood().receives;
      (void)session.read(transport, buffer);
      ASSERT_LT(transport.flood().receives - before, kMostReceives);
    }
    EXPECT_EQ(session.failure(), TlsFailure::kProtocol);
    EXPECT_LT(transport.flood().given, kMostGiven);
  }
}

TEST(TlsSession, OfAClientThatSendsNoRequest_ReturnsAndEnds) {
  TlsPair pair(context_of());
  ASSERT_TRUE(pair.connect());
  EndlessTransport transport(kCipherChange);
  IoResult got{.state = IoState::kLater};
  while (got.state == IoState::kLater) {
    const std::size_t before = transport.receives;
    std::array<char, 100> buffer{};
    got = pair.session.read(transport, buffer);
    ASSERT_LT(transport.receives - before, kMostReceives);
  }
  EXPECT_EQ(got.state, IoState::kBroken);
  EXPECT_LT(transport.given, kMostGiven);
}

TEST(TlsSession, OfAClientThatWarnsNowAndThen_GoesOn) {
  for (const bool knows_13 : {true, false}) {
    TlsPair pair(context_of(), {.knows_13 = knows_13});
    ASSERT_TRUE(pair.connect());
    for (std::size_t sent = 0; sent < 2 * kMostGiven; sent += 1024) {
      pair.peer.warn();
      pair.peer.send(std::string(1000, 'x'));
      EXPECT_EQ(pair.read().bytes, 1000U);
    }
  }
}

TEST(TlsSession, OfAClientThatReadsNothing_ReadsNothingEither) {
  TlsPair pair(context_of(), {.knows_13 = false});
  ASSERT_TRUE(pair.connect());
  for (int i = 0; i < 1000; ++i) pair.peer.renegotiate();
  pair.transport.room = 0;
  EXPECT_EQ(pair.read().state, IoState::kLater);
  EXPECT_TRUE(pair.session.has_unsent());
  const std::size_t waiting = pair.peer.to_server.size();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(pair.read().state, IoState::kLater);
  EXPECT_EQ(pair.peer.to_server.size(), waiting);
  // With room again, it goes on until it has had enough.
  pair.transport.room = SIZE_MAX;
  const std::size_t before = pair.transport.sent.size();
  while (pair.read().state == IoState::kLater && !pair.peer.to_server.empty()) {
  }
  EXPECT_EQ(pair.read().state, IoState::kBroken);
  EXPECT_LT(pair.transport.sent.size() - before, kMostGiven);
}

TEST(TlsSession, RefusesToNegotiateAnew) {
  TlsPair pair(context_of(), {.knows_13 = false});
  ASSERT_TRUE(pair.connect());
  const std::size_t before = pair.transport.sent.size();
  pair.peer.renegotiate();
  EXPECT_EQ(pair.read().state, IoState::kLater);
  EXPECT_GT(pair.transport.sent.size(), before) << "an alert";
  EXPECT_LT(pair.transport.sent.size(), before + 100) << "no certificate, no key";
}

}  // namespace
}  // namespace winperf
