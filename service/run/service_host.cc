#include "service/run/service_host.h"

#include <algorithm>
#include <utility>

namespace winperf {

void ControlQueue::post(Control control) {
  {
    const std::lock_guard lock(mutex_);
    stop_ |= control == Control::kStop;
    reload_ |= control == Control::kReload;
    maintain_ |= control == Control::kMaintain;
  }
  posted_.notify_one();
}

Control ControlQueue::take(std::chrono::steady_clock::time_point until) {
  std::unique_lock lock(mutex_);
  posted_.wait_until(lock, until, [this] { return stop_ || reload_ || maintain_; });
  if (stop_) return Control::kStop;
  if (std::exchange(reload_, false)) return Control::kReload;
  return std::exchange(maintain_, false) ? Control::kMaintain : Control::kNone;
}

bool passes_without_stop(ControlQueue& queue, std::chrono::milliseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  Control control = Control::kMaintain;
  while (control != Control::kNone && control != Control::kStop) control = queue.take(until);
  return control == Control::kNone;
}

void do_hosted_work(ControlQueue& queue, const HostedWork& work) {
  auto due = std::chrono::steady_clock::now();
  while (true) {
    switch (queue.take(due)) {
      case Control::kStop:
        return;
      case Control::kReload:
        work.reload();
        due = std::min(due, std::chrono::steady_clock::now() + kPollAfterReload);
        break;
      case Control::kMaintain:
        work.maintain();
        break;
      case Control::kNone: {
        const auto pause = work.poll();
        if (!pause) return;
        due = std::chrono::steady_clock::now() + *pause;
      }
    }
  }
}

}  // namespace winperf
