#include "service/stop_signal.h"

#include <windows.h>

#include <atomic>
#include <cstdlib>

namespace winperf {

struct StopSignal::State {
  std::stop_source stop;
};

namespace {

// The console handler takes no context, so the one state is reachable from here.
std::atomic<std::stop_source*> g_stop = nullptr;

// Runs on a thread of the system's.
BOOL WINAPI on_console_event(DWORD event) {
  // Somebody's, and not of whoever has started this: only programs that services have started hear
  // of it, the others have ended by then.
  if (event == CTRL_LOGOFF_EVENT) return TRUE;
  std::stop_source* const stop = g_stop.load();
  if (stop == nullptr) return FALSE;
  if (stop->stop_requested()) std::_Exit(EXIT_FAILURE);
  stop->request_stop();
  return TRUE;
}

}  // namespace

StopSignal::StopSignal(std::function<void()>) : state_(std::make_unique<State>()) {
  g_stop = &state_->stop;
  SetConsoleCtrlHandler(on_console_event, TRUE);
}

StopSignal::~StopSignal() {
  SetConsoleCtrlHandler(on_console_event, FALSE);
  g_stop = nullptr;
}

std::stop_token StopSignal::token() const { return state_->stop.get_token(); }

}  // namespace winperf
