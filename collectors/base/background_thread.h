// A thread with its stop and its end. The end can be waited for up to a deadline, because whoever
// joins a thread that hangs in other people's code waits for ever.
//
// Thread rule: created, moved and destroyed by one thread; request_stop() and the end are for any.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <thread>

namespace winperf {

class BackgroundThread {
 public:
  BackgroundThread() = default;  // none, which has ended
  // `stop` asks `work` to return. It is called by whoever wants that, as often as they do. Throws
  // std::system_error if the system has no thread left.
  BackgroundThread(std::function<void()> work, std::function<void()> stop);
  BackgroundThread(BackgroundThread&&) = default;
  BackgroundThread& operator=(BackgroundThread other) noexcept;
  // Requests the stop, and waits for the end.
  ~BackgroundThread();

  void request_stop() const;
  [[nodiscard]] bool is_started() const { return thread_.joinable(); }
  // False if it still works at the deadline.
  [[nodiscard]] bool ended_by(std::chrono::steady_clock::time_point deadline) const;
  [[nodiscard]] bool has_ended() const;

 private:
  std::function<void()> stop_;
  std::future<void> ended_;
  std::thread thread_;
};

}  // namespace winperf
