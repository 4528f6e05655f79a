// What a front does with clients of TLS. No test depends on how long anything takes: where a limit
// is a time, it is either over at once or never.
#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <thread>

#include "tests/exporter/support/front_fixture.h"
#include "tests/exporter/support/tls_connection.h"
#include "tests/exporter/support/tls_pair.h"

namespace winperf {
namespace {

using testing::context_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kAtOnce;
using testing::kDone;
using testing::kGet;
using testing::kHold;
using testing::kNever;
using testing::RawConnection;
using testing::TlsConnection;

const std::string kCipherChange("\x14\x03\x03\x00\x01\x01", 6);

class FrontTlsTest : public testing::FrontTest {
 protected:
  FrontTlsTest() { tls_ = context_of(); }

  std::unique_ptr<TlsConnection> connected(const testing::PeerOptions& options = {}) {
    auto connection = std::make_unique<TlsConnection>(port_, options);
    EXPECT_TRUE(connection->connect());
    return connection;
  }
  std::unique_ptr<TlsConnection> asking(const std::string& request) {
    auto connection = connected();
    connection->send(request);
    return connection;
  }
  void wait_for_connections(std::size_t count) {
    while (front_->counts().connections < count) std::this_thread::yield();
  }
};

TEST_F(FrontTlsTest, ARequest_IsAnswered) {
  start();
  for (const bool knows_13 : {true, false}) {
    const auto connection = connected({.knows_13 = knows_13});
    for (int i = 0; i < 2; ++i) {
      connection->send(kGet);
      EXPECT_THAT(connection->receive_until(kDone), HasSubstr(kDone));
    }
  }
  EXPECT_THAT(observer_.failures(0), ElementsAre());
}

TEST_F(FrontTlsTest, AnAddressOfHttps_IsAnswered) {
  start();
  EXPECT_THAT(asking("GET https://exporter/now HTTP/1.1\r\nHost: x\r\n\r\n")->receive_until(kDone),
              HasSubstr(kDone));
}

TEST_F(FrontTlsTest, ALongAnswer_Arrives) {
  start();
  EXPECT_THAT(asking(testing::kLong)->receive_until(kDone), ::testing::EndsWith(kDone));
}

TEST_F(FrontTlsTest, AHandshakeThatDoesNotGoOn_FailsAfterItsTime) {
  options_.connection.request_time = kAtOnce;
  start();
  EXPECT_EQ(RawConnection(port_).receive_all(), "");
  EXPECT_THAT(observer_.failures(1), ElementsAre("timeout"));
  EXPECT_THAT(shed(), ElementsAre());
}

TEST_F(FrontTlsTest, AClientThatFloodsItsHandshake_IsCutOff) {
  start();
  const auto served = asking(kGet);
  EXPECT_THAT(served->receive_until(kDone), HasSubstr(kDone));
  RawConnection flooding(port_);
  std::string flood;
  while (flood.size() < 256 * 1024) flood += kCipherChange;
  flooding.send(flood);
  flooding.receive_all();
  EXPECT_THAT(observer_.failures(1), ElementsAre("protocol"));
}

TEST_F(FrontTlsTest, Stopped_EndsAlthoughClientsFloodIt) {
  start();
  std::string flood;
  while (flood.size() < 32 * 1024) flood += kCipherChange;
  std::jthread flooding([&] {
    try {
      while (true) RawConnection(port_).send(flood);
    } catch (const std::exception&) {  // nobody listens any more
    }
  });
  wait_for_connections(1);
  front_->stop(kAtOnce);
  EXPECT_EQ(front_->counts().connections, 0U);
}

TEST_F(FrontTlsTest, PlainHttp_IsToldSo) {
  start();
  EXPECT_EQ(sending(kGet)->receive_all(), "HTTP/1.1 400\r\n\r\n");
  EXPECT_THAT(observer_.failures(1), ElementsAre("plain_http"));
}

TEST_F(FrontTlsTest, AClientThatIsRefused_IsToldAlthoughItHasAsked) {
  constexpr int kCertificateRequired = 116;
  tls_ = context_of({.client_auth = ClientAuth::kRequireAndVerify});
  start();
  const auto connection = asking(kGet);
  EXPECT_EQ(connection->receive_all(), "");
  EXPECT_EQ(connection->peer.alert(), kCertificateRequired);
  EXPECT_THAT(observer_.failures(1), ElementsAre("client_certificate"));
}

TEST_F(FrontTlsTest, AnIdleConnection_EndsWithAGoodbye) {
  options_.connection.keep_alive_time = kAtOnce;
  start();
  const auto connection = asking(kGet);
  EXPECT_THAT(connection->receive_all(), ::testing::EndsWith(kDone));
  EXPECT_TRUE(connection->has_goodbye());
}

TEST_F(FrontTlsTest, AClientThatHalfCloses_GetsItsAnswerAndAGoodbye) {
  start();
  const auto connection = asking(kHold);
  answers_.wait_for(1);
  connection->peer.finish();
  connection->flush();
  connection->raw.finish_sending();
  answers_.let_go();
  EXPECT_THAT(connection->receive_all(), ::testing::EndsWith(kDone));
  EXPECT_TRUE(connection->has_goodbye());
}

TEST_F(FrontTlsTest, OtherCertificates_CutOffHandshakesAndIdleConnections) {
  start();
  const auto half = sending("\x16\x03");
  const auto idle = asking(kGet);
  EXPECT_THAT(idle->receive_until(kDone), HasSubstr(kDone));
  wait_for_connections(2);
  front_->change_tls(context_of());
  EXPECT_EQ(half->receive_all(), "");
  EXPECT_THAT(idle->receive_all(), ::testing::EndsWith(kDone));
  EXPECT_TRUE(idle->has_goodbye());
  EXPECT_THAT(asking(kGet)->receive_until(kDone), HasSubstr(kDone));
}

TEST_F(FrontTlsTest, OtherCertificates_LeaveAnAnswerThatIsUnderWay) {
  start();
  const auto held = asking(kHold);
  answers_.wait_for(1);
  front_->change_tls(nullptr);
  EXPECT_THAT(sending(kGet)->receive_until(kDone), HasSubstr(kDone)) << "plain from now on";
  answers_.let_go();
  EXPECT_THAT(held->receive_all(), ::testing::EndsWith(kDone));
  EXPECT_TRUE(held->has_goodbye());
}

TEST_F(FrontTlsTest, AClientForWhomThereIsNoRoom_IsClosed) {
  options_.connections = 1;
  start();
  const auto held = asking(kHold);
  answers_.wait_for(1);
  EXPECT_EQ(RawConnection(port_).receive_all(), "");
  EXPECT_THAT(shed(), ElementsAre("no_room"));
  answers_.let_go();
  EXPECT_THAT(held->receive_until(kDone), HasSubstr(kDone));
}

TEST_F(FrontTlsTest, AHandshake_MakesRoomForANewClient) {
  options_.connections = 1;
  start();
  const auto half = sending("\x16\x03");
  wait_for_connections(1);
  EXPECT_THAT(asking(kGet)->receive_until(kDone), HasSubstr(kDone));
  EXPECT_EQ(half->receive_all(), "");
  EXPECT_THAT(shed(), ElementsAre("connections"));
}

// A session that can't be made is as one for which memory is missing.
TEST_F(FrontTlsTest, AClientForWhomThereIsNoMemory_IsClosedAlone) {
  tls_ = context_of({.min_version = TlsVersion::k13, .max_version = TlsVersion::k12});
  start();
  EXPECT_EQ(RawConnection(port_).receive_all(), "");
  front_->change_tls(context_of());
  // A client that comes before the front knows has the same fate.
  for (bool is_answered = false; !is_answered;) {
    TlsConnection connection(port_);
    if (!connection.connect()) continue;
    connection.send(kGet);
    EXPECT_THAT(connection.receive_until(kDone), HasSubstr(kDone));
    is_answered = true;
  }
}

}  // namespace
}  // namespace winperf
