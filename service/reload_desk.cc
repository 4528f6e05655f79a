#include "service/reload_desk.h"

namespace winperf {

std::optional<ReloadOutcome> ReloadDesk::ask(const std::function<void()>& request,
                                             std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  const std::uint64_t wanted = begun_ + 1;
  lock.unlock();
  request();
  lock.lock();
  changed_.wait_for(lock, patience, [&] { return closed_ || ended_ >= wanted; });
  if (ended_ < wanted) return std::nullopt;
  return last_;
}

ReloadOutcome ReloadDesk::perform(const std::function<ReloadOutcome()>& reload) {
  {
    const std::lock_guard lock(mutex_);
    ++begun_;
  }
  ReloadOutcome outcome = reload();
  {
    const std::lock_guard lock(mutex_);
    ended_ = begun_;
    last_ = outcome;
  }
  changed_.notify_all();
  return outcome;
}

void ReloadDesk::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

}  // namespace winperf
