// Where the service's control handler leaves what it is asked for, for the thread that does it.
//
// post() returns at once. A stop outranks everything and stays; reloads that nobody has begun with
// are one.
// Thread rule: post() by any thread, take() by one.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace winperf {

enum class Control : std::uint8_t { kReload, kStop };

class ControlInbox {
 public:
  void post(Control control);
  // Waits for the next one.
  Control take();

 private:
  std::mutex mutex_;
  std::condition_variable posted_;
  bool stop_ = false;
  bool reload_ = false;
};

}  // namespace winperf
