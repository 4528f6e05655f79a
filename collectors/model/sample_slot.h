// The one object that the sampler and the HTTP threads share: the latest published sample.
// Thread rule: any thread. A reader holds its sample as long as it likes.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "collectors/model/sample.h"

namespace winperf {

class SampleSlot {
 public:
  void publish(std::shared_ptr<const Sample> sample) {
    const std::lock_guard lock(mutex_);
    latest_ = std::move(sample);
  }

  // Null until the first sample was published.
  std::shared_ptr<const Sample> latest() const {
    const std::lock_guard lock(mutex_);
    return latest_;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const Sample> latest_;
};

}  // namespace winperf
