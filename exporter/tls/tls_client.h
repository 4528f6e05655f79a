// Asks a server over TLS once, as a client that trusts only what it is given: for checks of this
// program's own servers.
//
// The server's certificate must be signed by the trusted ones and be valid for the host that was
// asked. The answer is bytes that weren't validated, at most 64 MiB of them. Errors: a sentence.
// Thread rule: any thread. The library is Mbed TLS (docs/adr/0017).
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>

namespace winperf {

struct TlsRequest {
  std::string host{};
  std::uint16_t port = 0;
  std::string trusted{};  // PEM
  std::string head{};     // "GET / HTTP/1.0\r\n\r\n"
  std::chrono::milliseconds patience{30'000};
};

struct TlsAnswer {
  std::string version{};  // "TLSv1.3"
  std::string text{};     // head and body
};

[[nodiscard]] std::expected<TlsAnswer, std::string> ask_over_tls(const TlsRequest& request);

}  // namespace winperf
