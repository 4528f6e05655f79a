// The state shared by all TLS connections of one address: certificate and key, requirements for
// clients, versions, suites, and the keys of tickets with which sessions are resumed.
//
// Where clients are verified there are no tickets: a session that is resumed would not be verified
// again. Errors: a sentence that names the file or the key of the configuration, never its content.
// Thread rule: made by any thread, used by one at a time. The library is Mbed TLS (docs/adr/0017).
#pragma once

#include <chrono>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "config/web_config.h"

namespace winperf {

// The validity of certificates, and warnings about it: a client that verifies them refuses the
// connection outside of that time, which this program wouldn't notice.
//
// Of the certificates that a server shows, each counts; of those that may sign clients' ones, only
// the one that lasts longest, because an expired one does no harm while another is valid. Source:
// RFC 5280, 4.1.2.5.
struct CertificateDates {
  std::string file;     // what messages call it
  std::string subject;  // for people, such as "CN=exporter"
  std::chrono::sys_seconds begins{};
  std::chrono::sys_seconds ends{};
  bool signs_clients = false;  // instead of being shown to them
  bool operator==(const CertificateDates&) const = default;
};

// With less than this left, the certificate should be replaced.
inline constexpr std::chrono::days kCertificateNotice{14};

// One sentence for each that has expired, will have soon, or isn't valid yet.
[[nodiscard]] std::vector<std::string> certificate_notices(
    std::span<const CertificateDates> certificates, std::chrono::sys_seconds now);

// PEM, not parsed yet, each with its name for errors: a file, or a configuration key.
struct TlsText {
  std::string name{};
  std::string text{};
  bool operator==(const TlsText&) const = default;
};

struct TlsMaterial {
  TlsText certificate{};
  TlsText key{};
  TlsText client_ca{};  // its text is empty if there is none
  bool operator==(const TlsMaterial&) const = default;
};

// The error is a sentence that names the file. Files of more than 1 MiB are refused.
[[nodiscard]] std::expected<TlsMaterial, std::string> read_material(const TlsConfig& config);

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
