// The network side of the HTTP server: one thread that holds all connections.
//
// It accepts, reads requests, sends answers and closes; a pool makes the answers. No client can
// hold it up: sockets never block, each stage of a connection has a deadline in all, and threads,
// connections and waiting requests are bounded. What clients share is divided between their
// networks (party.h). When there is no room for another connection, one of the network that has
// most makes room: the one that has waited longest, whether for a whole request or for more of an
// answer without an end; after those, an answer of which its client takes nothing; after those, one
// that is being answered, if its network has more than the newcomer's. Memory for answers and
// places in the queue are taken from whoever has most of them in the same way. Answers are made in
// turns (answer_queue.h); long ones are sent, and handshakes of TLS are made, in turns as well
// (turns.h), because they take the processor for milliseconds each. Thread rule: one thread starts,
// closes and stops the front; counts() and change_tls() are for any.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "exporter/http/answer_pool.h"
#include "exporter/http/answerer.h"
#include "exporter/http/clients.h"
#include "exporter/http/front_observer.h"
#include "exporter/http/gate.h"
#include "exporter/http/leftover_memory.h"
#include "exporter/http/turns.h"

namespace winperf {

struct FrontOptions {
  ConnectionLimits connection;
  std::size_t threads = 4;   // answers made at the same time
  std::size_t queue = 1024;  // whole requests that wait for a thread
  std::size_t connections = 2048;
  std::size_t fronts = 1;  // of the process: they share the sockets that it may have
  std::size_t connections_per_address = 1024;  // or network of IPv6
  // An answer of which the client took nothing for this long makes room, too.
  std::chrono::milliseconds stalled_time{2000};
  // What answers may hold in all, but for small ones. What several have in common counts once.
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
  // The answerer and the observer must outlive the front, the gate its thread, which stop() ends.
  // Without a gate everything is answered.
  Front(FrontOptions options, Answerer& answerer, FrontObserver& observer, Gate* gate = nullptr);
  Front(const Front&) = delete;
  Front& operator=(const Front&) = delete;
  ~Front() { stop(std::chrono::milliseconds(0)); }

  void start(std::vector<Socket> listeners);
  // From now on clients speak TLS with this, or without one plain HTTP. Who is connected has the
  // rest of a request, or one.
  void change_tls(std::shared_ptr<TlsContext> tls);
  FrontCounts counts() const;
  // Gives up the listeners, and returns. Idle connections end at once; one over which a request has
  // begun, or that is new, has the timeout. What is being answered goes on until stop(), but for
  // answers without an end, which end.
  void retire(std::chrono::milliseconds timeout);
  // The same, but returns when no connection is left but those of POSTs, or after the timeout, when
  // it cuts off what is left but for POSTs.
  void close(std::chrono::milliseconds timeout);
  // The same, and ends everything after the timeout.
  void stop(std::chrono::milliseconds timeout);

 private:
  using Time = Connection::Time;
  using Id = Clients::Id;
  // What another thread wants.
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
  // Whether more clients may wait than were accepted at once.
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
  void tell_tls_failure(Client& client, Time now);
  void begin_answer(Id id, Client& client, const RequestHead& request);
  void make_answer(Id id, const RequestHead& request, const Asker& asker);
  void give_answer(Id id, Answer answer);
  Answer too_many_wait();
  Answer answer_of(const RequestHead& request, const Asker& asker);
  void refuse(Client& client, const Refusal& refusal, Time now);
  void publish_counts();
  void tell_load(std::size_t connections, std::size_t queue, std::size_t threads);

  const FrontOptions options_;
  Answerer& answerer_;
  FrontObserver& observer_;
  Gate* const gate_;
  const std::shared_ptr<const Waker> waker_;  // streams may outlive the front for a moment
  std::size_t most_connections_ = 0;

  // The front's thread only.
  std::vector<Socket> listeners_;
  std::vector<Watched> watched_;
  std::vector<Id> watched_ids_;
  Clients clients_;
  std::shared_ptr<TlsContext> tls_;
  bool somebody_connects_ = false;
  bool is_closed_ = false;  // the time is over in which requests could still arrive
  Time accept_again_;       // no sooner, because the system had no room
  HttpLoad told_load_;
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
