// Who the processes of the recent past belonged to, and their command lines, as far as both were
// read beside the samples (the facts about processes). Thread rule: the book is for one thread;
// what it has shown is immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "collectors/model/clock.h"

namespace winperf::recorder {

struct ProcessOwner {
  std::uint64_t process_id = 0;
  std::string owner{};         // may be empty
  std::string command_line{};  // may be empty
  bool operator==(const ProcessOwner&) const = default;
};

// A process, from the first reading that had it to the last one.
struct OwnedTime {
  SteadyTime first{};
  SteadyTime last{};  // of one that is still there: the last reading
  bool is_there = false;
  std::shared_ptr<const ProcessOwner> owner{};  // never null
};

// Processes as they were read until a time.
struct ProcessOwners {
  std::shared_ptr<const std::vector<OwnedTime>> processes{};  // null if there are none
  SteadyTime read_at{};

  // The process with this id that a reading within the time has found; of several, the one that
  // was there for most of it. Null if none has: its id may have been another one's before.
  const ProcessOwner* find(std::uint64_t process_id, SteadyTime from, SteadyTime to) const;
};

class OwnerBook {
 public:
  // All processes of a reading. Those that ended before `oldest` are forgotten, and then those that
  // ended first, until the rest takes `most_bytes`. What throws may leave more than that.
  void note(std::vector<ProcessOwner> processes, SteadyTime at, SteadyTime oldest,
            std::size_t most_bytes);
  // Forgets what is more than that.
  void limit(std::size_t most_bytes);
  void forget() noexcept;

  const ProcessOwners& owners() const { return owners_; }
  std::size_t memory() const { return memory_; }  // in bytes

 private:
  ProcessOwners owners_;
  std::size_t memory_ = 0;
};

}  // namespace winperf::recorder
