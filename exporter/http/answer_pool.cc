#include "exporter/http/answer_pool.h"

#include <system_error>
#include <utility>

namespace winperf {

AnswerPool::AnswerPool(std::size_t threads, std::size_t queue) : most_waiting_(queue) {
  try {
    for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    stop();  // those that have begun
    throw;
  }
}

bool AnswerPool::submit(Task task) {
  {
    const std::lock_guard lock(mutex_);
    if (stopped_ || waiting_.size() >= most_waiting_) return false;
    waiting_.push_back(std::move(task));
  }
  changed_.notify_one();
  return true;
}

std::size_t AnswerPool::queued() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

void AnswerPool::stop() {
  std::deque<Task> forgotten;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    forgotten.swap(waiting_);
  }
  forgotten.clear();
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void AnswerPool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopped_ || !waiting_.empty(); });
    if (stopped_) return;
    Task task = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    task();
    task = nullptr;  // what it holds goes before others have to wait for it
    lock.lock();
  }
}

}  // namespace winperf
