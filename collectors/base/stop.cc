#include "collectors/base/stop.h"

#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

namespace winperf {

struct StopToken::State {
  std::mutex mutex;
  std::condition_variable changed;
  bool requested = false;
  std::vector<const std::function<void()>*> functions;
};

StopToken::StopToken(std::shared_ptr<State> state) : state_(std::move(state)) {}

bool StopToken::stop_requested() const {
  if (state_ == nullptr) return false;
  const std::lock_guard lock(state_->mutex);
  return state_->requested;
}

StopSource::StopSource() : token_(std::make_shared<StopToken::State>()) {}

bool StopSource::request_stop() {
  StopToken::State& state = *token_.state_;
  // Notified under the lock, since a thread that sees the request may destroy the source.
  const std::lock_guard lock(state.mutex);
  if (std::exchange(state.requested, true)) return false;
  state.changed.notify_all();
  for (const auto* function : state.functions) (*function)();
  return true;
}

OnStop::OnStop(const StopToken& stop, std::function<void()> function)
    : stop_(stop), function_(std::move(function)) {
  if (stop_.state_ == nullptr) return;
  const std::lock_guard lock(stop_.state_->mutex);
  if (stop_.state_->requested) function_();
  stop_.state_->functions.push_back(&function_);
}

OnStop::~OnStop() {
  if (stop_.state_ == nullptr) return;
  const std::lock_guard lock(stop_.state_->mutex);
  std::erase(stop_.state_->functions, &function_);
}

void pause_until(std::chrono::steady_clock::time_point time, const StopToken& stop) {
  // Not sleep_until(), which may return a millisecond early on Windows.
  StopToken::State nobody;
  StopToken::State& state = stop.state_ == nullptr ? nobody : *stop.state_;
  std::unique_lock lock(state.mutex);
  state.changed.wait_until(lock, time, [&state] { return state.requested; });
}

}  // namespace winperf
