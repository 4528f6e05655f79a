#include "exporter/http/front.h"

#include <algorithm>

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

bool is_answered(const Client& client) {
  return client.connection.stage() == Stage::kAnswering ||
         client.connection.stage() == Stage::kSending;
}

}  // namespace

std::string_view name_of(ShedReason reason) {
  switch (reason) {
    case ShedReason::kConnections:
      return "connections";
    case ShedReason::kAddressConnections:
      return "address_connections";
    case ShedReason::kStalledAnswer:
      return "stalled_answer";
    case ShedReason::kNoRoom:
      return "no_room";
    case ShedReason::kQueue:
      return "queue";
    case ShedReason::kRequestTimeout:
      return "request_timeout";
    case ShedReason::kAnswerTimeout:
      return "answer_timeout";
  }
  std::unreachable();
}

Front::Front(FrontOptions options, Answerer& answerer, FrontObserver& observer)
    : options_(options),
      answerer_(answerer),
      observer_(observer),
      pool_(options.threads, options.queue) {}

void Front::start(std::vector<Socket> listeners) {
  listeners_ = std::move(listeners);
  const std::size_t most = most_sockets();
  most_connections_ = std::min(options_.connections, most - std::min(most - 1, kOtherSockets));
  listens_ = true;
  thread_ = std::thread([this] { run(); });
}

FrontCounts Front::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

void Front::close(std::chrono::milliseconds timeout) {
  if (!thread_.joinable()) return;
  close_by(Clock::now() + timeout);
  std::unique_lock lock(mutex_);
  counted_.wait(lock, [this] {
    return !listens_ && (counts_.connections <= counts_.posts || Clock::now() >= *close_by_);
  });
}

void Front::stop(std::chrono::milliseconds timeout) {
  if (!thread_.joinable()) return;
  close_by(Clock::now() + timeout);
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  waker_.wake();
  thread_.join();
  pool_.stop();
}

void Front::close_by(Time time) {
  {
    const std::lock_guard lock(mutex_);
    close_by_ = std::min(close_by_.value_or(time), time);
  }
  waker_.wake();
}

void Front::run() {
  while (true) {
    wait();
    const Time now = Clock::now();
    take_answers(now);
    std::optional<Time> close_by;
    bool stopping = false;
    {
      const std::lock_guard lock(mutex_);
      close_by = close_by_;
      stopping = stopping_;
    }
    // The last ones, too: who connected before the end is answered.
    if (somebody_connects_ || close_by)
      for (const Socket& listener : listeners_) accept_all(listener, now);
    if (close_by) {
      listeners_.clear();
      for (auto& [id, client] : clients_) client.connection.finish(now);
      if (now >= *close_by) end_waiting();
    }
    for (auto& [id, client] : clients_) advance(id, client, now);
    std::erase_if(clients_, [](const auto& entry) {
      return entry.second.is_over || entry.second.connection.stage() == Stage::kOver;
    });
    publish_counts();
    if (stopping && (clients_.empty() || now >= *close_by)) break;
  }
  clients_.clear();
  listeners_.clear();
  publish_counts();
}

// Watches everything that can go on, and reads and writes where that is possible.
void Front::wait() {
  watched_.clear();
  watched_ids_.clear();
  watched_.push_back({.socket = waker_.socket(), .for_reading = true});
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
  if (watched_.front().is_ready) waker_.clear();
  somebody_connects_ = std::any_of(watched_.begin() + 1, watched_.begin() + first,
                                   [](const Watched& one) { return one.is_ready; });
  auto id = watched_ids_.begin();
  for (auto one = watched_.begin() + first; one != watched_.end(); ++one, ++id)
    if (one->is_ready || one->is_broken) clients_.at(*id).see(*one, now);
}

std::optional<std::chrono::milliseconds> Front::time_to_wait(Time now) const {
  Time next = Time::max();
  for (const auto& [id, client] : clients_) {
    next = std::min(next, client.connection.deadline());
    if (client.is_unwatched_sender()) next = std::min(next, now + kSendPause);
  }
  if (now < accept_again_) next = std::min(next, accept_again_);
  {
    const std::lock_guard lock(mutex_);
    if (close_by_ && !clients_.empty() && now < *close_by_) next = std::min(next, *close_by_);
  }
  if (next == Time::max()) return std::nullopt;
  const auto time = std::chrono::ceil<std::chrono::milliseconds>(next - now);
  return std::max(time, std::chrono::milliseconds(0));
}

void Front::accept_all(const Socket& listener, Time now) {
  for (int i = 0; i < kMostAcceptedAtOnce && now >= accept_again_; ++i) {
    auto accepted = accept_from(listener);
    if (accepted) {
      admit(*std::move(accepted), now);
    } else if (accepted.error() == AcceptFailure::kNobody) {
      return;
    } else if (accepted.error() == AcceptFailure::kNoRoom &&
               !shed_one(nullptr, ShedReason::kConnections, now)) {
      accept_again_ = now + kAcceptPause;
    }
  }
}

void Front::admit(Accepted accepted, Time now) {
  const bool has_room = make_room(accepted.address, now);
  Client client(std::move(accepted), options_.connection, now);
  if (has_room) {
    client.read(now);  // most clients have sent their request by now
    clients_.emplace(next_id_++, std::move(client));
    return;
  }
  observer_.shed(ShedReason::kNoRoom);
  client.connection.answer(
      answerer_.refuse({.status = 503, .reason = "too many connections are open"}), now);
  client.write(now);
}

bool Front::make_room(const NetAddress& address, Time now) {
  const auto of_address = std::ranges::count_if(
      clients_, [&](const auto& entry) { return entry.second.address() == address; });
  if (static_cast<std::size_t>(of_address) >= options_.connections_per_address)
    return shed_one(&address, ShedReason::kAddressConnections, now);
  return clients_.size() < most_connections_ || shed_one(nullptr, ShedReason::kConnections, now);
}

bool Front::shed_one(const NetAddress* address, ShedReason reason, Time now) {
  auto longest = clients_.end();
  auto stalled = clients_.end();
  for (auto one = clients_.begin(); one != clients_.end(); ++one) {
    const Client& client = one->second;
    if (address != nullptr && client.address() != *address) continue;
    if (!is_answered(client)) {
      const bool older = longest == clients_.end() ||
                         client.connection.since() < longest->second.connection.since();
      if (older) longest = one;
    } else if (client.connection.stage() == Stage::kSending &&
               now - client.moved() >= options_.stalled_time &&
               (stalled == clients_.end() || client.moved() < stalled->second.moved())) {
      stalled = one;
    }
  }
  const auto given_up = longest != clients_.end() ? longest : stalled;
  if (given_up == clients_.end()) return false;
  observer_.shed(given_up == longest ? reason : ShedReason::kStalledAnswer);
  clients_.erase(given_up);
  return true;
}

void Front::take_answers(Time now) {
  std::vector<std::pair<Id, Answer>> answers;
  {
    const std::lock_guard lock(mutex_);
    answers.swap(answers_);
  }
  for (auto& [id, answer] : answers) {
    // The connection may have ended meanwhile.
    if (const auto found = clients_.find(id); found != clients_.end())
      found->second.connection.answer(std::move(answer), now);
  }
}

// Does everything that a connection allows without waiting.
void Front::advance(Id id, Client& client, Time now) {
  Connection& connection = client.connection;
  if (now >= connection.deadline()) {
    if (connection.stage() == Stage::kSending) observer_.shed(ShedReason::kAnswerTimeout);
    if (connection.stage() == Stage::kRequest) observer_.shed(ShedReason::kRequestTimeout);
    connection.expire(now);
  }
  bool was_sent = true;
  while (was_sent && !client.is_over) {
    if (const auto request = connection.take_request(now)) {
      if (*request) {
        begin_answer(id, client, **request, now);
      } else {
        connection.answer(answerer_.refuse(request->error()), now);
      }
    }
    was_sent = connection.stage() == Stage::kSending;
    client.write(now);
    // The next request may be there already.
    was_sent = was_sent && connection.stage() == Stage::kRequest;
  }
}

void Front::begin_answer(Id id, Client& client, const RequestHead& request, Time now) {
  client.is_post = request.method == "POST";
  const bool last = client.connection.closes();
  const bool accepted = pool_.submit([this, id, request, last] {
    Answer answer = answerer_.answer(request, last);
    {
      const std::lock_guard lock(mutex_);
      answers_.emplace_back(id, std::move(answer));
    }
    waker_.wake();
  });
  if (accepted) return;
  observer_.shed(ShedReason::kQueue);
  client.connection.answer(
      answerer_.refuse({.status = 503, .reason = "too many requests wait for an answer"}), now);
}

void Front::end_waiting() {
  std::erase_if(clients_, [](const auto& entry) { return !is_answered(entry.second); });
}

void Front::publish_counts() {
  FrontCounts counts{.connections = clients_.size()};
  for (const auto& [id, client] : clients_)
    if (is_answered(client)) ++(client.is_post ? counts.posts : counts.requests);
  const auto before = static_cast<std::ptrdiff_t>(counts_.connections);  // only written here
  observer_.connections_changed(static_cast<std::ptrdiff_t>(counts.connections) - before);
  {
    const std::lock_guard lock(mutex_);
    counts_ = counts;
    listens_ = !listeners_.empty();
  }
  counted_.notify_all();
}

}  // namespace winperf
