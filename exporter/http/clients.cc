#include "exporter/http/clients.h"

#include <algorithm>

namespace winperf {

std::size_t Clients::count_of(const NetAddress& address) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      all_, [&](const auto& entry) { return entry.second.address() == address; }));
}

std::size_t Clients::answered_posts() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      all_, [](const auto& entry) { return entry.second.is_post && entry.second.is_answered(); }));
}

HeldPieces Clients::held() const {
  HeldPieces held;
  for (const auto& [id, client] : all_)
    if (!client.connection.has_stream()) held.add(client.connection.body());
  return held;
}

std::optional<Clients::Id> Clients::longest_waiting(const NetAddress* address) const {
  std::optional<Id> longest;
  Time since = Time::max();
  for (const auto& [id, client] : all_) {
    if (client.is_answered() || client.connection.since() >= since) continue;
    if (address != nullptr && client.address() != *address) continue;
    longest = id;
    since = client.connection.since();
  }
  return longest;
}

std::optional<Clients::Id> Clients::longest_stalled(const NetAddress* address, Time since,
                                                    std::size_t body_bytes) const {
  std::optional<Id> longest;
  for (const auto& [id, client] : all_) {
    if (client.connection.stage() != Connection::Stage::kSending) continue;
    if (client.stalled_since() > since || client.connection.body().size() < body_bytes) continue;
    if (address != nullptr && client.address() != *address) continue;
    longest = id;
    since = client.stalled_since();
  }
  return longest;
}

}  // namespace winperf
