// Turns a request to end the program (Ctrl-C, SIGTERM, closing the console) into a stop token and a
// call, and a request to reload (SIGHUP; Windows has none) into a call.
//
// The handler only posts; whoever waits does the work. One object in the program, made before any
// other thread. A second request while the first is being carried out ends the program at once.
// Implemented in service/win and service/posix, chosen by CMake.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>

namespace winperf {

class StopSignal {
 public:
  // Called on another thread, never after the destructor. `on_stop` once.
  explicit StopSignal(std::function<void()> on_stop = {}, std::function<void()> on_reload = {});
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;
  ~StopSignal();

  std::stop_token token() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winperf
