// Threads that make answers. Each takes a request, makes its answer, and is free again: none waits
// for a client. AnswerQueue decides which one is next, and which one is refused if too many wait.
// Thread rule: submit() and queued() by any thread, stop() by the one that made the pool.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "exporter/http/connection.h"

namespace winperf {

// Requests that wait for a thread, and which of them is next.
//
// Addresses take turns (connection.h): the next answer is for the one that has fewest in the
// making, and of those for the one whose turn was longest ago. Of one address, connections that
// have been answered before and others alternate. So a request waits for one answer of each other
// address, however many of them wait.
//
// Efforts take turns as well, and those that aren't plain may have half of the threads each, and
// together all but one: a plain answer always finds a thread. With one thread, every other answer
// is a plain one as long as any waits.
//
// If too many wait, the newest job of the largest group is dropped: of the address with most jobs,
// its effort with most, and its connections that were or weren't answered before. Thread rule: one
// thread at a time.

// Neither function throws; one of them is called, once, unless the program stops.
struct AnswerJob {
  Party from{};
  Effort effort = Effort::kPlain;
  std::function<void()> answer{};
  std::function<void()> refuse{};  // there is no room for it to wait
};

class AnswerQueue {
 public:
  using Jobs = std::list<AnswerJob>;

  // For so many threads; at most `most` wait.
  AnswerQueue(std::size_t threads, std::size_t most);

  // Returns what is dropped to make room: nothing, another job, or this one.
  [[nodiscard]] Jobs add(AnswerJob job);
  // For a free thread: the next job, or nothing if none may begin. It counts as in the making until
  // done().
  [[nodiscard]] Jobs take();
  void done(const AnswerJob& job);

  std::size_t size() const { return size_; }
  // All that wait.
  [[nodiscard]] Jobs take_all();

 private:
  // Of one address and one effort.
  struct Line {
    std::array<Jobs, 2> jobs;  // of connections that weren't and were answered before
    bool others_are_next = false;
    std::size_t size() const { return jobs[0].size() + jobs[1].size(); }
  };
  struct Sender {
    std::array<Line, kAllEfforts.size()> lines;
    std::size_t in_the_making = 0;
    std::size_t waiting() const { return lines[0].size() + lines[1].size() + lines[2].size(); }
  };
  using Circle = std::list<NetAddress>;  // of those that wait, in the order of their turns

  static std::size_t index_of(Effort effort) { return static_cast<std::size_t>(effort); }
  bool may_begin(Effort effort) const;
  std::optional<Effort> next_effort() const;
  Circle::iterator next_in(Circle& circle);
  Jobs shed(const NetAddress& newcomer);
  void leave_if_empty(const NetAddress& network, Effort effort);

  const std::size_t half_;
  const std::size_t all_but_one_;
  const std::size_t most_;
  std::map<NetAddress, Sender> senders_;  // that wait, or whose answers are in the making
  std::array<Circle, kAllEfforts.size()> circles_;
  std::array<std::size_t, kAllEfforts.size()> in_the_making_{};
  std::array<std::uint64_t, kAllEfforts.size()> begun_{};  // when one of them was begun last
  std::uint64_t begun_in_all_ = 0;
  bool last_was_plain_ = false;
  std::size_t size_ = 0;
};

class AnswerPool {
 public:
  // At most `queue` jobs wait for a thread. Throws std::system_error if the system has no thread.
  AnswerPool(std::size_t threads, std::size_t queue);
  AnswerPool(const AnswerPool&) = delete;
  AnswerPool& operator=(const AnswerPool&) = delete;
  ~AnswerPool() { stop(); }

  // If too many wait, refuses a job on this thread immediately: this one or another. A stopped pool
  // refuses every job.
  void submit(AnswerJob job);
  std::size_t queued() const;  // jobs that wait for a thread
  // Discards waiting jobs, and returns when running ones have finished.
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
