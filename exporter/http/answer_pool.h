// Threads that make answers. Each takes a request, makes its answer, and is free again: none waits
// for a client. Thread rule: submit() and queued() by any thread, stop() by the one that made the
// pool.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace winperf {

class AnswerPool {
 public:
  using Task = std::function<void()>;  // doesn't throw

  // At most `queue` tasks wait for a thread. Throws std::system_error if the system has no thread.
  AnswerPool(std::size_t threads, std::size_t queue);
  AnswerPool(const AnswerPool&) = delete;
  AnswerPool& operator=(const AnswerPool&) = delete;
  ~AnswerPool() { stop(); }

  // False if the queue is full or the pool was stopped.
  [[nodiscard]] bool submit(Task task);
  std::size_t queued() const;  // tasks that wait for a thread
  // Forgets what waits, and returns when what is being done has been done.
  void stop();

 private:
  void work();

  const std::size_t most_waiting_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> waiting_;
  bool stopped_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace winperf
