// In which order clients have their turns in a round of the front, and how many of them.
//
// What takes long, such as sending a long answer or a handshake of TLS, has a limited time in each
// round, which is only what it takes itself. Networks come one after the other, those first whose
// turn was longest ago, and of each the client whose turn was longest ago; only when each has had
// one, they have another. So a client waits for one turn of each other network, however many
// clients that has. Thread rule: one thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "exporter/http/clients.h"

namespace winperf {

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
  // Whether the round that was begun last had no turn for somebody.
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

}  // namespace winperf
