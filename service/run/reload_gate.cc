#include "service/run/reload_gate.h"

#include <exception>
#include <utility>

#include "collectors/base/system_text.h"

namespace winperf {
namespace {

ReloadOutcome outcome_of(const std::function<ReloadOutcome()>& reload) try {
  return reload();
} catch (const std::exception& error) {
  return std::unexpected(exception_text(error));
}

}  // namespace

std::optional<ReloadOutcome> ReloadGate::ask(const std::function<void()>& request,
                                             std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  const std::uint64_t wanted = begun_ + 1;
  lock.unlock();
  request();
  lock.lock();
  changed_.wait_for(lock, timeout, [&] { return closed_ || ended_ >= wanted; });
  if (ended_ < wanted) return std::nullopt;
  return last_;
}

void ReloadGate::perform(const std::function<ReloadOutcome()>& reload,
                         const std::function<void(const ReloadOutcome&)>& report) {
  {
    const std::lock_guard lock(mutex_);
    ++begun_;
  }
  ReloadOutcome outcome = outcome_of(reload);
  if (report) report(outcome);
  {
    const std::lock_guard lock(mutex_);
    ended_ = begun_;
    last_ = std::move(outcome);
  }
  changed_.notify_all();
}

void ReloadGate::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

}  // namespace winperf
