// All connections that a front holds, and which of them has to go when there is no room.
// Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "exporter/http/client.h"
#include "exporter/http/held_pieces.h"

namespace winperf {

class Clients {
 public:
  using Id = std::uint64_t;  // in the order in which they came
  using Time = Connection::Time;

  Client& add(Client client) { return all_.emplace(next_id_++, std::move(client)).first->second; }
  Client* find(Id id) {
    const auto found = all_.find(id);
    return found == all_.end() ? nullptr : &found->second;
  }
  Id last_id() const { return next_id_ - 1; }  // of the one that was added last
  void erase(Id id) { all_.erase(id); }
  template <typename Predicate>
  void erase_if(Predicate predicate) {
    std::erase_if(all_, [&](const auto& entry) { return predicate(entry.second); });
  }

  std::size_t size() const { return all_.size(); }
  auto begin() { return all_.begin(); }
  auto end() { return all_.end(); }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

  std::size_t count_of(const NetAddress& address) const;
  std::size_t answered_posts() const;
  HeldPieces held() const;  // by answers that have an end

  // The one that has waited longest, for a request or for more of an answer without an end. Null
  // `address`: of any.
  std::optional<Id> longest_waiting(const NetAddress* address) const;
  // The one whose client has taken nothing of its answer for longest, at least since then, and
  // whose body has at least so many bytes. Null `address`: of any.
  std::optional<Id> longest_stalled(const NetAddress* address, Time since,
                                    std::size_t body_bytes) const;

 private:
  std::map<Id, Client> all_;
  Id next_id_ = 0;
};

}  // namespace winperf
