#include "service/control_inbox.h"

namespace winperf {

void ControlInbox::post(Control control) {
  {
    const std::lock_guard lock(mutex_);
    (control == Control::kStop ? stop_ : reload_) = true;
  }
  posted_.notify_one();
}

Control ControlInbox::take(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  if (!posted_.wait_for(lock, patience, [this] { return stop_ || reload_; })) return Control::kNone;
  if (stop_) return Control::kStop;
  reload_ = false;
  return Control::kReload;
}

}  // namespace winperf
