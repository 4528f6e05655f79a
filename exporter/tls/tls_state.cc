#include "exporter/tls/tls_state.h"

#include <mbedtls/asn1.h>
#include <mbedtls/error.h>
#include <mbedtls/oid.h>
#include <mbedtls/ssl.h>
#include <psa/crypto.h>
#include <algorithm>
#include <array>
#include <string_view>

namespace winperf {

std::mutex& handshake_mutex() {
  static std::mutex mutex;
  return mutex;
}

bool begin_tls() {
  static const bool begun = [] {
    const std::lock_guard lock(handshake_mutex());
    return psa_crypto_init() == PSA_SUCCESS;
  }();
  return begun;
}

std::string tls_error_text(int code) {
  std::array<char, 200> text{};
  mbedtls_strerror(code, text.data(), text.size());
  return text.data();
}

namespace {

// The tags of GeneralName.
constexpr int kMail = 1;
constexpr int kDnsName = 2;
constexpr int kUri = 6;
constexpr int kAddress = 7;

// The library never sets it by itself.
constexpr std::uint32_t kWrongName = MBEDTLS_X509_BADCERT_OTHER;

bool is_same(const mbedtls_x509_sequence& san, const std::string& allowed) {
  const std::string_view value(reinterpret_cast<const char*>(san.buf.p), san.buf.len);
  switch (san.buf.tag & MBEDTLS_ASN1_TAG_VALUE_MASK) {
    case kMail:
    case kDnsName:
    case kUri:
      return value == allowed;
    case kAddress: {
      std::array<char, 16> address{};
      const std::size_t bytes =
          mbedtls_x509_crt_parse_cn_inet_pton(allowed.c_str(), address.data());
      return bytes != 0 && value == std::string_view(address.data(), bytes);
    }
    default:
      return false;
  }
}

}  // namespace

bool ClientCertificates::has_allowed_san(const mbedtls_x509_crt& certificate) const {
  if (!mbedtls_x509_crt_has_ext_type(&certificate, MBEDTLS_X509_EXT_SUBJECT_ALT_NAME)) return false;
  for (const mbedtls_x509_sequence* san = &certificate.subject_alt_names; san != nullptr;
       san = san->next)
    if (std::ranges::any_of(allowed_sans_,
                            [&](const std::string& allowed) { return is_same(*san, allowed); }))
      return true;
  return false;
}

// The library calls it for each certificate of the chain, the client's own one last.
int ClientCertificates::note(void* shown, mbedtls_x509_crt* certificate, int depth,
                             std::uint32_t* flags) {
  auto& self = *static_cast<ShownCertificate*>(shown);
  const ClientCertificates& wanted = *self.wanted;
  std::uint32_t flaws = *flags;
  if (mbedtls_x509_crt_check_extended_key_usage(certificate, MBEDTLS_OID_CLIENT_AUTH,
                                                MBEDTLS_OID_SIZE(MBEDTLS_OID_CLIENT_AUTH)) != 0)
    flaws |= MBEDTLS_X509_BADCERT_EXT_KEY_USAGE;
  const bool is_own = depth == 0;
  if (is_own && !wanted.allowed_sans_.empty() && !wanted.has_allowed_san(*certificate))
    flaws |= kWrongName;
  self.flaws = self.flaws.value_or(0) | flaws;
  return 0;
}

std::optional<TlsAlert> ClientCertificates::refusal_of(const ShownCertificate& shown) const {
  if (!shown.flaws) return TlsAlert{MBEDTLS_SSL_ALERT_MSG_BAD_CERT};
  const std::uint32_t flaws = verifies() ? *shown.flaws : *shown.flaws & kWrongName;
  if (flaws == 0) return std::nullopt;
  if ((flaws & (MBEDTLS_X509_BADCERT_EXPIRED | MBEDTLS_X509_BADCERT_FUTURE)) != 0)
    return TlsAlert{MBEDTLS_SSL_ALERT_MSG_CERT_EXPIRED};
  if ((flaws & MBEDTLS_X509_BADCERT_NOT_TRUSTED) != 0)
    return TlsAlert{MBEDTLS_SSL_ALERT_MSG_UNKNOWN_CA};
  return TlsAlert{MBEDTLS_SSL_ALERT_MSG_BAD_CERT};
}

}  // namespace winperf
