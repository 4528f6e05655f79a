// A thread with a worker and the targets that it samples, one after the other, whichever is due
// first. A target that costs the worker its process leaves a common lane at once; the others are
// overdue by then and follow immediately.
//
// Thread rule: created and destroyed by one thread; everything else by any.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "collectors/base/background_thread.h"
#include "collectors/base/changes.h"
#include "collectors/model/worker_state.h"
#include "service/targets/target_session.h"

namespace winperf {

// Which targets a lane is for.
enum class LaneKind : std::uint8_t {
  kCommon,   // that answer
  kHanging,  // that cost a process; they leave when they have been well for Lane::kWellAgain
  kTrial,    // that strangers name, for their first attempt alone
};
inline constexpr std::size_t kLaneKinds = 3;

class Lane {
 public:
  static constexpr std::chrono::minutes kWellAgain{10};

  // Where a target goes that leaves; called on the lane's thread, when the lane has let it go.
  using Leave = std::function<void(std::shared_ptr<Target>)>;

  // `number`: as in TargetTools::make_worker.
  Lane(std::size_t number, std::shared_ptr<worker::Worker> worker, const TargetTools& tools,
       LaneKind kind, Leave leave);

  // `due`: its first sample.
  void add(std::shared_ptr<Target> target, SteadyTime due);
  // Retired targets go.
  void look();
  void request_stop() { thread_.request_stop(); }
  // False if the thread still waits for an answer at the deadline.
  [[nodiscard]] bool ended_by(std::chrono::steady_clock::time_point deadline) const {
    return thread_.ended_by(deadline);
  }

  std::size_t number() const { return number_; }
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
  // Whether a target has to leave after a step. `is_well`: it cost no process.
  bool has_to_leave(const TargetSession& session, bool is_well) const;
  void let_go(Sessions::iterator session);
  // Something is wrong here rather than there, such as a lack of memory.
  void begin_anew(Sessions::iterator session, const std::string& why);

  const std::size_t number_;
  const std::shared_ptr<worker::Worker> worker_;
  const TargetTools& tools_;
  const LaneKind kind_;
  const Leave leave_;
  std::atomic<std::size_t> size_ = 0;

  Sessions sessions_;  // the thread's own
  mutable std::mutex mutex_;
  WorkerState worker_state_;

  Changes<Arrivals> changes_;
  BackgroundThread thread_;
};

}  // namespace winperf
