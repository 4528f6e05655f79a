// The two files that "config self-signed" writes, and the names that a machine has by itself.
// Thread rule: one thread per file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "exporter/tls/self_signed.h"

namespace winperf {

struct CertificateFiles {
  std::string certificate;
  std::string key;
};

// Both or neither: a failure leaves what was there. Nobody but its owner and administrators can
// read the key. Existing files are replaced if `force`, and anything but regular files never is.
// The error is a sentence.
[[nodiscard]] std::optional<std::string> write_certificate(const CertificateFiles& files,
                                                           const CertificatePair& pair, bool force);

// Those of the names that a certificate can have: a name of Windows may have other letters.
std::vector<std::string> usable_hosts(const std::vector<std::string>& names);

}  // namespace winperf
