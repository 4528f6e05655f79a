// Where whoever wants something of the running program leaves it, for the thread that does it.
//
// post() returns at once. A stop outranks everything and stays; reloads that nobody has begun with
// are one.
// Thread rule: post() by any thread, take() by one.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "service/run/service_host.h"

namespace winperf {

enum class Control : std::uint8_t { kNone, kReload, kStop };

class ControlQueue {
 public:
  void post(Control control);
  // Waits for the next one; kNone if there was none for so long.
  Control take(std::chrono::milliseconds timeout);

 private:
  std::mutex mutex_;
  std::condition_variable posted_;
  bool stop_ = false;
  bool reload_ = false;
};

// What every host does while the program runs.
// Returns with the inbox' first stop, or when the work can't go on.
void do_hosted_work(ControlQueue& queue, const HostedWork& work);

}  // namespace winperf
