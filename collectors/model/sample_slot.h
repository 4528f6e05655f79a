// The one object that the sampler and the HTTP threads share: the latest published sample.
// Thread rule: any thread. A reader holds its sample as long as it likes.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>

#include "collectors/model/sample.h"

namespace winperf {

class SampleSlot {
 public:
  void publish(std::shared_ptr<const Sample> sample) {
    {
      const std::lock_guard lock(mutex_);
      latest_ = std::move(sample);
    }
    published_.notify_all();
  }

  // Null until the first sample was published.
  std::shared_ptr<const Sample> latest() const {
    const std::lock_guard lock(mutex_);
    return latest_;
  }

  // Waits for a sample newer than `sequence`; null when stopped before.
  std::shared_ptr<const Sample> wait_newer(std::uint64_t sequence, std::stop_token stop) const {
    std::unique_lock lock(mutex_);
    const bool newer = published_.wait(lock, std::move(stop), [&] {
      return latest_ != nullptr && latest_->sequence > sequence;
    });
    return newer ? latest_ : nullptr;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable_any published_;
  std::shared_ptr<const Sample> latest_;
};

}  // namespace winperf
