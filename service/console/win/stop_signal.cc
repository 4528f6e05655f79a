#include "service/console/stop_signal.h"

#include <windows.h>

#include <cstdlib>
#include <mutex>
#include <utility>

namespace winperf {

struct StopSignal::State {
  StopSource stop;
  std::function<void()> on_stop;
};

namespace {

// The console handler receives no context, so its callback is global. The handler holds the mutex
// while it runs, so the destructor waits for it.
std::mutex g_mutex;
std::function<void()> g_stop;

// Called by the system on a separate thread.
BOOL WINAPI on_console_event(DWORD event) {
  // Only programs in the services' session receive this, when any user logs off: the programs of
  // that user have ended already.
  if (event == CTRL_LOGOFF_EVENT) return TRUE;
  {
    const std::lock_guard lock(g_mutex);
    if (!g_stop) return FALSE;
    g_stop();
  }
  // Of a window that is closed, Windows ends the programs as soon as they have answered, or after
  // five seconds: this thread ends with the program.
  if (event == CTRL_CLOSE_EVENT) Sleep(INFINITE);
  return TRUE;
}

}  // namespace

StopSignal::StopSignal(std::function<void()> on_stop, std::function<void()>)
    : state_(std::make_unique<State>(StopSource(), std::move(on_stop))) {
  {
    const std::lock_guard lock(g_mutex);
    g_stop = [state = state_.get()] {
      if (!state->stop.request_stop()) std::_Exit(EXIT_FAILURE);
      if (state->on_stop) state->on_stop();
    };
  }
  SetConsoleCtrlHandler(on_console_event, TRUE);
}

StopSignal::~StopSignal() {
  SetConsoleCtrlHandler(on_console_event, FALSE);
  const std::lock_guard lock(g_mutex);
  g_stop = nullptr;
}

StopToken StopSignal::token() const { return state_->stop.token(); }

}  // namespace winperf
