// Whether a client's certificate is good enough for an address, as Go's crypto/tls judges. Input is
// not trusted: the library has parsed the certificate.
//
// A type that verifies wants a chain to one of the authorities, in which each certificate may be
// used for clients. The others look at nothing but presence. Names are looked at with each type
// that asks for a certificate. Thread rule: any thread. Source: exporter-toolkit, client_auth_type
// and client_allowed_sans; RFC 5280, sections 4.2.1.6 and 4.2.1.12; RFC 8446, section 6.2 (alerts).
#pragma once

#include <mbedtls/x509_crt.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/web_config.h"

namespace winperf {

// The number with which a refused client is told why.
using TlsAlert = std::uint8_t;

class ClientCertificates;

// What is known of the certificate that a client has shown.
struct ShownCertificate {
  const ClientCertificates* wanted = nullptr;
  // The library's MBEDTLS_X509_BADCERT_*, of the whole chain. Nothing until it has been looked at.
  std::optional<std::uint32_t> flaws{};
};

class ClientCertificates {
 public:
  ClientCertificates() = default;
  ClientCertificates(ClientAuth auth, std::vector<std::string> allowed_sans)
      : auth_(auth), allowed_sans_(std::move(allowed_sans)) {}

  // For mbedtls_ssl_set_verify(), with a ShownCertificate as its first argument: notes the flaws,
  // and lets the library go on.
  static int note(void* shown, mbedtls_x509_crt* certificate, int depth, std::uint32_t* flags);

  // Nothing: it is let in.
  std::optional<TlsAlert> refusal_of(const ShownCertificate& shown) const;
  bool wants_one() const {
    return auth_ == ClientAuth::kRequireAny || auth_ == ClientAuth::kRequireAndVerify;
  }

 private:
  bool verifies() const {
    return auth_ == ClientAuth::kVerifyIfGiven || auth_ == ClientAuth::kRequireAndVerify;
  }
  bool has_allowed_san(const mbedtls_x509_crt& certificate) const;

  ClientAuth auth_ = ClientAuth::kNone;
  std::vector<std::string> allowed_sans_;
};

}  // namespace winperf
