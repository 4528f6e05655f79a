#include "collectors/base/background_thread.h"

#include <utility>

namespace winperf {

BackgroundThread::BackgroundThread(std::function<void()> work, std::function<void()> stop)
    : stop_(std::move(stop)) {
  std::promise<void> end;
  ended_ = end.get_future();
  thread_ = std::thread([work = std::move(work), end = std::move(end)]() mutable {
    work();
    end.set_value();
  });
}

BackgroundThread& BackgroundThread::operator=(BackgroundThread other) noexcept {
  std::swap(stop_, other.stop_);
  std::swap(ended_, other.ended_);
  std::swap(thread_, other.thread_);
  return *this;
}

BackgroundThread::~BackgroundThread() {
  if (!is_started()) return;
  request_stop();
  thread_.join();
}

void BackgroundThread::request_stop() const {
  if (is_started()) stop_();
}

bool BackgroundThread::ended_by(std::chrono::steady_clock::time_point deadline) const {
  return !is_started() || ended_.wait_until(deadline) == std::future_status::ready;
}

bool BackgroundThread::has_ended() const {
  return !is_started() || ended_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace winperf
