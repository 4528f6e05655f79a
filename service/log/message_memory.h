// The last messages of the program, for clients that ask for them. Thread rule: one thread at a
// time.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "collectors/base/clock.h"
#include "service/log/log_event.h"

namespace winperf {

struct LogMessage {
  Ticks100ns time;
  Event event{};
  std::string subject{};
  std::string text{};
};

// As many as fit into both limits; the oldest go.
class MessageMemory {
 public:
  static constexpr std::size_t kMostBytesOfAText = 16 * 1024;  // the rest is cut off

  MessageMemory(std::size_t most, std::size_t most_bytes) : most_(most), most_bytes_(most_bytes) {}

  void add(LogMessage message);
  // The oldest first.
  const std::deque<LogMessage>& messages() const { return messages_; }

 private:
  const std::size_t most_;
  const std::size_t most_bytes_;  // of subjects and texts
  std::deque<LogMessage> messages_;
  std::size_t bytes_ = 0;
};

}  // namespace winperf
