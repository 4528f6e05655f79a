// A thread with its stop and its end. The wait for its end can have a deadline, because joining a
// thread that hangs in third-party code never returns.
//
// Thread rule: created, moved and destroyed by one thread; request_stop() and ended_by() by any.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <thread>

namespace winperf {

class BackgroundThread {
 public:
  BackgroundThread() = default;  // no thread; has ended
  // `stop` asks `work` to return; it may be called repeatedly and by any thread. Throws
  // std::system_error if the system has no thread left.
  BackgroundThread(std::function<void()> work, std::function<void()> stop);
  BackgroundThread(BackgroundThread&&) = default;
  BackgroundThread& operator=(BackgroundThread other) noexcept;
  // Requests the stop, and waits for the end.
  ~BackgroundThread();

  void request_stop() const;
  [[nodiscard]] bool is_started() const { return thread_.joinable(); }
  // False if it still runs at the deadline.
  [[nodiscard]] bool ended_by(std::chrono::steady_clock::time_point deadline) const;
  [[nodiscard]] bool has_ended() const;

 private:
  std::function<void()> stop_;
  std::future<void> ended_;
  std::thread thread_;
};

}  // namespace winperf
