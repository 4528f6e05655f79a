// Lets one request at a time do expensive work. Thread rule: any thread.
#pragma once

#include <mutex>

namespace winperf::api {

class OneAtATime {
 public:
  // Owns the turn, or not if another request has it.
  using Turn = std::unique_lock<std::mutex>;
  [[nodiscard]] Turn take() { return Turn(mutex_, std::try_to_lock); }

 private:
  std::mutex mutex_;
};

}  // namespace winperf::api
