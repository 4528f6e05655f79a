// The latest published sample: the only sample data that the sampling and HTTP threads share.
// Thread rule: any thread. A reader may keep its sample as long as it likes.
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

  // Null until the first sample is published.
  std::shared_ptr<const Sample> latest() const {
    const std::lock_guard lock(mutex_);
    return latest_;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const Sample> latest_;
};

}  // namespace winperf
