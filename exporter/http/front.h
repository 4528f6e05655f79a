// The network side of the HTTP server: one thread that holds all connections.
//
// It accepts, reads requests, sends answers and closes; a pool makes the answers. No client can
// hold it up: sockets never block, each stage of a connection has a deadline in all, and threads,
// connections and waiting requests are bounded. What clients share is divided between their
// networks (connection.h). When there is no room for another connection, one of the network with
// the most is closed: the one that has waited longest for a request or for more of an endless
// answer; failing that, one whose client reads nothing of its answer; failing that, one that is
// being answered, if its network has more than the newcomer's. Memory for answers and places in the
// queue are taken from the largest user in the same way. Answers are made in turns (answer_pool.h);
// long ones are sent, and handshakes of TLS are made, in turns as well (Turns), because they take
// the processor for milliseconds each. Thread rule: one thread starts, closes and stops the front;
// counts() and change_tls() are for any.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "exporter/http/answer_pool.h"
#include "exporter/http/clients.h"
#include "exporter/http/door.h"
#include "exporter/text/exporter_registry.h"
#include "exporter/tls/tls_session.h"

namespace winperf {

// What a front reports for metrics. Thread rule: any thread may call the observer.

// Why a connection was closed, or a request refused, before its answer was sent.
enum class ShedReason : std::uint8_t {
  kConnections,         // it waited longest when there were too many
  kAddressConnections,  // the same, among those of its address
  kStalledAnswer,       // its client took nothing when there were too many
  kAddressShare,        // it was answered, but its address had most when there were too many
  kNoRoom,              // new, but all others were being answered
  kMemory,              // its answer held too much memory, or would have
  kQueue,               // too many requests waited
  kRequestTimeout,      // its request took too long to arrive
  kAnswerTimeout,       // its answer took too long to go out
};
// In the order of the enumerations.
inline constexpr std::array<std::string_view, 9> kShedReasonNames{
    "connections", "address_connections", "stalled_answer", "address_share", "no_room", "memory",
    "queue",       "request_timeout",     "answer_timeout"};
inline constexpr std::array<std::string_view, 7> kTlsFailureNames{
    "plain_http", "version", "client_certificate", "client_refused", "protocol", "gone", "timeout"};
static_assert(kShedReasonNames.size() == static_cast<std::size_t>(ShedReason::kAnswerTimeout) + 1 &&
              kTlsFailureNames.size() == static_cast<std::size_t>(TlsFailure::kTimeout) + 1);
constexpr std::string_view name_of(ShedReason reason) {
  return kShedReasonNames.at(static_cast<std::size_t>(reason));
}
constexpr std::string_view name_of(TlsFailure failure) {
  return kTlsFailureNames.at(static_cast<std::size_t>(failure));
}

class FrontObserver {
 public:
  FrontObserver() = default;
  FrontObserver(const FrontObserver&) = delete;
  FrontObserver& operator=(const FrontObserver&) = delete;
  virtual ~FrontObserver() = default;
  virtual void shed(ShedReason reason) = 0;
  virtual void load_changed(const HttpLoad& difference) = 0;
  virtual void handshake_failed(TlsFailure failure) = 0;
  virtual void has_sent(const SentAnswers& answers) = 0;  // since the last call
};

// Decides when to return memory to the system: after many clients or large answers are gone, but
// not often, because it takes time. Thread rule: one thread.
class LeftoverMemory {
 public:
  using Time = Connection::Time;
  static constexpr std::size_t kCrowd = 64;  // clients
  static constexpr std::size_t kMuch = 8 * 1024 * 1024;
  static constexpr std::size_t kFewer = 8;  // times; what is left then is little
  static constexpr std::chrono::seconds kPause{10};

  void saw_clients(std::size_t count) { most_clients_ = std::max(most_clients_, count); }
  void saw_held(std::size_t bytes) { most_held_ = std::max(most_held_, bytes); }

  // True once after each crowd; the caller gives the memory back.
  [[nodiscard]] bool is_due(const Clients& clients, Time now) {
    if ((most_clients_ < kCrowd && most_held_ < kMuch) || now < not_before_) return false;
    if (clients.size() > kCrowd / kFewer || clients.held().bytes() > kMuch / kFewer) return false;
    most_clients_ = most_held_ = 0;
    not_before_ = now + kPause;
    return true;
  }

 private:
  std::size_t most_clients_ = 0;
  std::size_t most_held_ = 0;
  Time not_before_;
};

// In which order clients have their turns in a round of the front, and how many of them.
//
// Long operations, such as sending a long answer or a TLS handshake, have a limited time in each
// round, of which only their own duration counts. Networks come one after the other, those first
// whose turn was longest ago, and of each the client whose turn was longest ago; only when each has
// had one, they have another. So a client waits for one turn of each other network, however many
// clients that has. Thread rule: one thread.

// A client that has something to do, and what the system says about its socket.
struct Wanting {
  Client* client = nullptr;
  Watched seen;
};

class Turns {
 public:
  using Duration = Connection::Time::duration;

  // A round begins.
  void begin(Duration time) {
    left_ = time;
    has_left_some_out_ = false;
  }
  // Whether another client has a turn, rather than one of the first ones in the next round.
  bool has_turn() {
    has_left_some_out_ = left_ <= Duration::zero();
    return !has_left_some_out_;
  }
  // How long a turn was.
  void took(Duration time) { left_ -= time; }
  // Whether the last round left a client without a turn.
  bool has_left_some_out() const { return has_left_some_out_; }

  // `wanting`: in the order in which they came.
  static void put_in_order(std::vector<Wanting>& wanting) {
    std::ranges::stable_sort(wanting, {}, [](const Wanting& one) { return one.client->last_turn; });
    // First how many of its network come before it, then when the network had its turn.
    struct Place {
      std::pair<std::size_t, std::uint64_t> place;
      Wanting one;
    };
    std::map<const Peer*, std::size_t> before;
    std::vector<Place> places;
    places.reserve(wanting.size());
    for (const Wanting& one : wanting)
      places.push_back(
          {.place = {before[one.client->peer]++, one.client->peer->last_turn}, .one = one});
    std::ranges::stable_sort(places, {}, &Place::place);
    std::ranges::transform(places, wanting.begin(), &Place::one);
  }

 private:
  Duration left_{};
  bool has_left_some_out_ = false;
};

struct FrontOptions {
  ConnectionLimits connection;
  std::size_t threads = 4;   // answers made at the same time
  std::size_t queue = 1024;  // whole requests that wait for a thread
  std::size_t connections = 2048;
  std::size_t fronts = 1;  // of the process: they share the sockets that it may have
  std::size_t connections_per_address = 1024;  // or network of IPv6
  // An answer of which the client took nothing for this long makes room, too.
  std::chrono::milliseconds stalled_time{2000};
  // The memory that answers may hold in all, except for small ones. Shared pieces count once.
  std::size_t held_bytes = 64 * 1024 * 1024;
};

// How many connections a front may hold if the process may have so many sockets: at least one.
[[nodiscard]] std::size_t most_connections(const FrontOptions& options, std::size_t sockets);

struct FrontCounts {
  std::size_t connections = 0;
  std::size_t requests = 0;  // whole ones whose answer isn't sent yet, but for those that POST
  std::size_t posts = 0;
};

class Front {
 public:
  // The answerer and the observer must outlive the front, the door its thread, which stop() ends.
  // Without a door everything is answered.
  Front(FrontOptions options, Answerer& answerer, FrontObserver& observer, Door* door = nullptr);
  Front(const Front&) = delete;
  Front& operator=(const Front&) = delete;
  ~Front() { stop(std::chrono::milliseconds(0)); }

  void start(std::vector<Socket> listeners);
  // From now on clients speak TLS with this context, or plain HTTP if it is null. Connected clients
  // may finish a request, or send one more.
  void change_tls(std::shared_ptr<TlsContext> tls);
  FrontCounts counts() const;
  // Closes the listeners, and returns. Idle connections end immediately; new ones, and those with a
  // partial request, have the timeout. Answers continue until stop(), except for endless ones,
  // which end.
  void retire(std::chrono::milliseconds timeout);
  // The same, but returns when no connection is left but those of POSTs, or after the timeout, when
  // it cuts off what is left but for POSTs.
  void close(std::chrono::milliseconds timeout);
  // The same, and ends everything after the timeout.
  void stop(std::chrono::milliseconds timeout);

 private:
  using Time = Connection::Time;
  using Id = Clients::Id;
  // Requests from other threads.
  struct Wanted {
    std::optional<Time> close_by;
    std::optional<Time> stop_by;
    bool cuts_off = false;
    std::shared_ptr<TlsContext> tls{};
  };

  void want_close(Time until, bool cuts_off);
  void run();
  void wait();
  void serve(std::ptrdiff_t first, Time now);
  void serve_in_turns(Turns& turns, std::vector<Wanting>& wanting, Time now);
  std::optional<std::chrono::milliseconds> time_to_wait(Time now) const;
  void use_tls(const std::shared_ptr<TlsContext>& tls, Time now);
  void close_listeners(const Wanted& wanted, Time now);
  // Whether more clients may be waiting.
  bool accept_some(const Socket& listener, Time now);
  void admit(Accepted accepted, Time now);
  void turn_away(Client& client, Time now);
  bool make_room(const NetAddress& network, Time now);
  // Closes one that waits or stalls, if there is one. Null `network`: of any.
  bool shed_one(const NetAddress* network, ShedReason reason, Time now);
  bool shed(std::optional<Id> id, ShedReason reason);
  void take_answers(Time now);
  bool has_memory_for(const SharedText& body, const Party& party, Time now);
  void advance(Id id, Client& client, Time now);
  void stream(Client& client, Time now);
  void expire(Client& client, Time now);
  void report_tls_failure(Client& client, Time now);
  // What the threads that answer it share.
  struct Asked {
    RequestHead request;
    Party from{};
    bool is_last = false;  // no other request is answered over its connection
  };
  void begin_answer(Id id, Client& client, RequestHead request);
  void make_answer(Id id, const std::shared_ptr<const Asked>& asked);
  void give_answer(Id id, Answer answer);
  Answer too_many_wait();
  Answer answer_of(const Asked& asked);
  void refuse(Client& client, const Refusal& refusal, Time now);
  void publish_counts();
  void report_load(std::size_t connections, std::size_t queue, std::size_t threads);

  const FrontOptions options_;
  Answerer& answerer_;
  FrontObserver& observer_;
  Door* const door_;
  const std::shared_ptr<const Waker> waker_;  // streams may outlive the front for a moment
  std::size_t most_connections_ = 0;

  // The front's thread only.
  std::vector<Socket> listeners_;
  std::vector<Watched> watched_;
  std::vector<Id> watched_ids_;
  SentAnswers sent_;  // and not reported yet
  Clients clients_;
  std::shared_ptr<TlsContext> tls_;
  bool has_newcomer_ = false;
  bool is_closed_ = false;  // the time is over in which requests could still arrive
  Time accept_again_;       // no sooner, because the system had no room
  HttpLoad reported_load_;
  LeftoverMemory leftover_;
  Turns long_answers_;
  Turns handshakes_;

  mutable std::mutex mutex_;
  std::condition_variable counted_;
  FrontCounts counts_;
  bool listens_ = false;
  Wanted wanted_;
  std::vector<std::pair<Id, Answer>> answers_;  // made, and not yet taken

  std::thread thread_;
  AnswerPool pool_;  // ends before what its tasks use
};

}  // namespace winperf
