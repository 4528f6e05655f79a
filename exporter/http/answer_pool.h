// Threads that make answers. Each takes a request, makes its answer, and is free again: none waits
// for a client. Which one is next, and which one is refused if too many wait, answer_queue.h says.
// Thread rule: submit() and queued() by any thread, stop() by the one that made the pool.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#include "exporter/http/answer_queue.h"

namespace winperf {

class AnswerPool {
 public:
  // At most `queue` jobs wait for a thread. Throws std::system_error if the system has no thread.
  AnswerPool(std::size_t threads, std::size_t queue);
  AnswerPool(const AnswerPool&) = delete;
  AnswerPool& operator=(const AnswerPool&) = delete;
  ~AnswerPool() { stop(); }

  // Refuses a job at once, on this thread, if too many wait: this one or another. A pool that was
  // stopped refuses each.
  void submit(AnswerJob job);
  std::size_t queued() const;  // jobs that wait for a thread
  // Forgets what waits, and returns when what is being done has been done.
  void stop();

 private:
  void work();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  AnswerQueue waiting_;
  bool stopped_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace winperf
