// One TLS connection of a server, without its socket: it reads and writes bytes through a
// Transport, and never blocks.
//
// A handshake advances with each read. What the session itself has to send (the handshake, alerts,
// tickets) is kept until the transport takes it, and nothing is read until then; it is at most 64
// KiB. Input is not trusted: the library checks it, and a record has at most 16 KiB. A call takes
// little more than a record from its client even if more is there, and a client that sends 64 KiB
// without finishing its handshake, or afterwards without a byte of a request among them, loses its
// connection. Renegotiation is refused. Thread rule: one thread; several sessions of the same
// context on that one. Source: RFC 5246, RFC 8446.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "exporter/tls/tls_context.h"
#include "exporter/tls/transport.h"

namespace winperf {

// Why a handshake didn't succeed.
enum class TlsFailure : std::uint8_t {
  kPlainHttp,          // the client doesn't speak TLS but HTTP
  kVersion,            // it speaks no version that is wanted
  kClientCertificate,  // it has none, or not a good one
  kClientRefused,      // it refuses to continue, for example because of this certificate
  kProtocol,           // something else is wrong with what it sends
  kGone,               // it has gone
  kTimeout,            // it took too long; reported by the owner of the clock
};

class TlsSession {
 public:
  explicit TlsSession(std::shared_ptr<TlsContext> context);
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;
  ~TlsSession();

  // Decrypted bytes. kLater also while the handshake isn't over, or has_unsent(). When the
  // transport has more, or takes more, call it again.
  [[nodiscard]] IoResult read(Transport& transport, std::span<char> buffer);
  // kMoved once the transport has all of what the bytes became; until then kLater, and the next
  // call must have the same bytes.
  [[nodiscard]] IoResult write(Transport& transport, std::string_view bytes);
  // The same for a few bytes, without reporting when they are sent.
  void write_later(std::string_view bytes);
  // Ends the session: nothing may be sent after it.
  void finish();
  // Sends what is kept. False if the transport is broken.
  [[nodiscard]] bool flush(Transport& transport);

  bool is_shaking_hands() const { return !is_open_ && !failure_; }
  bool has_unsent() const;
  std::optional<TlsFailure> failure() const { return failure_; }

 private:
  struct State;
  // Continues the handshake. Nothing if it is over.
  std::optional<IoResult> shake_hands(Transport& transport);
  void fail(int code);

  const std::shared_ptr<TlsContext> context_;
  const std::unique_ptr<State> state_;
  bool is_open_ = false;
  bool is_finished_ = false;
  std::optional<TlsFailure> failure_;
};

}  // namespace winperf
