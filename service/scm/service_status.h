// The state that a service reports to Windows' service control manager, as a state machine that
// knows nothing about Windows.
//
// A service is starting, running, stopping, stopped, in this order. A state may be skipped; a step
// back is ignored, such as running() after a stop request has arrived. While the service is
// starting or stopping, each further call shows that it makes progress: it is reported with a
// higher checkpoint, and the manager waits for another wait hint. Nothing is reported after
// stopped().
// Thread rule: any thread; reports are made one at a time, in the order of the states.
// Source: Learn, SERVICE_STATUS and "Service State Transitions".
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>

namespace winperf {

enum class ServiceState : std::uint8_t { kStarting, kRunning, kStopping, kStopped };

struct ServiceReport {
  ServiceState state = ServiceState::kStarting;
  bool accepts_controls = false;           // stop, system shutdown, changed parameters
  std::uint32_t checkpoint = 0;            // from 1 while starting or stopping, otherwise 0
  std::chrono::milliseconds wait_hint{0};  // until the next report; 0 if none is due
  int exit_code = 0;                       // once stopped
  bool operator==(const ServiceReport&) const = default;
};

class ServiceStatus {
 public:
  using Reporter = std::function<void(const ServiceReport&)>;

  explicit ServiceStatus(Reporter report) : report_(std::move(report)) {}

  void starting();
  void running();
  void stopping();
  void stopped(int exit_code);

 private:
  void enter(ServiceReport next);

  std::mutex mutex_;
  const Reporter report_;
  ServiceReport last_;
  bool reported_ = false;
};

}  // namespace winperf
