// A session of a server and its client, joined in memory, and the certificates of both. Thread
// rule: one thread.
#pragma once

#include <memory>
#include <string>

#include "exporter/tls/tls_session.h"
#include "tests/exporter/support/tls_peer.h"

namespace winperf::testing {

// Signs all others.
const Certificate& authority();
const Certificate& server_certificate(KeyKind kind = KeyKind::kCurve);
// Without names it has that of "prometheus.example.com".
Certificate client_certificate(CertificateOrder order = {});

// Of a server with its certificate; where clients are verified, the authority is trusted.
std::shared_ptr<TlsContext> context_of(TlsConfig config = {}, KeyKind kind = KeyKind::kCurve);

struct TlsPair {
  explicit TlsPair(std::shared_ptr<TlsContext> context, const PeerOptions& options = {})
      : peer(options), transport(peer), session(std::move(context)) {}

  // Moves bytes as long as there are any. Returns whether both sides have finished their
  // handshakes, and nobody has refused the other one.
  bool connect();
  // What the session reads at once.
  IoResult read();

  TlsPeer peer;
  PeerTransport transport;
  TlsSession session;
  std::string received{};  // by the session
};

// Sends the same bytes for ever, as fast as they are taken.
class EndlessTransport final : public Transport {
 public:
  explicit EndlessTransport(std::string bytes) : bytes_(std::move(bytes)) {}
  IoResult receive(std::span<char> buffer) override;
  IoResult send(std::string_view bytes) override;
  std::size_t receives = 0;  // how often it was asked
  std::size_t given = 0;     // bytes

 private:
  const std::string bytes_;
};

}  // namespace winperf::testing
