#include "tests/exporter/support/tls_connection.h"

#include <mbedtls/ssl.h>

#include <utility>

#include "tests/exporter/support/awaited_text.h"

namespace winperf::testing {

void TlsConnection::flush() { raw.send(std::exchange(peer.to_server, {})); }

bool TlsConnection::receive_more() {
  const std::string some = raw.receive_some();
  peer.from_server += some;
  peer.step();
  flush();
  return !some.empty() && peer.error() == 0;
}

bool TlsConnection::connect() {
  peer.step();
  flush();
  while (!peer.was_open() && receive_more()) {
  }
  return peer.is_open();
}

void TlsConnection::send(std::string_view text) {
  peer.send(text);
  flush();
}

std::string TlsConnection::receive_until(std::string_view text) {
  AwaitedText awaited(text);
  while (!awaited.is_in(peer.received()) && receive_more()) {
  }
  return peer.received();
}

std::string TlsConnection::receive_all() { return receive_until({}); }

bool TlsConnection::has_goodbye() const {
  return peer.error() == MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY;
}

}  // namespace winperf::testing
