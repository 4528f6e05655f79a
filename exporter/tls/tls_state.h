// The library's part of a TlsContext, for the files of this folder.
#pragma once

#include <mbedtls/ctr_drbg.h>
#include <mbedtls/entropy.h>
#include <mbedtls/pk.h>
#include <mbedtls/ssl.h>
#include <mbedtls/ssl_ticket.h>
#include <mbedtls/x509_crt.h>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "config/web_config.h"
#include "exporter/tls/tls_context.h"

namespace winperf {

// State shared by all users of the TLS library in this process. Thread rule: any thread.

// The library keeps keys of TLS 1.3 handshakes in one table without a lock. Each step of a
// handshake, and abandoning one, holds this one.
std::mutex& handshake_mutex();

// Makes the library usable, once. False if the system gives it no randomness.
[[nodiscard]] bool begin_tls();

// The library's text for one of its codes.
std::string tls_error_text(int code);

// Whether a client's certificate is good enough for an address, as Go's crypto/tls judges. Input is
// not trusted: the library has parsed the certificate.
//
// A type that verifies requires a chain to one of the authorities, in which each certificate may be
// used for clients. The others check only presence. Names are checked with each type that requests
// a certificate. Thread rule: any thread. Source: exporter-toolkit, client_auth_type and
// client_allowed_sans; RFC 5280, sections 4.2.1.6 and 4.2.1.12; RFC 8446, section 6.2 (alerts).

// The number of the alert that a refused client gets.
using TlsAlert = std::uint8_t;

class ClientCertificates;

// The result of verifying a client's certificate.
struct ShownCertificate {
  const ClientCertificates* wanted = nullptr;
  // The library's MBEDTLS_X509_BADCERT_*, of the whole chain. Nothing until it has been verified.
  std::optional<std::uint32_t> flaws{};
};

class ClientCertificates {
 public:
  ClientCertificates() = default;
  ClientCertificates(ClientAuth auth, std::vector<std::string> allowed_sans)
      : auth_(auth), allowed_sans_(std::move(allowed_sans)) {}

  // For mbedtls_ssl_set_verify(), with a ShownCertificate as its first argument: notes the flaws,
  // and lets the library continue.
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

// One of the library's structures, which begins and ends with these calls.
template <class Struct, void (*kBegin)(Struct*), void (*kEnd)(Struct*)>
struct Owned : Struct {
  Owned() : Struct{} { kBegin(this); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { kEnd(this); }
};
using OwnedEntropy = Owned<mbedtls_entropy_context, mbedtls_entropy_init, mbedtls_entropy_free>;
using OwnedRandom = Owned<mbedtls_ctr_drbg_context, mbedtls_ctr_drbg_init, mbedtls_ctr_drbg_free>;
using OwnedKey = Owned<mbedtls_pk_context, mbedtls_pk_init, mbedtls_pk_free>;
using OwnedCertificates = Owned<mbedtls_x509_crt, mbedtls_x509_crt_init, mbedtls_x509_crt_free>;

struct TlsContext::State {
  OwnedEntropy entropy;
  OwnedRandom random;
  OwnedCertificates chain;
  OwnedKey key;
  OwnedCertificates client_ca;
  Owned<mbedtls_ssl_ticket_context, mbedtls_ssl_ticket_init, mbedtls_ssl_ticket_free> tickets;
  // The config points to them.
  std::vector<int> suites{};
  std::vector<std::uint16_t> groups{};
  ClientCertificates clients{};
  Owned<mbedtls_ssl_config, mbedtls_ssl_config_init, mbedtls_ssl_config_free> config;
};

}  // namespace winperf
