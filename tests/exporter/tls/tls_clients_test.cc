// Whom an address lets in by a client's certificate, and what the others are told.
#include <gtest/gtest.h>

#include <string>

#include "tests/exporter/support/tls_pair.h"

namespace winperf {
namespace {

using testing::Certificate;
using testing::client_certificate;
using testing::context_of;
using testing::KeyPurpose;
using testing::signed_by;
using testing::signed_by_itself;
using testing::TlsPair;

// RFC 8446, section 6.2; over TLS 1.2, a handshake_failure says that a certificate is missing.
constexpr int kLetIn = -1;  // 0: refused without an alert
constexpr int kHandshakeFailure = 40;
constexpr int kBad = 42;
constexpr int kExpired = 45;
constexpr int kUnknown = 48;
constexpr int kRequired = 116;

// The alert that a client gets.
int alert_of(const std::shared_ptr<TlsContext>& context, const Certificate* shown, bool knows_13) {
  TlsPair pair(context, {.certificate = shown, .knows_13 = knows_13});
  if (pair.connect()) return kLetIn;
  EXPECT_EQ(pair.session.failure(), TlsFailure::kClientCertificate);
  EXPECT_EQ(pair.received, "");
  return pair.peer.alert();
}

struct ClientCase {
  ClientAuth auth;
  int none;  // what a client gets that shows none
  int unknown;
  int good;
  int expired;
  int of_server;  // that is for servers only
};

TEST(TlsSession, AsksClientsForWhatTheTypeSays) {
  const Certificate good = client_certificate({.purpose = KeyPurpose::kClients});
  const Certificate unknown = signed_by_itself({.name = "client", .dns_names = {"a"}});
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const Certificate expired = client_certificate({.until = now - std::chrono::hours(24)});
  const Certificate of_server = client_certificate({.purpose = KeyPurpose::kServers});
  for (const ClientCase& one :
       {ClientCase{ClientAuth::kNone, kLetIn, kLetIn, kLetIn, kLetIn, kLetIn},
        ClientCase{ClientAuth::kRequest, kLetIn, kLetIn, kLetIn, kLetIn, kLetIn},
        ClientCase{ClientAuth::kRequireAny, kRequired, kLetIn, kLetIn, kLetIn, kLetIn},
        ClientCase{ClientAuth::kVerifyIfGiven, kLetIn, kUnknown, kLetIn, kExpired, kBad},
        ClientCase{ClientAuth::kRequireAndVerify, kRequired, kUnknown, kLetIn, kExpired, kBad}}) {
    const auto context = context_of({.client_auth = one.auth});
    const int type = static_cast<int>(one.auth);
    for (const bool knows_13 : {true, false}) {
      const int none = one.none == kRequired && !knows_13 ? kHandshakeFailure : one.none;
      EXPECT_EQ(alert_of(context, nullptr, knows_13), none) << type << knows_13;
      EXPECT_EQ(alert_of(context, &unknown, knows_13), one.unknown) << type << knows_13;
      EXPECT_EQ(alert_of(context, &good, knows_13), one.good) << type << knows_13;
      EXPECT_EQ(alert_of(context, &expired, knows_13), one.expired) << type << knows_13;
      EXPECT_EQ(alert_of(context, &of_server, knows_13), one.of_server) << type << knows_13;
    }
  }
}

// What an authority between the root and the client may sign counts as well.
TEST(TlsSession, TakesNoClientOfAnAuthorityForServers) {
  const auto signed_between = [](KeyPurpose purpose) {
    const Certificate between =
        signed_by(testing::authority(), "authority",
                  {.name = "between", .is_authority = true, .purpose = purpose});
    Certificate client = signed_by(between, "between", {.name = "client"});
    client.pem += between.pem;
    return client;
  };
  const Certificate good = signed_between(KeyPurpose::kClients);
  const Certificate bad = signed_between(KeyPurpose::kServers);
  const auto context = context_of({.client_auth = ClientAuth::kRequireAndVerify});
  for (const bool knows_13 : {true, false}) {
    EXPECT_EQ(alert_of(context, &good, knows_13), kLetIn);
    EXPECT_EQ(alert_of(context, &bad, knows_13), kBad);
  }
}

// What is good for the exchange of keys says nothing about certificates.
TEST(TlsSession, TakesClientsWhateverTheCurvesOfKeyExchange) {
  const Certificate good = client_certificate();
  const auto context =
      context_of({.client_auth = ClientAuth::kRequireAndVerify, .curves = {Curve::kX25519}});
  for (const bool knows_13 : {true, false}) EXPECT_EQ(alert_of(context, &good, knows_13), kLetIn);
}

TEST(TlsSession, OverAnOldVersion_RefusesAClientBeforeItsHandshakeIsOver) {
  const Certificate unknown = signed_by_itself({.name = "client"});
  TlsPair pair(context_of({.client_auth = ClientAuth::kRequireAndVerify}),
               {.certificate = &unknown, .knows_13 = false});
  EXPECT_FALSE(pair.connect());
  EXPECT_FALSE(pair.peer.was_open());
}

struct NameCase {
  const char* allowed;
  const Certificate& shown;
  bool is_let_in;
};

TEST(TlsSession, TakesOnlyAllowedNamesOfClients) {
  const std::string v6("\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\1", 16);
  const Certificate dns = client_certificate();
  const Certificate address = client_certificate({.address = std::string("\x0a\0\0\1", 4)});
  const Certificate address6 = client_certificate({.address = v6});
  const Certificate mail = client_certificate({.mail = "ops@example.com"});
  const Certificate uri = client_certificate({.uri = "spiffe://example.com/prometheus"});
  const Certificate nameless = signed_by(testing::authority(), "authority", {.name = "client"});
  for (const NameCase& one :
       {NameCase{"prometheus.example.com", dns, true}, NameCase{"example.com", dns, false},
        NameCase{"*.example.com", dns, false}, NameCase{"10.0.0.1", address, true},
        NameCase{"10.0.0.2", address, false}, NameCase{"2001:db8::1", address6, true},
        NameCase{"2001:db8:0:0::1", address6, true}, NameCase{"2001:db8::2", address6, false},
        NameCase{"10.0.0.1", address6, false}, NameCase{"ops@example.com", mail, true},
        NameCase{"example.com", mail, false},
        NameCase{"spiffe://example.com/prometheus", uri, true},
        NameCase{"spiffe://example.com/", uri, false}, NameCase{"client", nameless, false}}) {
    const auto context = context_of({.client_auth = ClientAuth::kRequireAndVerify,
                                     .client_allowed_sans = {"another.example.com", one.allowed}});
    for (const bool knows_13 : {true, false})
      EXPECT_EQ(alert_of(context, &one.shown, knows_13), one.is_let_in ? kLetIn : kBad)
          << one.allowed;
  }
}

TEST(TlsSession, LooksAtNamesWithEachTypeThatAsks) {
  const Certificate good = client_certificate();
  const auto alert = [&](ClientAuth auth, const char* allowed, const Certificate* shown) {
    return alert_of(context_of({.client_auth = auth, .client_allowed_sans = {allowed}}), shown,
                    true);
  };
  EXPECT_EQ(alert(ClientAuth::kRequireAny, "example.com", &good), kBad);
  EXPECT_EQ(alert(ClientAuth::kRequireAny, "prometheus.example.com", &good), kLetIn);
  EXPECT_EQ(alert(ClientAuth::kRequest, "example.com", &good), kBad);
  EXPECT_EQ(alert(ClientAuth::kVerifyIfGiven, "example.com", nullptr), kLetIn);
}

}  // namespace
}  // namespace winperf
