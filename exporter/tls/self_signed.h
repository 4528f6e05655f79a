// A certificate for a server that nobody but itself signs: clients are given it to trust. Thread
// rule: any thread.
// Source: RFC 5280.
#pragma once

#include <chrono>
#include <expected>
#include <string>
#include <vector>

namespace winperf {

struct CertificateWish {
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
    const CertificateWish& wish, std::chrono::sys_seconds now);

}  // namespace winperf
