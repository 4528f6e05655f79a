// Handshakes and records of a server's session, with a client of the same library in memory.
#include "exporter/tls/tls_session.h"

#include <gtest/gtest.h>
#include <mbedtls/ssl.h>

#include <array>

#include "tests/exporter/support/tls_pair.h"

namespace winperf {
namespace {

using testing::authority;
using testing::context_of;
using testing::PeerTransport;
using testing::signed_by_itself;
using testing::TlsPair;
using testing::TlsPeer;

TEST(TlsSession, SpeaksBothVersions) {
  TlsPair newest(context_of());
  ASSERT_TRUE(newest.connect()) << newest.peer.error();
  EXPECT_EQ(newest.peer.version(), "TLSv1.3");
  TlsPair older(context_of(), {.knows_13 = false});
  ASSERT_TRUE(older.connect()) << older.peer.error();
  EXPECT_EQ(older.peer.version(), "TLSv1.2");
}

TEST(TlsSession, IsTrustedByWhoTrustsItsAuthority) {
  TlsPair pair(context_of(), {.trusted = authority().pem});
  EXPECT_TRUE(pair.connect()) << pair.peer.error();
  TlsPair other(context_of(),
                {.trusted = signed_by_itself({.name = "another"}).pem, .knows_13 = false});
  EXPECT_FALSE(other.connect());
  EXPECT_EQ(other.session.failure(), TlsFailure::kClientRefused);
}

TEST(TlsSession, MovesBytesBothWays) {
  TlsPair pair(context_of());
  ASSERT_TRUE(pair.connect());
  pair.peer.send("GET / HTTP/1.1\r\n\r\n");
  std::array<char, 100> buffer{};
  const IoResult got = pair.session.read(pair.transport, buffer);
  ASSERT_EQ(got.state, IoState::kMoved);
  EXPECT_EQ(std::string_view(buffer.data(), got.bytes), "GET / HTTP/1.1\r\n\r\n");
  const std::string answer(100'000, 'x');
  std::size_t sent = 0;
  while (sent < answer.size()) {
    const IoResult moved =
        pair.session.write(pair.transport, std::string_view(answer).substr(sent));
    ASSERT_EQ(moved.state, IoState::kMoved);
    ASSERT_LE(moved.bytes, 16384U) << "a record";
    sent += moved.bytes;
  }
  pair.peer.step();
  EXPECT_EQ(pair.peer.received(), answer);
}

// A byte at a time, each way.
TEST(TlsSession, NeedsNoMoreThanAByteAtATime) {
  TlsPair pair(context_of());
  pair.transport.most_at_once = 1;
  for (int i = 0; i < 20'000 && (!pair.peer.is_open() || pair.session.is_shaking_hands()); ++i) {
    pair.peer.step();
    std::array<char, 100> buffer{};
    ASSERT_NE(pair.session.read(pair.transport, buffer).state, IoState::kBroken);
  }
  EXPECT_TRUE(pair.peer.is_open());
}

TEST(TlsSession, ThatFindsNoRoomHasMovedNothing) {
  TlsPair pair(context_of());
  ASSERT_TRUE(pair.connect());
  pair.transport.room = 10;
  EXPECT_EQ(pair.session.write(pair.transport, "answer").state, IoState::kLater);
  EXPECT_TRUE(pair.session.has_unsent());
  EXPECT_EQ(pair.session.write(pair.transport, "answer").state, IoState::kLater);
  pair.transport.room = SIZE_MAX;
  const IoResult moved = pair.session.write(pair.transport, "answer");
  EXPECT_EQ(moved.state, IoState::kMoved);
  EXPECT_EQ(moved.bytes, 6U);
  pair.peer.step();
  EXPECT_EQ(pair.peer.received(), "answer");
}

TEST(TlsSession, SendsWhatMayComeLaterBeforeTheNext) {
  TlsPair pair(context_of());
  ASSERT_TRUE(pair.connect());
  pair.transport.room = 0;
  pair.session.write_later("interim ");
  ASSERT_TRUE(pair.session.flush(pair.transport));
  EXPECT_EQ(pair.session.write(pair.transport, "answer").state, IoState::kLater);
  pair.transport.room = SIZE_MAX;
  EXPECT_EQ(pair.session.write(pair.transport, "answer").bytes, 6U);
  pair.peer.step();
  EXPECT_EQ(pair.peer.received(), "interim answer");
}

TEST(TlsSession, TellsItsEnd) {
  TlsPair pair(context_of());
  ASSERT_TRUE(pair.connect());
  pair.session.finish();
  ASSERT_TRUE(pair.session.flush(pair.transport));
  pair.peer.step();
  EXPECT_EQ(pair.peer.error(), MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY);
}

TEST(TlsSession, OfVersionsThatAreNotWantedFails) {
  TlsPair old(context_of({.min_version = TlsVersion::k13}), {.knows_13 = false});
  EXPECT_FALSE(old.connect());
  EXPECT_EQ(old.session.failure(), TlsFailure::kVersion);
  TlsPair new_only(context_of({.max_version = TlsVersion::k12}), {.knows_12 = false});
  EXPECT_FALSE(new_only.connect());
  EXPECT_TRUE(new_only.session.failure());
}

TEST(TlsSession, OfPlainHttpSaysSo) {
  TlsPeer peer({});
  PeerTransport transport(peer);
  TlsSession session(context_of());
  peer.to_server = "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n";
  std::array<char, 100> buffer{};
  EXPECT_EQ(session.read(transport, buffer).state, IoState::kBroken);
  EXPECT_EQ(session.failure(), TlsFailure::kPlainHttp);
  EXPECT_EQ(peer.from_server, "");
}

TEST(TlsSession, OfGarbageFailsWithAnAlert) {
  for (const std::string& garbage :
       {std::string("\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00", 10), std::string(100, '\0'),
        std::string("\x16\x03\x01\xFF\xFF", 5) + std::string(70'000, 'a'),
        std::string("\x15\x03\x03\x00\x02\x02\x28", 7)}) {
    TlsPeer peer({});
    PeerTransport transport(peer);
    TlsSession session(context_of());
    peer.to_server = garbage;
    std::array<char, 100> buffer{};
    EXPECT_EQ(session.read(transport, buffer).state, IoState::kBroken);
    EXPECT_TRUE(session.failure());
    EXPECT_EQ(session.read(transport, buffer).state, IoState::kBroken) << "it stays so";
  }
}

TEST(TlsSession, OfAClientThatGoesFails) {
  TlsPeer peer({});
  PeerTransport transport(peer);
  TlsSession session(context_of());
  peer.step();
  peer.to_server.resize(20);
  std::array<char, 100> buffer{};
  EXPECT_EQ(session.read(transport, buffer).state, IoState::kLater);
  transport.has_ended = true;
  EXPECT_EQ(session.read(transport, buffer).state, IoState::kBroken);
  EXPECT_EQ(session.failure(), TlsFailure::kGone);
}

// How many bytes the server sends: its certificate isn't among them if a session is resumed.
std::size_t bytes_of_handshake(const std::shared_ptr<TlsContext>& context,
                               std::shared_ptr<void>& session) {
  TlsPair pair(context);
  if (session != nullptr) pair.peer.resume(session);
  std::size_t bytes = 0;
  for (int i = 0; i < 50; ++i) {
    pair.peer.step();
    std::array<char, 100> buffer{};
    (void)pair.session.read(pair.transport, buffer);
    bytes += pair.peer.from_server.size();
  }
  EXPECT_TRUE(pair.peer.is_open());
  session = pair.peer.session();
  return bytes;
}

TEST(TlsSession, IsResumedUnlessClientsAreVerified) {
  const auto context = context_of();
  std::shared_ptr<void> session;
  const std::size_t whole = bytes_of_handshake(context, session);
  ASSERT_NE(session, nullptr);
  // Signatures differ by a few bytes.
  EXPECT_LT(bytes_of_handshake(context, session) + 100, whole);
  EXPECT_GT(bytes_of_handshake(context_of(), session) + 100, whole) << "another context";
  std::shared_ptr<void> none;
  bytes_of_handshake(context_of({.client_auth = ClientAuth::kVerifyIfGiven}), none);
  EXPECT_EQ(none, nullptr);
}

}  // namespace
}  // namespace winperf
