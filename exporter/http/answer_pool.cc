#include "exporter/http/answer_pool.h"

#include <system_error>
#include <utility>

namespace winperf {

AnswerPool::AnswerPool(std::size_t threads, std::size_t queue) : waiting_(threads, queue) {
  try {
    for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    stop();  // those that have begun
    throw;
  }
}

void AnswerPool::submit(AnswerJob job) {
  AnswerQueue::Jobs refused;
  {
    const std::lock_guard lock(mutex_);
    if (stopped_)
      refused.push_back(std::move(job));
    else
      refused = waiting_.add(std::move(job));
  }
  changed_.notify_one();
  for (const AnswerJob& one : refused) one.refuse();
}

std::size_t AnswerPool::queued() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

void AnswerPool::stop() {
  AnswerQueue::Jobs forgotten;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    forgotten = waiting_.take_all();
  }
  forgotten.clear();
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

// What waits may have to leave its thread to others; the thread whose end changes that takes it.
void AnswerPool::work() {
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    AnswerQueue::Jobs taken = waiting_.take();
    if (taken.empty()) {
      changed_.wait(lock);
      continue;
    }
    lock.unlock();
    AnswerJob& job = taken.front();
    job.answer();
    job.answer = job.refuse = nullptr;  // what they hold goes before others have to wait for it
    lock.lock();
    waiting_.done(job);
  }
}

}  // namespace winperf
