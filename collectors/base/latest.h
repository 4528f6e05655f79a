// The newest of something that one thread makes and others read: all that they share of it.
// Thread rule: any thread. A reader may keep what it got as long as it likes.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

namespace winperf {

template <class Value>
class Latest {
 public:
  void publish(std::shared_ptr<const Value> value) {
    const std::lock_guard lock(mutex_);
    latest_ = std::move(value);
  }

  // Null until the first one is published.
  std::shared_ptr<const Value> latest() const {
    const std::lock_guard lock(mutex_);
    return latest_;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const Value> latest_;
};

}  // namespace winperf
