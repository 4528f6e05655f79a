// Turns a request to end the program (Ctrl-C, SIGTERM, closing the console) into a stop token.
//
// The handler only posts; whoever waits does the work. One object in the program, made before any
// other thread. A second request while the first is being carried out ends the program at once.
// Implemented in service/win and service/posix, chosen by CMake.
#pragma once

#include <memory>
#include <stop_token>

namespace winperf {

class StopSignal {
 public:
  StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;
  ~StopSignal();

  std::stop_token token() const;
  // Returns when a request has come.
  void wait() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winperf
