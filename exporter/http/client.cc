#include "exporter/http/client.h"

#include <array>

#include "exporter/http/socket_address.h"

namespace winperf {
namespace {

constexpr std::size_t kReadBytes = 16 * 1024;
// Large enough that its cost is that of the bytes, small enough that others soon have their turn. A
// short answer goes out in one turn: it may be a whole page, compressed.
constexpr std::size_t kTurnBytes = 256 * 1024;
using Stage = Connection::Stage;

}  // namespace

IoState Client::read(Time now) {
  std::array<char, kReadBytes> buffer;
  const IoResult result = receive_from(socket_, buffer);
  if (result.state == IoState::kMoved) {
    connection.receive(std::string_view(buffer.data(), result.bytes), now);
    has_news_ = true;
  }
  if (result.state == IoState::kEnded) connection.receive_end(now);
  if (result.state == IoState::kBroken) is_over = true;
  return result.state;
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

void Client::write(Time now) {
  has_news_ = false;
  if (const std::string interim = connection.take_interim(); !interim.empty())
    (void)send_to(socket_, interim);  // the client sends its body without it, only later
  for (std::size_t sent = 0; connection.stage() == Stage::kSending && sent < kTurnBytes;) {
    const IoResult result = send_to(socket_, connection.to_send().substr(0, kTurnBytes - sent));
    if (result.state == IoState::kLater) return;
    if (result.state != IoState::kMoved) {
      is_over = true;
      return;
    }
    sent += result.bytes;
    moved_ = now;
    connection.sent(result.bytes, now);
  }
  if (connection.stage() == Stage::kEnding && !std::exchange(end_is_sent_, true))
    finish_sending(socket_);
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
}

std::optional<Watched> Client::to_watch() const {
  const bool sends = connection.stage() == Stage::kSending;
  if (hung_up_ && !connection.reads()) return std::nullopt;
  return Watched{
      .socket = socket_.native(), .for_reading = connection.reads(), .for_writing = sends};
}

bool Client::is_local() const {
  return is_loopback(address_) || address_ == local_address(socket_);
}

bool Client::is_answered() const {
  return connection.stage() == Stage::kAnswering || connection.stage() == Stage::kSending;
}

bool Client::is_unwatched_sender() const {
  return hung_up_ && connection.stage() == Stage::kSending;
}

}  // namespace winperf
