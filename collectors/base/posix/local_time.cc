#include "collectors/base/local_time.h"

#include <ctime>

namespace winperf {

std::chrono::seconds utc_offset(Ticks100ns time) {
  const std::time_t seconds = (time.ticks - kUnixEpoch100ns) / kTicks100nsPerSecond;
  std::tm local{};
  if (localtime_r(&seconds, &local) == nullptr) return {};
  return std::chrono::seconds(local.tm_gmtoff);
}

}  // namespace winperf
