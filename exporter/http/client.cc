#include "exporter/http/client.h"

#include <array>

namespace winperf {
namespace {

constexpr std::size_t kReadBytes = 16 * 1024;
// Large enough that its cost is that of the bytes, small enough that others soon have their turn. A
// short answer goes out in one turn: it may be a whole page, compressed.
constexpr std::size_t kTurnBytes = 256 * 1024;
using Stage = Connection::Stage;

class SocketTransport final : public Transport {
 public:
  explicit SocketTransport(const Socket& socket) : socket_(socket) {}
  IoResult receive(std::span<char> buffer) override { return receive_from(socket_, buffer); }
  IoResult send(std::string_view bytes) override { return send_to(socket_, bytes); }

 private:
  const Socket& socket_;
};

}  // namespace

// A whole record of TLS has no more bytes than the buffer, so none of a request stays with the
// session.
IoResult Client::receive(std::span<char> buffer) {
  SocketTransport transport(socket_);
  return tls_ == nullptr ? transport.receive(buffer) : tls_->read(transport, buffer);
}

IoResult Client::send(std::string_view bytes) {
  SocketTransport transport(socket_);
  return tls_ == nullptr ? transport.send(bytes) : tls_->write(transport, bytes);
}

IoState Client::read(Time now) {
  std::array<char, kReadBytes> buffer;
  const IoResult result = receive(buffer);
  if (tls_ != nullptr && tls_->failure()) {
    end_tls(now);
    return result.state;
  }
  if (result.state == IoState::kMoved) {
    connection.receive(std::string_view(buffer.data(), result.bytes), now);
    has_news_ = true;
  }
  if (result.state == IoState::kEnded) connection.receive_end(now);
  if (result.state == IoState::kBroken) is_over = true;
  return result.state;
}

// The client gets time to read why, which costs it nothing but this connection.
void Client::end_tls(Time now) {
  tls_failure_ = tls_->failure();
  tls_.reset();
  if (tls_failure_ != TlsFailure::kPlainHttp) connection.end(now);
  has_news_ = true;
}

void Client::answer(Answer answer, Time now) {
  is_short_ = answer.body.size() <= kTurnBytes;
  connection.answer(std::move(answer), now);
  has_news_ = is_short_;  // a long one waits until the socket is ready and it has its turn
}

bool Client::stream(Time now) {
  const bool may_begin = connection.stage() == Stage::kStreaming;
  if (!connection.stream(now)) return false;
  if (may_begin) is_short_ = has_news_ = true;  // as much as a stream holds
  return true;
}

// The client sends its body without it, only later.
void Client::send_interim() {
  const std::string interim = connection.take_interim();
  if (interim.empty()) return;
  if (tls_ == nullptr)
    (void)send_to(socket_, interim);
  else
    tls_->write_later(interim);
}

void Client::write(Time now) {
  has_news_ = false;
  send_interim();
  for (std::size_t sent = 0; connection.stage() == Stage::kSending && sent < kTurnBytes;) {
    const IoResult result = send(connection.to_send().substr(0, kTurnBytes - sent));
    if (result.state == IoState::kLater) return;
    if (result.state != IoState::kMoved) {
      is_over = true;
      return;
    }
    sent += result.bytes;
    moved_ = now;
    connection.sent(result.bytes, now);
  }
  const bool ends = connection.stage() == Stage::kEnding;
  if (tls_ != nullptr) {
    if (ends) tls_->finish();
    SocketTransport transport(socket_);
    if (!tls_->flush(transport)) is_over = true;
    if (tls_->has_unsent()) return;
  }
  if (ends && !std::exchange(end_is_sent_, true)) finish_sending(socket_);
}

// A hang-up is reported again and again, so the socket isn't watched any more. It may mean that the
// client has gone, or (on Windows) only that it sends no more; writing to it shows which.
void Client::see(const Watched& seen, Time now) {
  if (seen.is_broken) hung_up_ = true;
  if (connection.reads()) {
    if (read(now) == IoState::kLater && seen.is_broken) is_over = true;
  } else if (seen.is_ready) {
    write(now);
  }
  // A reading connection may also have something to send: the end of a handshake, or of all.
  if (connection.stage() == Stage::kEnding) write(now);
}

void Client::say_goodbye() {
  if (tls_ == nullptr || is_over) return;
  tls_->finish();
  SocketTransport transport(socket_);
  (void)tls_->flush(transport);
}

std::optional<Watched> Client::to_watch() const {
  const bool has_unsent = tls_ != nullptr && tls_->has_unsent();
  if (hung_up_ && !connection.reads()) return std::nullopt;
  // A session with something unsent doesn't read, so what is there would be reported for ever.
  return Watched{.socket = socket_.native(),
                 .for_reading = connection.reads() && !has_unsent,
                 .for_writing = connection.stage() == Stage::kSending || has_unsent};
}

}  // namespace winperf
