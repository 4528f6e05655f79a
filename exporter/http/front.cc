#include "exporter/http/front.h"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

namespace winperf {

namespace {

using Stage = Connection::Stage;
using Clock = std::chrono::steady_clock;

// Sockets and files that the rest of the process may need.
constexpr std::size_t kOtherSockets = 64;
constexpr int kMostAcceptedAtOnce = 256;
// How long the front waits before it accepts again when the system has no room for a connection,
// or sends again to a client that it can't watch.
constexpr std::chrono::milliseconds kAcceptPause{100};
constexpr std::chrono::milliseconds kSendPause{20};

// For long answers in a round, but more if polling all sockets takes longer, so that polling never
// takes more than half of the time; and for handshakes.
constexpr std::chrono::milliseconds kLeastForLong{4};
constexpr std::chrono::milliseconds kMostForLong{200};
constexpr std::chrono::milliseconds kForHandshakes{20};

// After so many clients in a row that have gone before they were accepted, something else is wrong.
constexpr int kMostAborted = 16;

bool has_news(const Watched& one) { return one.is_ready || one.is_broken; }

// Out of memory: only this connection fails.
template <typename Action>
void guard(Client& client, const Action& action) {
  try {
    action();
  } catch (const std::bad_alloc&) {
    client.is_over = true;
  }
}

}  // namespace

std::size_t most_connections(const FrontOptions& options, std::size_t sockets) {
  const std::size_t share = (sockets - std::min(sockets, kOtherSockets)) / options.fronts;
  return std::min(options.connections, std::max<std::size_t>(share, 1));
}

// The waker is shared because a stream that is still pushed to wakes the front, which may have
// ended.
Front::Front(FrontOptions options, Answerer& answerer, FrontObserver& observer, Door* door)
    : options_(options),
      answerer_(answerer),
      observer_(observer),
      door_(door),
      waker_(std::make_shared<const Waker>()),
      pool_(options.threads, options.queue) {}

void Front::start(std::vector<Socket> listeners) {
  listeners_ = std::move(listeners);
  most_connections_ = most_connections(options_, most_sockets());
  thread_ = std::thread([this] { run(); });
  const std::lock_guard lock(mutex_);
  listens_ = true;
}

FrontCounts Front::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

void Front::retire(std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  want_close(Clock::now() + timeout, false);
  counted_.wait(lock, [&] { return !listens_; });
}

void Front::close(std::chrono::milliseconds timeout) {
  const Time until = Clock::now() + timeout;
  std::unique_lock lock(mutex_);
  want_close(until, true);
  counted_.wait(lock, [&] {
    return !listens_ && (counts_.connections <= counts_.posts || Clock::now() >= until);
  });
}

// The mutex is held.
void Front::want_close(Time until, bool cuts_off) {
  wanted_.close_by = std::min(wanted_.close_by.value_or(until), until);
  if (cuts_off) wanted_.cuts_off = true;
  waker_->wake();
}

void Front::stop(std::chrono::milliseconds timeout) {
  if (!thread_.joinable()) return;
  const Time until = Clock::now() + timeout;
  {
    const std::lock_guard lock(mutex_);
    wanted_.stop_by = until;
    want_close(until, false);
  }
  thread_.join();
  pool_.stop();
}

// A round takes requests and answers from other threads, and then serves the clients. Requests are
// copied, so that a caller never waits for a round to end.
void Front::run() {
  publish_counts();
  while (true) {
    wait();
    const Time now = Clock::now();
    Wanted wanted;
    {
      const std::lock_guard lock(mutex_);
      wanted = wanted_;
    }
    if (wanted.tls != tls_) use_tls(wanted.tls, now);
    take_answers(now);
    // Requests that are whole come before those who might take their place.
    for (auto& [id, client] : clients_) guard(client, [&] { advance(id, client, now); });
    if (has_newcomer_ && !wanted.close_by)
      for (const Socket& listener : listeners_) accept_some(listener, now);
    if (wanted.close_by) close_listeners(wanted, now);
    for (auto& [id, client] : clients_)
      if (client.connection.stage() == Stage::kOver) client.say_goodbye();
    // Only here: until now, a round may have had pointers to any of them.
    clients_.erase_if([](const Client& client) {
      return client.is_over || client.connection.stage() == Stage::kOver;
    });
    clients_.forget_sent();
    publish_counts();
    leftover_.saw_clients(clients_.size());
    if (leftover_.is_due(clients_, now)) return_free_memory();
    if (wanted.stop_by && (clients_.size() == 0 || now >= *wanted.stop_by)) break;
  }
  clients_ = {};
  publish_counts();
  report_load(0, 0, 0);
}

// Watches all sockets that can make progress, and reads and writes where possible.
void Front::wait() {
  watched_.clear();
  watched_ids_.clear();
  watched_.push_back({.socket = waker_->socket(), .for_reading = true});
  const Time before = Clock::now();
  if (before >= accept_again_)
    for (const Socket& listener : listeners_)
      watched_.push_back({.socket = listener.native(), .for_reading = true});
  const auto first = static_cast<std::ptrdiff_t>(watched_.size());
  for (const auto& [id, client] : clients_) {
    if (const auto watched = client.to_watch()) {
      watched_.push_back(*watched);
      watched_ids_.push_back(id);
    }
  }
  wait_for(watched_, time_to_wait(before));
  const Time now = Clock::now();
  // If the last round left no client out, it has also waited.
  const auto looked = long_answers_.has_left_some_out() ? now - before : Time::duration::zero();
  long_answers_.begin(std::clamp<Time::duration>(looked, kLeastForLong, kMostForLong));
  handshakes_.begin(kForHandshakes);
  if (has_news(watched_.front())) waker_->clear();
  has_newcomer_ = std::any_of(watched_.begin() + 1, watched_.begin() + first, has_news);
  serve(first, now);
}

// Those whose sockets have news, of which the first is watched at that place. Short requests don't
// wait for long ones, and requests and answers come before handshakes.
void Front::serve(std::ptrdiff_t first, Time now) {
  std::vector<Wanting> with_long_answers;
  std::vector<Wanting> shaking_hands;
  for (std::size_t i = 0; i < watched_ids_.size(); ++i) {
    const Watched& one = watched_[static_cast<std::size_t>(first) + i];
    if (!has_news(one)) continue;
    Client& client = *clients_.find(watched_ids_[i]);
    if (client.is_shaking_hands())
      shaking_hands.push_back({.client = &client, .seen = one});
    else if (client.sends_long())
      with_long_answers.push_back({.client = &client, .seen = one});
    else
      guard(client, [&] { client.see(one, now); });
  }
  // Nothing says when one of these is ready, so it is tried.
  for (auto& [id, client] : clients_)
    if (client.is_unwatched_sender())
      with_long_answers.push_back({.client = &client, .seen = {.is_ready = true}});
  serve_in_turns(long_answers_, with_long_answers, now);
  serve_in_turns(handshakes_, shaking_hands, now);
}

void Front::serve_in_turns(Turns& turns, std::vector<Wanting>& wanting, Time now) {
  Turns::put_in_order(wanting);
  for (const Wanting& one : wanting) {
    if (!turns.has_turn()) return;
    const Time before = Clock::now();
    clients_.begin_turn(*one.client);
    guard(*one.client, [&] { one.client->see(one.seen, now); });
    turns.took(Clock::now() - before);
  }
}

std::optional<std::chrono::milliseconds> Front::time_to_wait(Time now) const {
  Time next = Time::max();
  for (const auto& [id, client] : clients_) {
    next = std::min(next, client.connection.deadline());
    if (client.is_unwatched_sender()) next = std::min(next, now + kSendPause);
  }
  if (now < accept_again_) next = std::min(next, accept_again_);
  {
    // A time that is over by now counts as well, unless everything has been done about it.
    const std::lock_guard lock(mutex_);
    if (wanted_.stop_by) next = std::min(next, *wanted_.stop_by);
    if (wanted_.close_by && !is_closed_) next = std::min(next, *wanted_.close_by);
  }
  if (next == Time::max()) return std::nullopt;
  const auto time = std::chrono::ceil<std::chrono::milliseconds>(next - now);
  return std::max(time, std::chrono::milliseconds(0));
}

// Clients that connected before this are still answered. This is bounded, because clients that
// displace each other could keep connecting forever.
void Front::close_listeners(const Wanted& wanted, Time now) {
  accept_again_ = {};
  for (const Socket& listener : listeners_) {
    auto rounds = most_connections_ / kMostAcceptedAtOnce + 1;
    while (accept_some(listener, now) && clients_.size() < most_connections_ && --rounds > 0) {
    }
  }
  listeners_.clear();
  for (auto& [id, client] : clients_) client.connection.finish(now);
  if (now < *wanted.close_by) return;
  is_closed_ = true;
  clients_.erase_if([&](const Client& client) {
    return !client.is_answered() || (wanted.cuts_off && !client.is_post);
  });
}

// Without a socket for another connection, one that waits is closed, once in a call: its socket may
// go to another part of the process, so closing more of them might never end.
bool Front::accept_some(const Socket& listener, Time now) {
  int aborted = 0;
  bool has_made_room = false;
  for (int i = 0; i < kMostAcceptedAtOnce && now >= accept_again_; ++i) {
    auto accepted = accept_from(listener);
    if (accepted) {
      admit(*std::move(accepted), now);
    } else if (accepted.error() == AcceptFailure::kNobody) {
      return false;
    } else if (accepted.error() == AcceptFailure::kAborted) {
      if (++aborted == kMostAborted) accept_again_ = now + kAcceptPause;
    } else if (has_made_room || !shed_one(nullptr, ShedReason::kConnections, now)) {
      accept_again_ = now + kAcceptPause;
    } else {
      has_made_room = true;
    }
  }
  return now >= accept_again_;
}

void Front::admit(Accepted accepted, Time now) {
  const bool has_room = make_room(network_of(accepted.address), now);
  try {
    Client newcomer(std::move(accepted), options_.connection, now, tls_, &sent_);
    if (!has_room) return turn_away(newcomer, now);
    Client& client = clients_.add(std::move(newcomer));
    guard(client, [&] {
      // Most clients have sent their request by now.
      if (!client.is_shaking_hands()) client.read(now);
      advance(clients_.last_id(), client, now);
    });
  } catch (const std::bad_alloc&) {
    // There was no memory to keep it, so it is closed by now.
  }
}

// Without keeping it: it would be one too many.
void Front::turn_away(Client& client, Time now) {
  observer_.shed(ShedReason::kNoRoom);
  if (client.is_shaking_hands()) return;
  guard(client, [&] {
    client.read(now);  // what is unread when the connection is closed could cost it the answer
    refuse(client, {.status = 503, .reason = "too many connections are open"}, now);
    client.write(now);
  });
}

// A network at its limit displaces one of connections. Otherwise one that waits goes before
// one that is being answered, whose work would be lost.
bool Front::make_room(const NetAddress& network, Time now) {
  if (clients_.connections_of(network) >= options_.connections_per_address)
    return shed_one(&network, ShedReason::kAddressConnections, now);
  return clients_.size() < most_connections_ || shed_one(nullptr, ShedReason::kConnections, now) ||
         shed(clients_.one_over_its_share(network), ShedReason::kAddressShare);
}

bool Front::shed_one(const NetAddress* network, ShedReason reason, Time now) {
  return shed(clients_.one_that_waits(network), reason) ||
         shed(clients_.one_that_stalls(network, now - options_.stalled_time),
              ShedReason::kStalledAnswer);
}

bool Front::shed(std::optional<Id> id, ShedReason reason) {
  if (!id) return false;
  observer_.shed(reason);
  clients_.erase(*id);
  return true;
}

// Does everything that a connection allows without waiting.
void Front::advance(Id id, Client& client, Time now) {
  expire(client, now);
  report_tls_failure(client, now);
  bool goes_on = true;
  while (goes_on && !client.is_over) {
    if (auto request = client.connection.take_request(now)) {
      if (*request) {
        begin_answer(id, client, **std::move(request));
      } else {
        refuse(client, request->error(), now);
      }
    }
    const bool was_sending = client.connection.stage() == Stage::kSending;
    if (client.may_write()) client.write(now);
    // The next request may be there already.
    goes_on = was_sending && client.connection.stage() == Stage::kRequest;
  }
  if (!client.is_over && client.connection.has_stream()) stream(client, now);
}

// Once per round: what is pushed during it starts another one.
void Front::stream(Client& client, Time now) {
  const bool is_sending = client.connection.stage() == Stage::kSending;
  if (!client.stream(now)) {
    observer_.shed(ShedReason::kMemory);
  } else if (!is_sending) {
    client.write(now);
  }
}

void Front::expire(Client& client, Time now) {
  Connection& connection = client.connection;
  if (now < connection.deadline()) return;
  if (connection.stage() == Stage::kSending) observer_.shed(ShedReason::kAnswerTimeout);
  if (connection.stage() == Stage::kRequest) observer_.shed(ShedReason::kRequestTimeout);
  if (client.is_shaking_hands()) observer_.handshake_failed(TlsFailure::kTimeout);
  connection.expire(now);
}

// A POST isn't counted with the others, because the one that reloads the configuration would wait
// for itself when an address is closed.
void Front::publish_counts() {
  FrontCounts counts{.connections = clients_.size()};
  for (const auto& [id, client] : clients_)
    if (client.is_answered()) ++(client.is_post ? counts.posts : counts.requests);
  report_load(counts.connections, pool_.queued(), options_.threads + 1);
  if (sent_.bytes > 0) observer_.has_sent(std::exchange(sent_, {}));
  {
    const std::lock_guard lock(mutex_);
    counts_ = counts;
    listens_ = !listeners_.empty();
  }
  counted_.notify_all();
}

void Front::report_load(std::size_t connections, std::size_t queue, std::size_t threads) {
  const HttpLoad load{.connections = static_cast<std::ptrdiff_t>(connections),
                      .queue = static_cast<std::ptrdiff_t>(queue),
                      .threads = static_cast<std::ptrdiff_t>(threads)};
  observer_.load_changed({.connections = load.connections - reported_load_.connections,
                          .queue = load.queue - reported_load_.queue,
                          .threads = load.threads - reported_load_.threads});
  reported_load_ = load;
}

// The front's handling of answers: it has them made by the pool, and collects them.

// From here on other threads have the request, and the client may be gone before its answer comes:
// they know it by its number only.
void Front::begin_answer(Id id, Client& client, RequestHead request) {
  client.is_post = request.method == "POST";
  request.visitor.is_local = client.is_local();
  request.visitor.address = client.address();
  const auto asked = std::make_shared<const Asked>(Asked{.request = std::move(request),
                                                         .from = client.party(),
                                                         .is_last = client.connection.closes()});
  if (door_ == nullptr) return make_answer(id, asked);
  door_->ask(asked->request, [this, id, asked](const std::optional<Refusal>& refusal) {
    if (refusal)
      give_answer(id, answerer_.refuse(*refusal));
    else
      make_answer(id, asked);
  });
}

void Front::make_answer(Id id, const std::shared_ptr<const Asked>& asked) {
  pool_.submit({.from = asked->from,
                .effort = answerer_.effort_of(asked->request),
                .answer = [this, id, asked] { give_answer(id, answer_of(*asked)); },
                .refuse = [this, id] { give_answer(id, too_many_wait()); }});
}

Answer Front::too_many_wait() {
  observer_.shed(ShedReason::kQueue);
  return answerer_.refuse({.status = 503, .reason = "too many requests are waiting"});
}

void Front::give_answer(Id id, Answer answer) {
  {
    const std::lock_guard lock(mutex_);
    answers_.emplace_back(id, std::move(answer));
  }
  waker_->wake();
}

// Without a head if it can't be made, because memory is missing.
Answer Front::answer_of(const Asked& asked) {
  try {
    return answerer_.answer(asked.request, asked.is_last);
  } catch (const std::exception&) {
    return {};
  }
}

void Front::refuse(Client& client, const Refusal& refusal, Time now) {
  client.answer(answerer_.refuse(refusal), now);
}

void Front::take_answers(Time now) {
  std::vector<std::pair<Id, Answer>> answers;
  {
    const std::lock_guard lock(mutex_);
    answers.swap(answers_);
  }
  for (auto& [id, answer] : answers) {
    Client* const client = clients_.find(id);
    if (client == nullptr) continue;  // the connection has ended
    if (answer.head.empty()) {
      client->is_over = true;
    } else if (has_memory_for(answer.body, client->party(), now)) {
      if (answer.stream != nullptr) answer.stream->wakes(waker_);
      clients_.answer(*client, std::move(answer), now);
    } else {
      observer_.shed(ShedReason::kMemory);
      refuse(*client, {.status = 503, .reason = "too much data is waiting to be sent"}, now);
    }
  }
}

// Answers whose client reads nothing are dropped first, then one of a party that holds more than
// this one would. Small bodies are let through, because a refusal would hold as much.
bool Front::has_memory_for(const SharedText& body, const Party& party, Time now) {
  if (body.size() < Clients::kSmallBytes) return true;
  const HeldPieces& held = clients_.held();
  while (held.bytes() + held.missing(body) > options_.held_bytes) {
    const bool has_shed =
        shed(clients_.one_that_stalls_memory(now - options_.stalled_time),
             ShedReason::kStalledAnswer) ||
        shed(clients_.one_over_its_share_of_memory(party, held.missing(body)), ShedReason::kMemory);
    // One at a time may be larger, with as many clients as share it.
    if (!has_shed) return held.bytes() == 0 || held.missing(body) < Clients::kSmallBytes;
  }
  leftover_.saw_held(held.bytes() + held.missing(body));
  return true;
}

// The front's handling of TLS: new certificates and failed handshakes.

void Front::change_tls(std::shared_ptr<TlsContext> tls) {
  const std::lock_guard lock(mutex_);
  wanted_.tls = std::move(tls);
  waker_->wake();
}

// Connected clients may include some that the new configuration wouldn't admit.
void Front::use_tls(const std::shared_ptr<TlsContext>& tls, Time now) {
  tls_ = tls;
  for (auto& [id, client] : clients_) {
    if (client.is_shaking_hands()) client.is_over = true;
    client.connection.finish(now);
  }
}

void Front::report_tls_failure(Client& client, Time now) {
  const auto failure = client.take_tls_failure();
  if (!failure) return;
  observer_.handshake_failed(*failure);
  if (failure == TlsFailure::kPlainHttp)
    refuse(client, {.status = 400, .reason = "Client sent an HTTP request to an HTTPS server."},
           now);
}

}  // namespace winperf
