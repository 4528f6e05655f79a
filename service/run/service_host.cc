#include "service/run/service_host.h"

namespace winperf {

void ControlQueue::post(Control control) {
  {
    const std::lock_guard lock(mutex_);
    (control == Control::kStop ? stop_ : reload_) = true;
  }
  posted_.notify_one();
}

Control ControlQueue::take(std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  if (!posted_.wait_for(lock, timeout, [this] { return stop_ || reload_; })) return Control::kNone;
  if (stop_) return Control::kStop;
  reload_ = false;
  return Control::kReload;
}

void do_hosted_work(ControlQueue& queue, const HostedWork& work,
                    std::chrono::milliseconds poll_interval) {
  while (true) {
    const Control control = queue.take(poll_interval);
    if (control == Control::kStop) return;
    if (control == Control::kReload) {
      work.reload();
    } else if (!work.poll()) {
      return;
    }
  }
}

}  // namespace winperf
