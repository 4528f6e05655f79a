#include "service/stop_signal.h"

#include <condition_variable>
#include <mutex>

namespace winperf {

void StopSignal::wait() const {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  wake.wait(lock, token(), [] { return false; });
}

}  // namespace winperf
