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

namespace winperf {

enum class Control : std::uint8_t { kNone, kReload, kStop };

class ControlInbox {
 public:
  void post(Control control);
  // Waits for the next one; kNone if there was none for so long.
  Control take(std::chrono::milliseconds patience);

 private:
  std::mutex mutex_;
  std::condition_variable posted_;
  bool stop_ = false;
  bool reload_ = false;
};

}  // namespace winperf
