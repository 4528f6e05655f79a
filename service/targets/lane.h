// A thread with a worker and the targets that it samples, one after the other, whichever is due
// first. A target that costs the worker its process leaves the lane at once, if there is another
// place for it; the others are overdue by then and follow immediately.
//
// Thread rule: created and destroyed by one thread; everything else by any.
#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "collectors/model/worker_state.h"
#include "collectors/sources/changes.h"
#include "service/targets/target_session.h"
#include "service/targets/target_tools.h"

namespace winperf {

class Lane {
 public:
  static constexpr std::chrono::minutes kWellAgain{10};

  // Where a target goes that leaves; called on the lane's thread, when the lane has let it go.
  using Leave = std::function<void(std::shared_ptr<Target>)>;

  // `is_for_hanging`: those that hang stay, and leave when they have been well for kWellAgain.
  Lane(std::shared_ptr<worker::Worker> worker, const TargetTools& tools, bool is_for_hanging,
       Leave leave);
  ~Lane() { request_stop(); }

  // `due`: its first sample.
  void add(std::shared_ptr<Target> target, SteadyTime due);
  // Retired targets go.
  void look();
  void request_stop() { changes_.request_stop(); }
  // False if the thread still waits for an answer at the deadline.
  [[nodiscard]] bool ended_by(std::chrono::steady_clock::time_point deadline) const {
    return ended_.wait_until(deadline) == std::future_status::ready;
  }

  // How many targets it has or was given.
  std::size_t size() const { return size_; }
  WorkerState worker_state() const;

 private:
  struct Arrival {
    std::shared_ptr<Target> target;
    SteadyTime due;
  };
  using Arrivals = std::vector<Arrival>;
  using Sessions = std::vector<std::unique_ptr<TargetSession>>;

  void run(const StopToken& stop);
  void take(Arrivals arrivals);
  void step(Sessions::iterator session, const StopToken& stop);
  // The session that is due first; the end if there is none.
  Sessions::iterator first_due();
  void let_go(Sessions::iterator session);

  const std::shared_ptr<worker::Worker> worker_;
  const TargetTools& tools_;
  const bool is_for_hanging_;
  const Leave leave_;
  std::atomic<std::size_t> size_ = 0;

  Sessions sessions_;  // the thread's own
  mutable std::mutex mutex_;
  WorkerState worker_state_;

  Changes<Arrivals> changes_;
  std::promise<void> promise_;
  std::future<void> ended_;
  std::jthread thread_;
};

}  // namespace winperf
