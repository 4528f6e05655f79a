// A self-signed server certificate, which clients have to be given to trust it. Thread rule: any
// thread. Source: RFC 5280.
#pragma once

#include <chrono>
#include <expected>
#include <string>
#include <vector>

namespace winperf {

struct CertificateOptions {
  std::vector<std::string>
      hosts;       // names and addresses of the server; the first one is its subject
  int days = 365;  // from now
};

struct CertificatePair {
  std::string certificate;  // PEM
  std::string key;          // the same, secret
};

inline constexpr int kMostCertificateDays = 3650;

// For TLS 1.2 and 1.3, with a new key on the curve P-256. It is valid from an hour before `now`,
// because clocks differ. The error is a sentence.
[[nodiscard]] std::expected<CertificatePair, std::string> make_self_signed(
    const CertificateOptions& options, std::chrono::sys_seconds now);

}  // namespace winperf
