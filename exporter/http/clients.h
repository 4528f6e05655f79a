// All connections that a front holds, and which one is closed when a resource runs out: one of the
// network that uses most of it. Thread rule: one thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "exporter/http/connection.h"
#include "exporter/http/socket.h"
#include "exporter/text/shared_text.h"
#include "exporter/tls/tls_session.h"

namespace winperf {

// All clients of one network.
struct Peer {
  std::size_t connections = 0;
  std::uint64_t last_turn = 0;  // 0: it hasn't had one
};

// A connection and its socket: moves bytes between them without blocking, by TLS if the address has
// it.
class Client {
 public:
  using Time = Connection::Time;

  // Without `tls` it speaks plain HTTP. `counts`: as for a connection.
  Client(Accepted accepted, const ConnectionLimits& limits, Time now,
         std::shared_ptr<TlsContext> tls = nullptr, SentAnswers* counts = nullptr)
      : connection(limits, now, tls != nullptr, counts),
        socket_(std::move(accepted.socket)),
        address_(accepted.address),
        network_(network_of(accepted.address)),
        moved_(now),
        tls_(tls == nullptr ? nullptr : std::make_unique<TlsSession>(std::move(tls))) {}

  // Call it when the socket is ready or broken, or has not been checked yet.
  IoState read(Time now);
  // Sends what is on its way until the socket takes no more, up to a limit, so that others have
  // their turn.
  void write(Time now);
  // Sets the answer to the connection's request; write() can begin immediately if it is short.
  void answer(Answer answer, Time now);
  // Begins to send what its stream has. False if that was too much; the connection is over then.
  [[nodiscard]] bool stream(Time now);
  // Takes the state of the socket as polled.
  void see(const Watched& seen, Time now);
  // The connection is over: says so, if there is TLS and room, before the socket is closed.
  void say_goodbye();
  // How the socket is to be watched; not at all if there is nothing to do before a time.
  std::optional<Watched> to_watch() const;
  // Whether write() may make progress although the socket was not reported as ready.
  bool may_write() const { return has_news_; }
  // Whether write() has to be tried, because the socket isn't watched.
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
  Peer* peer = nullptr;  // its network's entry, if it is registered
  SharedText held;       // of its answer, while it is counted
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

// The memory that answers hold: a piece shared by several answers counts once. Thread rule: one
// thread.
class HeldPieces {
 public:
  void add(const SharedText& text) {
    for (const SharedText::Piece& piece : text.pieces())
      if (holders_[piece.get()]++ == 0) bytes_ += piece->size();
  }
  // Only what was added before.
  void remove(const SharedText& text) {
    for (const SharedText::Piece& piece : text.pieces()) {
      const auto holders = holders_.find(piece.get());
      if (holders == holders_.end() || --holders->second > 0) continue;
      holders_.erase(holders);
      bytes_ -= piece->size();
    }
  }
  std::size_t bytes() const { return bytes_; }
  // Bytes of the text that are not held yet.
  std::size_t missing(const SharedText& text) const {
    std::size_t bytes = 0;
    for (const SharedText::Piece& piece : text.pieces())
      if (!holders_.contains(piece.get())) bytes += piece->size();
    return bytes;
  }
  // Its part of what it holds: each piece is divided among those that hold it.
  std::size_t share_of(const SharedText& text) const {
    std::size_t bytes = 0;
    for (const SharedText::Piece& piece : text.pieces()) {
      const auto holders = holders_.find(piece.get());
      bytes += piece->size() / (holders == holders_.end() ? 1 : holders->second);
    }
    return bytes;
  }

 private:
  std::unordered_map<const std::string*, std::size_t> holders_;
  std::size_t bytes_ = 0;
};

class Clients {
 public:
  using Id = std::uint64_t;  // in the order in which they came
  using Time = Connection::Time;

  Client& add(Client client);
  Client* find(Id id) {
    const auto found = all_.find(id);
    return found == all_.end() ? nullptr : &found->second;
  }
  Id last_id() const { return next_id_ - 1; }  // of the one that was added last
  void erase(Id id);
  template <typename Predicate>
  void erase_if(Predicate predicate) {
    for (auto one = all_.begin(); one != all_.end();) {
      const auto next = std::next(one);
      if (predicate(one->second)) erase(one);
      one = next;
    }
  }
  // It has its turn now, and with it all of its network (front.h, Turns).
  void begin_turn(Client& client) { client.last_turn = client.peer->last_turn = ++turns_; }

  std::size_t size() const { return all_.size(); }
  auto begin() { return all_.begin(); }
  auto end() { return all_.end(); }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

  std::size_t connections_of(const NetAddress& network) const;
  const HeldPieces& held() const { return held_; }  // by answers, without what is pushed to streams
  // Sets the answer to the client's request, and counts what it holds from now on.
  void answer(Client& client, Answer answer, Time now);
  // Releases what has been sent.
  void forget_sent();

  // A client that waits for a request or for more of an endless answer: of the network with the
  // most connections, and of the larger of its two parts (answered before or not), the one that has
  // waited longest. Null `network`: of any.
  std::optional<Id> one_that_waits(const NetAddress* network) const;
  // The same of those that have taken nothing of their answers since then.
  std::optional<Id> one_that_stalls(const NetAddress* network, Time since) const;
  // The same of those that are being answered, if its network would still have more than a
  // newcomer's.
  std::optional<Id> one_over_its_share(const NetAddress& newcomer) const;

  // Bodies of fewer bytes make no room.
  static constexpr std::size_t kSmallBytes = 64 * 1024;
  // The same for memory. One that has taken nothing since then; of the network that holds most.
  std::optional<Id> one_that_stalls_memory(Time since) const;
  // A client that an answer is being sent to, of a party that holds more than this one would with
  // `bytes` more: another network, or the other part of the same network.
  std::optional<Id> one_over_its_share_of_memory(const Party& newcomer, std::size_t bytes) const;

 private:
  using All = std::map<Id, Client>;
  struct Candidate {
    Id id = 0;
    Time since{};
    Party party{};
    std::size_t share = 0;  // its network's
  };
  // `since_of` has no value for those that can't go.
  template <typename SinceOf, typename ShareOf>
  std::vector<Candidate> candidates(const SinceOf& since_of, const ShareOf& share_of) const;
  static std::optional<Id> choose(std::vector<Candidate> candidates);
  void erase(All::iterator one);
  void release(Client& client);

  All all_;
  std::map<NetAddress, Peer> peers_;  // that have a client here
  HeldPieces held_;
  Id next_id_ = 0;
  std::uint64_t turns_ = 0;
};

}  // namespace winperf
