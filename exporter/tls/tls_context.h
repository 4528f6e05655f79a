// What the TLS connections of one address have in common: certificate and key, what clients have to
// show, versions, suites, and the keys of tickets with which sessions are resumed.
//
// Where clients are verified there are no tickets: a session that is resumed would not be verified
// again. Errors: a sentence that names the file or the key of the configuration, never its content.
// Thread rule: made by any thread, used by one at a time. The library is Mbed TLS (docs/adr/0017).
#pragma once

#include <chrono>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "config/web_config.h"
#include "exporter/tls/tls_material.h"

namespace winperf {

class TlsContext {
 public:
  struct State;  // the library's

  [[nodiscard]] static std::expected<std::shared_ptr<TlsContext>, std::string> make(
      const TlsConfig& config, const TlsMaterial& material);
  TlsContext(std::unique_ptr<State> state, const TlsMaterial& material);
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;
  ~TlsContext();

  State& state() { return *state_; }
  // Those that it shows, in their order, and those that may sign clients' ones.
  const std::vector<CertificateDates>& certificates() const { return certificates_; }
  // When the first of those that it shows expires, and when the last of them begins to be valid.
  std::chrono::sys_seconds expires() const;
  std::chrono::sys_seconds begins() const;

 private:
  const std::unique_ptr<State> state_;
  const std::vector<CertificateDates> certificates_;
};

}  // namespace winperf
