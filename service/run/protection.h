// Turns an address's web configuration into its server's settings. Reads certificates and keys.
// Thread rule: any thread.
#pragma once

#include <chrono>
#include <expected>
#include <optional>
#include <string>

#include "config/config.h"
#include "config/web_config.h"
#include "exporter/http/http_server.h"
#include "exporter/tls/tls_context.h"

namespace winperf {

// A configuration with the content of its files: equal ones protect the same way.
struct LoadedWeb {
  WebConfig config{};
  TlsMaterial material{};
  bool operator==(const LoadedWeb&) const = default;
};

// The error is a sentence.
[[nodiscard]] std::expected<LoadedWeb, std::string> load_web(const WebConfig& config);
[[nodiscard]] std::expected<Protection, std::string> protection_of(const LoadedWeb& web);
// Both steps.
[[nodiscard]] std::expected<Protection, std::string> protection_of(const WebConfig& config);

// Why the first such address can't be protected: an unusable certificate or key is an error of the
// configuration.
std::optional<std::string> protection_problem(const Config& config);

// Warnings about settings that may be unintended: sentences. Reads the permissions of the key file.
// `written_in`: the file that the configuration is from; may be empty.
std::vector<std::string> protection_notices(const WebConfig& config, const std::string& written_in);

// Notices on the certificates now; sentences.
std::vector<std::string> validity_notices(const Protection& protection,
                                          std::chrono::sys_seconds now);

// Names and values of the header fields that it sets.
std::vector<std::pair<std::string, std::string>> headers_of(const HeaderConfig& config);

}  // namespace winperf
