// Which suites and curves a session chooses.
#include <gtest/gtest.h>
#include <mbedtls/ssl.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/exporter/support/tls_pair.h"

namespace winperf {
namespace {

using testing::context_of;
using testing::KeyKind;
using testing::TlsPair;

constexpr CipherSuite kCurveSuites[] = {
    CipherSuite::kEcdsaAes128CbcSha, CipherSuite::kEcdsaAes256CbcSha, CipherSuite::kEcdsaAes128Gcm,
    CipherSuite::kEcdsaAes256Gcm, CipherSuite::kEcdsaChacha20};
constexpr CipherSuite kRsaSuites[] = {
    CipherSuite::kRsaAes128CbcSha,      CipherSuite::kRsaAes256CbcSha,
    CipherSuite::kRsaAes128Gcm,         CipherSuite::kRsaAes256Gcm,
    CipherSuite::kEcdheRsaAes128CbcSha, CipherSuite::kEcdheRsaAes256CbcSha,
    CipherSuite::kEcdheRsaAes128Gcm,    CipherSuite::kEcdheRsaAes256Gcm,
    CipherSuite::kEcdheRsaChacha20};

// The name of the suite that both sides agree on.
std::string chosen(std::vector<CipherSuite> wanted, KeyKind kind, std::vector<int> known = {}) {
  TlsPair pair(
      context_of({.max_version = TlsVersion::k12, .cipher_suites = std::move(wanted)}, kind),
      {.suites = std::move(known)});
  return pair.connect() ? pair.peer.suite() : "none";
}

std::string name_of(CipherSuite suite) {
  return mbedtls_ssl_get_ciphersuite_name(std::to_underlying(suite));
}

TEST(TlsSession, SpeaksEachSuite) {
  for (const CipherSuite suite : kCurveSuites)
    EXPECT_EQ(chosen({suite}, KeyKind::kCurve), name_of(suite));
  for (const CipherSuite suite : kRsaSuites)
    EXPECT_EQ(chosen({suite}, KeyKind::kRsa), name_of(suite));
  for (const CipherSuite suite :
       {CipherSuite::kAes128Gcm, CipherSuite::kAes256Gcm, CipherSuite::kChacha20}) {
    TlsPair pair(context_of(), {.suites = {std::to_underlying(suite)}});
    ASSERT_TRUE(pair.connect()) << name_of(suite);
    EXPECT_EQ(pair.peer.suite(), name_of(suite));
  }
}

// In the order of their numbers, as the configuration has them, the oldest would come first.
TEST(TlsSession, PrefersTheStrongestOfItsSuites) {
  std::vector<CipherSuite> suites(std::begin(kRsaSuites), std::end(kRsaSuites));
  const std::vector<int> clients_order = {std::to_underlying(CipherSuite::kRsaAes128CbcSha),
                                          std::to_underlying(CipherSuite::kRsaAes256CbcSha),
                                          std::to_underlying(CipherSuite::kEcdheRsaAes256CbcSha),
                                          std::to_underlying(CipherSuite::kEcdheRsaAes128CbcSha),
                                          std::to_underlying(CipherSuite::kRsaAes256Gcm),
                                          std::to_underlying(CipherSuite::kRsaAes128Gcm),
                                          std::to_underlying(CipherSuite::kEcdheRsaChacha20),
                                          std::to_underlying(CipherSuite::kEcdheRsaAes256Gcm),
                                          std::to_underlying(CipherSuite::kEcdheRsaAes128Gcm)};
  for (const CipherSuite strongest :
       {CipherSuite::kEcdheRsaAes128Gcm, CipherSuite::kEcdheRsaAes256Gcm,
        CipherSuite::kEcdheRsaChacha20, CipherSuite::kEcdheRsaAes128CbcSha,
        CipherSuite::kEcdheRsaAes256CbcSha, CipherSuite::kRsaAes128Gcm, CipherSuite::kRsaAes256Gcm,
        CipherSuite::kRsaAes128CbcSha, CipherSuite::kRsaAes256CbcSha}) {
    EXPECT_EQ(chosen(suites, KeyKind::kRsa, clients_order), name_of(strongest));
    std::erase(suites, strongest);
  }
}

TEST(TlsSession, HasNoSuiteWithoutForwardSecrecyUnlessItIsNamed) {
  EXPECT_EQ(chosen({}, KeyKind::kRsa), name_of(CipherSuite::kEcdheRsaAes128Gcm));
  EXPECT_EQ(chosen({}, KeyKind::kRsa, {std::to_underlying(CipherSuite::kRsaAes128Gcm)}), "none");
}

TEST(TlsSession, PrefersItsOwnSuitesUnlessTheClientsCount) {
  const std::vector<int> clients_order = {0xCCA9, 0xC02B};
  TlsPair own(context_of({.max_version = TlsVersion::k12}), {.suites = clients_order});
  ASSERT_TRUE(own.connect());
  EXPECT_EQ(own.peer.suite(), "TLS-ECDHE-ECDSA-WITH-AES-128-GCM-SHA256");
  TlsPair its(context_of({.max_version = TlsVersion::k12, .prefers_own_suites = false}),
              {.suites = clients_order});
  ASSERT_TRUE(its.connect());
  EXPECT_EQ(its.peer.suite(), "TLS-ECDHE-ECDSA-WITH-CHACHA20-POLY1305-SHA256");
}

TEST(TlsSession, ChoosesTheSuitesAndCurvesThatAreWanted) {
  const auto context = context_of({.max_version = TlsVersion::k12,
                                   .cipher_suites = {CipherSuite::kEcdsaAes256Gcm},
                                   .curves = {Curve::kP521}});
  TlsPair pair(context);
  ASSERT_TRUE(pair.connect());
  EXPECT_EQ(pair.peer.suite(), "TLS-ECDHE-ECDSA-WITH-AES-256-GCM-SHA384");
  EXPECT_FALSE(TlsPair(context, {.suites = {0xC02B}}).connect());
  EXPECT_FALSE(TlsPair(context, {.groups = {29, 23}}).connect());
  TlsPair newest(context_of({.cipher_suites = {CipherSuite::kEcdsaAes256Gcm}}));
  ASSERT_TRUE(newest.connect());
  EXPECT_EQ(newest.peer.version(), "TLSv1.3") << "whose suites are always there";
}

// The curve in the ServerKeyExchange of a handshake over TLS 1.2: RFC 8422, section 5.4.
Curve curve_in(const std::string& sent) {
  constexpr std::size_t kRecordHead = 5;
  constexpr std::size_t kMessageHead = 4;
  for (std::size_t at = 0; at + kRecordHead + kMessageHead + 3 <= sent.size();) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(sent[at + i]); };
    const std::size_t body = kRecordHead + kMessageHead;
    if (byte(0) == 22 && byte(kRecordHead) == 12 && byte(body) == 3)
      return static_cast<Curve>(byte(body + 1) * 256 + byte(body + 2));
    at += kRecordHead + byte(3) * 256U + byte(4);
  }
  return Curve{};
}

TEST(TlsSession, PrefersTheBestOfItsCurves) {
  // As the configuration has them: in the order of their numbers.
  std::vector<Curve> curves = {Curve::kP256, Curve::kP384, Curve::kP521, Curve::kX25519};
  for (const Curve best : {Curve::kX25519, Curve::kP256, Curve::kP384, Curve::kP521}) {
    TlsPair pair(context_of({.max_version = TlsVersion::k12, .curves = curves}),
                 {.groups = {25, 24, 23, 29}});
    ASSERT_TRUE(pair.connect());
    EXPECT_EQ(curve_in(pair.transport.sent), best);
    std::erase(curves, best);
  }
}

}  // namespace
}  // namespace winperf
