// Queue of stop and reload requests: any thread posts them, the main thread takes them.
//
// post() returns at once. A stop request precedes everything else and stays in the queue. Reload
// requests that have not been taken yet count as one.
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
  // Waits for the next request; kNone after the timeout.
  [[nodiscard]] Control take(std::chrono::milliseconds timeout);

 private:
  std::mutex mutex_;
  std::condition_variable posted_;
  bool stop_ = false;
  bool reload_ = false;
};

// What every host does while the program runs. Returns at the first stop request, or when the work
// can't go on.
void do_hosted_work(ControlQueue& queue, const HostedWork& work,
                    std::chrono::milliseconds poll_interval = kPollInterval);

}  // namespace winperf
