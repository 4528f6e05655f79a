// Certificates for tests: of servers, clients, and of who signs them. Thread rule: any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace winperf::testing {

struct Certificate {
  std::string pem;
  std::string key;  // PEM
};

enum class KeyKind : std::uint8_t { kCurve, kRsa };
// What its extended key usage says that it is for.
enum class KeyPurpose : std::uint8_t { kAny, kClients, kServers };

struct CertificateOrder {
  std::string name = "localhost";
  std::vector<std::string> dns_names{};
  std::string address{};  // as it is on the wire: 4 or 16 bytes
  std::string mail{};
  std::string uri{};
  std::chrono::sys_seconds from{};   // a year before now if it is left out
  std::chrono::sys_seconds until{};  // a year from now
  bool is_authority = false;
  KeyKind kind = KeyKind::kCurve;
  KeyPurpose purpose = KeyPurpose::kAny;
};

// By itself, or by another one.
Certificate signed_by_itself(const CertificateOrder& order);
Certificate signed_by(const Certificate& authority, const std::string& authority_name,
                      const CertificateOrder& order);

}  // namespace winperf::testing
