// The texts that a TLS configuration names. Thread rule: any thread.
#pragma once

#include <expected>
#include <string>

#include "config/web_config.h"

namespace winperf {

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
