// Turns requests to end the program (Ctrl-C, SIGTERM, closing the console) into a stop token and a
// call, and requests to reload (SIGHUP; Windows has none) into a call.
//
// The callbacks should only post; the thread that waits does the work. There is one object in the
// program, created before any other thread. A second request to end, while the first is being
// carried out, ends the program immediately. Implemented in win/ and posix/, chosen by CMake.
// Thread rule: any thread.
#pragma once

#include <functional>
#include <memory>

#include "collectors/base/stop.h"

namespace winperf {

class StopSignal {
 public:
  // Both are called on another thread, never after the destructor; `on_stop` only once.
  explicit StopSignal(std::function<void()> on_stop = {}, std::function<void()> on_reload = {});
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;
  ~StopSignal();

  StopToken token() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winperf
