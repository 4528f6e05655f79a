#include "exporter/http/clients.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace winperf {
namespace {

constexpr std::size_t kReadBytes = 16 * 1024;
// Large enough that its cost is that of the bytes, small enough that others soon have their turn. A
// short answer goes out in one turn: it may be a whole page, compressed.
constexpr std::size_t kTurnBytes = 256 * 1024;

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

// The client has time to read the reason before the connection closes.
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
  const bool may_begin = connection.stage() == Connection::Stage::kStreaming;
  if (!connection.stream(now)) return false;
  if (may_begin) is_short_ = has_news_ = true;  // as much as a stream holds
  return true;
}

// Without it the client sends its body later.
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
  for (std::size_t sent = 0;
       connection.stage() == Connection::Stage::kSending && sent < kTurnBytes;) {
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
  const bool ends = connection.stage() == Connection::Stage::kEnding;
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
  if (connection.stage() == Connection::Stage::kEnding) write(now);
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
  // A session with something unsent doesn't read, so unread bytes would be reported permanently.
  return Watched{.socket = socket_.native(),
                 .for_reading = connection.reads() && !has_unsent,
                 .for_writing = connection.stage() == Connection::Stage::kSending || has_unsent};
}

namespace {

using Time = Connection::Time;

// The share of each network: of its clients that weren't answered before, and of those that were.
using Holdings = std::map<NetAddress, std::array<std::size_t, 2>>;

std::size_t total(const Holdings& holdings, const NetAddress& network) {
  const auto found = holdings.find(network);
  return found == holdings.end() ? 0 : found->second[0] + found->second[1];
}

std::size_t part_of(const Party& party) { return party.was_answered ? 1 : 0; }

bool has_large_answer(const Client& client) {
  return client.connection.stage() == Connection::Stage::kSending &&
         !client.connection.has_stream() && client.connection.body().size() >= Clients::kSmallBytes;
}

Holdings holdings_of(const Clients& clients) {
  Holdings holdings;
  for (const auto& [id, client] : clients) {
    const Party party = client.party();
    holdings[party.network].at(part_of(party)) += clients.held().share_of(client.held);
  }
  return holdings;
}

std::size_t connections_of_peer(const Client& client) { return client.peer->connections; }

// Of those that have stalled since then.
auto stalled_by(Time since) {
  return [since](const Client& client) -> std::optional<Time> {
    if (client.connection.stage() != Connection::Stage::kSending || client.stalled_since() > since)
      return std::nullopt;
    return client.stalled_since();
  };
}

// Of those of one network, or of all if it is null.
template <typename SinceOf>
auto among(const NetAddress* network, SinceOf since_of) {
  return [network, since_of](const Client& client) -> std::optional<Time> {
    if (network != nullptr && client.party().network != *network) return std::nullopt;
    return since_of(client);
  };
}

}  // namespace

Client& Clients::add(Client client) {
  const NetAddress network = client.party().network;
  const auto added = all_.emplace(next_id_, std::move(client)).first;
  try {
    added->second.peer = &peers_[network];
  } catch (...) {
    all_.erase(added);
    throw;
  }
  ++next_id_;
  ++added->second.peer->connections;
  return added->second;
}

void Clients::erase(Id id) { erase(all_.find(id)); }

void Clients::erase(All::iterator one) {
  release(one->second);
  if (--one->second.peer->connections == 0) peers_.erase(one->second.party().network);
  all_.erase(one);
}

std::size_t Clients::connections_of(const NetAddress& network) const {
  const auto found = peers_.find(network);
  return found == peers_.end() ? 0 : found->second.connections;
}

void Clients::answer(Client& client, Answer answer, Time now) {
  release(client);
  held_.add(answer.body);
  client.held = answer.body;
  client.answer(std::move(answer), now);
}

void Clients::release(Client& client) {
  held_.remove(client.held);
  client.held = {};
}

void Clients::forget_sent() {
  for (auto& [id, client] : all_)
    if (client.held.size() > 0 && client.connection.body().size() == 0) release(client);
}

template <typename SinceOf, typename ShareOf>
std::vector<Clients::Candidate> Clients::candidates(const SinceOf& since_of,
                                                    const ShareOf& share_of) const {
  std::vector<Candidate> found;
  for (const auto& [id, client] : all_)
    if (const std::optional<Time> since = since_of(client))
      found.push_back(
          {.id = id, .since = *since, .party = client.party(), .share = share_of(client)});
  return found;
}

// Of networks with the same share, that of the one that comes first by time. Of its two parts, the
// one with more of them.
std::optional<Clients::Id> Clients::choose(std::vector<Candidate> candidates) {
  if (candidates.empty()) return std::nullopt;
  const auto first = [](const Candidate& a, const Candidate& b) {
    return std::tuple(b.share, a.since, a.id) < std::tuple(a.share, b.since, b.id);
  };
  const NetAddress network = std::ranges::min_element(candidates, first)->party.network;
  std::erase_if(candidates, [&](const Candidate& one) { return one.party.network != network; });
  const auto answered = std::ranges::count_if(
      candidates, [](const Candidate& one) { return one.party.was_answered; });
  const bool goes_answered = answered > std::ssize(candidates) - answered;
  std::erase_if(candidates,
                [&](const Candidate& one) { return one.party.was_answered != goes_answered; });
  return std::ranges::min_element(candidates, first)->id;
}

std::optional<Clients::Id> Clients::one_that_waits(const NetAddress* network) const {
  const auto waiting = [](const Client& client) -> std::optional<Time> {
    if (client.is_answered()) return std::nullopt;
    return client.connection.since();
  };
  return choose(candidates(among(network, waiting), connections_of_peer));
}

std::optional<Clients::Id> Clients::one_that_stalls(const NetAddress* network, Time since) const {
  return choose(candidates(among(network, stalled_by(since)), connections_of_peer));
}

std::optional<Clients::Id> Clients::one_over_its_share(const NetAddress& newcomer) const {
  const std::size_t newcomers = connections_of(newcomer) + 1;
  const auto answered = [&](const Client& client) -> std::optional<Time> {
    if (!client.is_answered() || client.peer->connections <= newcomers) return std::nullopt;
    return client.connection.since();
  };
  return choose(candidates(answered, connections_of_peer));
}

std::optional<Clients::Id> Clients::one_that_stalls_memory(Time since) const {
  const auto large = [by_time = stalled_by(since)](const Client& client) {
    return has_large_answer(client) ? by_time(client) : std::nullopt;
  };
  auto found = candidates(large, [](const Client&) { return std::size_t{0}; });
  if (found.size() < 2) return choose(std::move(found));
  const Holdings holdings = holdings_of(*this);
  for (Candidate& one : found) one.share = total(holdings, one.party.network);
  return choose(std::move(found));
}

std::optional<Clients::Id> Clients::one_over_its_share_of_memory(const Party& newcomer,
                                                                 std::size_t bytes) const {
  Holdings holdings = holdings_of(*this);
  const auto own = holdings[newcomer.network];
  const std::size_t own_part = own.at(part_of(newcomer)) + bytes;
  const std::size_t own_total = own[0] + own[1] + bytes;
  // A client of the same network's other part, if no other network holds more.
  const auto may_go = [&](const Client& client) -> std::optional<Time> {
    const Party party = client.party();
    if (!has_large_answer(client)) return std::nullopt;
    const bool has_more =
        party.network == newcomer.network
            ? party.was_answered != newcomer.was_answered && own.at(part_of(party)) > own_part
            : total(holdings, party.network) > own_total;
    return has_more ? std::optional(client.connection.since()) : std::nullopt;
  };
  return choose(candidates(
      may_go, [&](const Client& client) { return total(holdings, client.party().network); }));
}

}  // namespace winperf
