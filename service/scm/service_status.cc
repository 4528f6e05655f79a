#include "service/scm/service_status.h"

namespace winperf {
namespace {

// Longer than any single step: after this time without a report, the manager considers the service
// hung.
constexpr std::chrono::milliseconds kStartHint{5000};
constexpr std::chrono::milliseconds kStopHint{3000};

bool is_pending(ServiceState state) {
  return state == ServiceState::kStarting || state == ServiceState::kStopping;
}

}  // namespace

void ServiceStatus::starting() {
  enter({.state = ServiceState::kStarting, .wait_hint = kStartHint});
}

void ServiceStatus::running() {
  enter({.state = ServiceState::kRunning, .accepts_controls = true});
}

void ServiceStatus::stopping() {
  enter({.state = ServiceState::kStopping, .wait_hint = kStopHint});
}

void ServiceStatus::stopped(int exit_code) {
  enter({.state = ServiceState::kStopped, .exit_code = exit_code});
}

void ServiceStatus::enter(ServiceReport next) {
  const std::lock_guard lock(mutex_);
  const bool again = reported_ && next.state == last_.state;
  if (reported_ && next.state < last_.state) return;
  if (again && !is_pending(next.state)) return;
  if (is_pending(next.state)) next.checkpoint = again ? last_.checkpoint + 1 : 1;
  last_ = next;
  reported_ = true;
  report_(next);
}

}  // namespace winperf
