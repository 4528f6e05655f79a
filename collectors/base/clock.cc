#include "collectors/base/clock.h"

namespace winperf {

ClockSource system_clocks() {
  using Ticks = std::chrono::duration<std::int64_t, std::ratio<1, kTicks100nsPerSecond>>;
  return {
      .steady_now = [] { return std::chrono::steady_clock::now(); },
      .wall_now =
          [] {
            const auto since_unix = std::chrono::system_clock::now().time_since_epoch();
            return Ticks100ns{std::chrono::duration_cast<Ticks>(since_unix).count() +
                              kUnixEpoch100ns};
          },
  };
}

}  // namespace winperf
