#include "service/console/stop_signal.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <utility>

namespace winperf {

// The signals are blocked in every thread, and one thread receives them, so that no code runs in
// signal context.
struct StopSignal::State {
  sigset_t signals{};
  StopSource stop;
  std::jthread receiver;
};

namespace {
constexpr int kWakeReceiver = SIGUSR1;
// One request may arrive twice, to the process and to its group, as timeout(1) sends it. A person
// takes longer to repeat one.
constexpr std::chrono::milliseconds kSameRequest{500};
}  // namespace

StopSignal::StopSignal(std::function<void()> on_stop, std::function<void()> on_reload)
    : state_(std::make_unique<State>()) {
  sigemptyset(&state_->signals);
  for (const int signal : {SIGINT, SIGTERM, kWakeReceiver}) sigaddset(&state_->signals, signal);
  if (on_reload) sigaddset(&state_->signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &state_->signals, nullptr);
  state_->receiver =
      std::jthread([this, on_stop = std::move(on_stop), on_reload = std::move(on_reload)] {
        int signal = 0;
        std::chrono::steady_clock::time_point requested_at;
        while (sigwait(&state_->signals, &signal) == 0 && signal != kWakeReceiver) {
          if (signal == SIGHUP) {
            on_reload();
            continue;
          }
          const auto now = std::chrono::steady_clock::now();
          if (!state_->stop.stop_requested()) {
            requested_at = now;
            state_->stop.request_stop();
            if (on_stop) on_stop();
          } else if (now - requested_at >= kSameRequest) {
            std::_Exit(EXIT_FAILURE);
          }
        }
      });
}

StopSignal::~StopSignal() { pthread_kill(state_->receiver.native_handle(), kWakeReceiver); }

StopToken StopSignal::token() const { return state_->stop.token(); }

}  // namespace winperf
