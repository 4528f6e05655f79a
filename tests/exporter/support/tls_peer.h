// A TLS client for tests, by the same library, without a socket: bytes go in and come out.
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/tls/transport.h"
#include "tests/exporter/support/certificates.h"

namespace winperf::testing {

struct PeerOptions {
  const Certificate* certificate = nullptr;  // that it shows
  std::string trusted{};                     // PEM; empty: it trusts every server
  bool knows_13 = true;
  bool knows_12 = true;
  std::vector<int> suites{};            // IANA's values; empty: all
  std::vector<std::uint16_t> groups{};  // the same
};

class TlsPeer {
 public:
  explicit TlsPeer(const PeerOptions& options);
  ~TlsPeer();

  // A step of the handshake, and then of reading; what the server decrypts, and its answers, move
  // through `to_server` and `from_server`.
  void step();
  void send(std::string_view text);
  bool is_open() const;
  bool was_open() const;  // its handshake was over, whatever came then
  int error() const;      // the library's code
  // The last alert that the server has sent, of those that end a connection; 0 without one.
  int alert() const;
  const std::string& received() const;  // all that was ever decrypted
  std::string version() const;          // "TLSv1.3"
  std::string suite() const;
  // Sends the first message of another handshake, as often as it is called.
  void renegotiate();
  // Says that nothing follows, and still reads.
  void finish();
  // Sends an alert that is only a warning.
  void warn();
  // The session, for another peer that resumes it.
  std::shared_ptr<void> session() const;
  void resume(const std::shared_ptr<void>& session);

  std::string to_server;
  std::string from_server;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The server's side of it.
class PeerTransport final : public Transport {
 public:
  explicit PeerTransport(TlsPeer& peer) : peer_(peer) {}
  IoResult receive(std::span<char> buffer) override;
  IoResult send(std::string_view bytes) override;
  std::size_t most_at_once = SIZE_MAX;  // bytes per call, in either direction
  std::size_t room = SIZE_MAX;          // that are taken before nothing more is
  bool has_ended = false;
  std::string sent{};  // by the server, from the beginning

 private:
  TlsPeer& peer_;
};

}  // namespace winperf::testing
