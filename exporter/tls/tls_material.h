// The texts that a TLS configuration names. Thread rule: any thread.
#pragma once

#include <chrono>
#include <expected>
#include <span>
#include <string>
#include <vector>

#include "config/web_config.h"

namespace winperf {

// When certificates are valid, and what is to be said of it: a client that verifies them refuses
// the connection before and after, and nothing here would notice.
//
// Of the certificates that a server shows, each counts; of those that may sign clients' ones, the
// one that lasts longest, because one that has expired harms nobody while there is another.
// Thread rule: values. Source: RFC 5280, 4.1.2.5.
struct CertificateDates {
  std::string file;     // what messages call it
  std::string subject;  // for people, such as "CN=exporter"
  std::chrono::sys_seconds begins{};
  std::chrono::sys_seconds ends{};
  bool signs_clients = false;  // instead of being shown to them
  bool operator==(const CertificateDates&) const = default;
};

// Before this much is left, it is time for another one.
inline constexpr std::chrono::days kCertificateNotice{14};

// One sentence for each that has expired, will have soon, or isn't valid yet.
[[nodiscard]] std::vector<std::string> certificate_notices(
    std::span<const CertificateDates> certificates, std::chrono::sys_seconds now);

// PEM, not looked at yet, each with the name for errors: a file's, or a key of the configuration.
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

}  // namespace winperf
