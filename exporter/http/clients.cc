#include "exporter/http/clients.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace winperf {
namespace {

using Stage = Connection::Stage;
using Time = Connection::Time;

// What each network holds: of its clients that weren't answered before, and of those that were.
using Holdings = std::map<NetAddress, std::array<std::size_t, 2>>;

std::size_t total(const Holdings& holdings, const NetAddress& network) {
  const auto found = holdings.find(network);
  return found == holdings.end() ? 0 : found->second[0] + found->second[1];
}

std::size_t part_of(const Party& party) { return party.was_answered ? 1 : 0; }

bool has_large_answer(const Client& client) {
  return client.connection.stage() == Stage::kSending && !client.connection.has_stream() &&
         client.connection.body().size() >= Clients::kSmallBytes;
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
    if (client.connection.stage() != Stage::kSending || client.stalled_since() > since)
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
  if (answer.stream == nullptr) {
    held_.add(answer.body);
    client.held = answer.body;
  }
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
  // Whoever of the same network has more than its part, if no other network has more.
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
