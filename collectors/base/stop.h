// A request to stop, seen by all tokens of its source, whose pauses it ends.
//
// Not std::stop_token, because nothing can wait for one without a std::stop_callback. The
// destructor of that waits for a running callback with a semaphore of libstdc++, which loses
// wake-ups on systems without a futex, such as mingw-w64, and then never returns. A condition
// variable doesn't. Thread rule: any thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace winperf {

class StopToken {
 public:
  StopToken() = default;  // never requested

  [[nodiscard]] bool stop_requested() const;

 private:
  friend class StopSource;
  friend class OnStop;
  friend void pause_until(std::chrono::steady_clock::time_point time, const StopToken& stop);
  struct State;
  explicit StopToken(std::shared_ptr<State> state);

  std::shared_ptr<State> state_;
};

// Copies are the same source.
class StopSource {
 public:
  StopSource();

  // Returns false if the stop was requested before.
  bool request_stop();
  [[nodiscard]] bool stop_requested() const { return token_.stop_requested(); }
  [[nodiscard]] StopToken token() const { return token_; }

 private:
  StopToken token_;
};

// Calls a function when the stop is requested, on the thread that requests it, or immediately if it
// was requested before. The function must return quickly and use neither source nor token.
class OnStop {
 public:
  OnStop(const StopToken& stop, std::function<void()> function);
  OnStop(const OnStop&) = delete;
  OnStop& operator=(const OnStop&) = delete;
  // The function isn't running afterwards, and isn't called any more.
  ~OnStop();

 private:
  const StopToken stop_;
  const std::function<void()> function_;
};

// Returns at that time, or as soon as a stop is requested.
void pause_until(std::chrono::steady_clock::time_point time, const StopToken& stop);

}  // namespace winperf
