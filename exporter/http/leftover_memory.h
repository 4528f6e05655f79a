// Remembers whether there was a crowd of clients, or answers that held much, and when what they
// needed is worth giving back to the system: when they have gone, but not often, because it takes
// time. Thread rule: one thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "exporter/http/clients.h"

namespace winperf {

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

}  // namespace winperf
