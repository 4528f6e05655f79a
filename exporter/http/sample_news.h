// How those who sample tell the streams of events that there is something new. Thread rule: any
// thread.
#pragma once

#include <functional>
#include <mutex>
#include <utility>

namespace winperf {

// Says that a sample of any machine was published, and recorded.
class SampleNews {
 public:
  void note() {
    const std::lock_guard lock(mutex_);
    if (listener_) listener_();
  }
  // `listener` is called by the sampling threads, and has to be fast. Once this returns, the one
  // before isn't called any more.
  void listen(std::function<void()> listener) {
    const std::lock_guard lock(mutex_);
    listener_ = std::move(listener);
  }

 private:
  std::mutex mutex_;
  std::function<void()> listener_;
};

}  // namespace winperf
