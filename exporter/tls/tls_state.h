// The library's part of a TlsContext, for the files of this folder.
#pragma once

#include <mbedtls/ctr_drbg.h>
#include <mbedtls/entropy.h>
#include <mbedtls/pk.h>
#include <mbedtls/ssl.h>
#include <mbedtls/ssl_ticket.h>
#include <mbedtls/x509_crt.h>

#include <cstdint>
#include <vector>

#include "exporter/tls/client_certificates.h"
#include "exporter/tls/tls_context.h"

namespace winperf {

struct TlsContext::State {
  State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();

  mbedtls_entropy_context entropy{};
  mbedtls_ctr_drbg_context random{};
  mbedtls_x509_crt chain{};
  mbedtls_pk_context key{};
  mbedtls_x509_crt client_ca{};
  mbedtls_ssl_ticket_context tickets{};
  mbedtls_ssl_config config{};
  // The config points to them.
  std::vector<int> suites{};
  std::vector<std::uint16_t> groups{};
  ClientCertificates clients{};
};

}  // namespace winperf
