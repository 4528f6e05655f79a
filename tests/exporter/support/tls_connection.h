// A TLS connection to a server on this machine. Errors of the socket end the test by an exception.
// Thread rule: one thread.
#pragma once

#include <string>
#include <string_view>

#include "tests/exporter/support/raw_connection.h"
#include "tests/exporter/support/tls_peer.h"

namespace winperf::testing {

class TlsConnection {
 public:
  explicit TlsConnection(int port, const PeerOptions& options = {}) : peer(options), raw(port) {}

  // Whether the handshake ends well, as the client sees it.
  bool connect();
  void send(std::string_view text);
  // All that was ever decrypted, once this text is among it, or the server has ended.
  std::string receive_until(std::string_view text);
  std::string receive_all();
  // Whether the server has said that nothing follows.
  bool has_goodbye() const;
  // Sends what the peer has to say.
  void flush();

  TlsPeer peer;
  RawConnection raw;

 private:
  bool receive_more();
};

}  // namespace winperf::testing
