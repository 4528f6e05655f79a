// A connection and its socket: moves bytes between them, as many as the socket takes at once, by
// TLS if the address has it. Thread rule: one thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "exporter/http/answerer.h"
#include "exporter/http/socket.h"
#include "exporter/tls/tls_session.h"

namespace winperf {

// All clients of one network.
struct Peer {
  std::size_t connections = 0;
  std::uint64_t last_turn = 0;  // 0: it hasn't had one
};

class Client {
 public:
  using Time = Connection::Time;

  // Without `tls` it speaks plain HTTP.
  Client(Accepted accepted, const ConnectionLimits& limits, Time now,
         std::shared_ptr<TlsContext> tls = nullptr)
      : connection(limits, now, tls != nullptr),
        socket_(std::move(accepted.socket)),
        address_(accepted.address),
        network_(network_of(accepted.address)),
        moved_(now),
        tls_(tls == nullptr ? nullptr : std::make_unique<TlsSession>(std::move(tls))) {}

  // The socket is ready or broken, or nobody has looked yet.
  IoState read(Time now);
  // Sends what is on its way until the socket takes no more, up to a limit, so that others have
  // their turn.
  void write(Time now);
  // What this connection's request gets; write() can begin at once if it is short.
  void answer(Answer answer, Time now);
  // Begins to send what its stream has. False if that was too much; the connection is over then.
  [[nodiscard]] bool stream(Time now);
  // What the system says about the socket.
  void see(const Watched& seen, Time now);
  // The connection is over: says so, if there is TLS and room, before the socket is closed.
  void say_goodbye();
  // How the socket is to be watched; not at all if there is nothing to do before a time.
  std::optional<Watched> to_watch() const;
  // Whether write() may do something at once, although the socket was not seen to be ready.
  bool may_write() const { return has_news_; }
  // Whether it is to be tried whether write() does something, because its socket isn't watched.
  bool is_unwatched_sender() const {
    return hung_up_ && connection.stage() == Connection::Stage::kSending;
  }
  // Whether an answer goes out that takes several turns.
  bool sends_long() const {
    return connection.stage() == Connection::Stage::kSending && !is_short_;
  }

  // A handshake isn't over, so that no answer can be sent.
  bool is_shaking_hands() const { return tls_ != nullptr && tls_->is_shaking_hands(); }
  // Why a handshake has failed, once. After plain HTTP, an answer in plain HTTP may still be sent.
  std::optional<TlsFailure> take_tls_failure() { return std::exchange(tls_failure_, std::nullopt); }

  const NetAddress& address() const { return address_; }
  Party party() const { return {.network = network_, .was_answered = connection.was_answered()}; }
  // Whether it is on this machine.
  bool is_local() const { return is_loopback(address_) || address_ == local_address(socket_); }
  // A whole request is there, and something of its answer is being made or sent.
  bool is_answered() const {
    return connection.stage() == Connection::Stage::kAnswering ||
           connection.stage() == Connection::Stage::kSending;
  }
  // Since when the client has taken nothing of its answer.
  Time stalled_since() const { return std::max(moved_, connection.since()); }

  Connection connection;
  bool is_post = false;  // of the request that is being answered
  bool is_over = false;  // the socket is of no use any more
  Peer* peer = nullptr;  // what it is one of, if anybody keeps it
  SharedText held;       // of its answer, as long as it counts
  std::uint64_t last_turn = 0;

 private:
  IoResult receive(std::span<char> buffer);
  IoResult send(std::string_view bytes);
  void send_interim();
  void end_tls(Time now);

  Socket socket_;
  NetAddress address_;
  NetAddress network_;
  Time moved_;
  std::unique_ptr<TlsSession> tls_;
  std::optional<TlsFailure> tls_failure_;
  bool is_short_ = false;  // the answer
  bool has_news_ = false;
  bool hung_up_ = false;
  bool end_is_sent_ = false;
};

}  // namespace winperf
