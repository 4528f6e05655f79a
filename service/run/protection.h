// Makes of an address' web configuration what its server uses. Reads certificates and keys. Thread
// rule: any thread.
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

// A configuration with what is in the files that it names: two that are equal protect the same way.
struct LoadedWeb {
  WebConfig config{};
  TlsMaterial material{};
  bool operator==(const LoadedWeb&) const = default;
};

// The error is a sentence.
[[nodiscard]] std::expected<LoadedWeb, std::string> load_web(const WebConfig& config);
[[nodiscard]] std::expected<Protection, std::string> protection_of(const LoadedWeb& web);
// Both in one.
[[nodiscard]] std::expected<Protection, std::string> protection_of(const WebConfig& config);

// Why an address can't be protected, for the first one for which it is so. A certificate or a key
// that can't be used is a mistake in the configuration.
std::optional<std::string> protection_problem(const Config& config);

// What is no error, but may not be what was meant: sentences. Reads the access rights of the file
// with the key. `written_in`: the file that the configuration is from; may be empty.
std::vector<std::string> protection_notices(const WebConfig& config, const std::string& written_in);

// What is to be said of the certificates by now; sentences.
std::vector<std::string> validity_notices(const Protection& protection,
                                          std::chrono::sys_seconds now);

// Names and values of the header fields that it sets.
std::vector<std::pair<std::string, std::string>> headers_of(const HeaderConfig& config);

}  // namespace winperf
