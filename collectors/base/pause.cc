#include "collectors/base/pause.h"

#include <algorithm>
#include <thread>

namespace winperf {

void pause_until(std::chrono::steady_clock::time_point time, const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const auto now = std::chrono::steady_clock::now();
    if (now >= time) return;
    std::this_thread::sleep_until(std::min(time, now + kStopPollInterval));
  }
}

}  // namespace winperf
