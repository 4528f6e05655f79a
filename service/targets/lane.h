// A thread with a worker and the targets that it samples, one after the other, whichever is due
// first. A target that costs the worker its process leaves a common lane at once; the others are
// overdue by then and follow immediately.
//
// Thread rule: created and destroyed by one thread; everything else by any.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/base/back_off.h"
#include "collectors/base/background_thread.h"
#include "collectors/base/changes.h"
#include "collectors/base/clock.h"
#include "collectors/base/net_address.h"
#include "collectors/base/stop.h"
#include "collectors/model/clock.h"
#include "collectors/model/sample.h"
#include "collectors/model/target_state.h"
#include "collectors/model/worker_state.h"
#include "collectors/sampler/sampler.h"
#include "collectors/worker/worker.h"
#include "collectors/worker/worker_source.h"
#include "config/config.h"
#include "exporter/text/metrics_page.h"
#include "service/log/logging.h"

namespace winperf {

// How long a machine that can't be read is left alone. Thread rule: pure function.
inline constexpr std::chrono::minutes kLongestRetryPause{5};

// After so many failures in a row, at least one: twice as long each time, never shorter than the
// interval at which the machine would be sampled.
inline SteadyTime::duration retry_pause(unsigned failures, std::chrono::milliseconds interval) {
  return std::max<SteadyTime::duration>(interval, back_off(interval, failures, kLongestRetryPause));
}

// One of the configuration's other machines with one of its modules: what is known of it, for
// whoever asks, and its page.
//
// A lane samples it; everyone else only reads. Thread rule: any thread; what a lane alone uses is
// in TargetSession.
struct TargetDescription {
  std::string host;
  std::string module;
  std::vector<std::pair<std::string, std::string>> labels{};
  bool is_named = true;   // not only by a pattern
  NetAddress network{};   // if it isn't: from where the probe came that made it a target
  SharedConfig config{};  // as if the machine was this one (config/hosts.h)
};

// Of one of the entry's machines. `config`: theirs.
[[nodiscard]] TargetDescription describe_target(SharedConfig config, const TargetConfig& entry,
                                                const std::string& host, bool is_named);

class Target {
 public:
  // `now`: the clock of the samples.
  Target(TargetDescription description, const MappingOptions& mapping,
         std::function<SteadyTime()> now);

  const std::string& host() const { return description_.host; }
  const TargetDescription& description() const { return description_; }
  SampleSlot& slot() { return slot_; }
  MetricsPage& page() { return page_; }

  TargetState state() const;
  // Whether it is one that a stranger has named and that was never read.
  bool is_on_trial() const { return is_on_trial_; }
  // `change`: (TargetState&), called while nobody else looks.
  void update(const std::function<void(TargetState&)>& change);

  // Nobody wants it any more: its lane lets it go.
  void retire() { is_retired_ = true; }
  bool is_retired() const { return is_retired_; }

  void note_probe(SteadyTime now) { probed_at_ = now; }
  SteadyTime probed_at() const { return probed_at_; }

 private:
  const TargetDescription description_;
  SampleSlot slot_;
  mutable std::mutex mutex_;
  TargetState state_;
  std::atomic<bool> is_on_trial_;
  std::atomic<bool> is_retired_ = false;
  std::atomic<SteadyTime> probed_at_{};
  MetricsPage page_;
};

// What the sampling of targets is made of; the composition root has it, and so has a test. The
// functions may be called by any thread.
struct TargetTools {
  // Of a lane; `number` tells it from the others.
  std::function<std::shared_ptr<worker::Worker>(const Config&, const std::string& number)>
      make_worker;
  std::function<worker::RemoteMachine(const std::shared_ptr<worker::Worker>&,
                                      const std::string& host)>
      connect;
  ClockSource clocks;
  Logger logger;
};

// The sampling of one target by the worker of one lane: its connection, its sampler, and when it is
// due next.
//
// The first step connects. A step in which no counterset could be read is a failure: after it the
// next one comes later, twice as late each time and five minutes at most; one that never succeeded
// begins anew, because what it knows (names, what the patterns stand for) may be nothing.
// Thread rule: the lane's thread.
class TargetSession {
 public:
  static constexpr std::chrono::minutes kLookInterval{5};  // for what patterns stand for

  // `due`: of the first step. The tools outlive the session.
  TargetSession(std::shared_ptr<Target> target, std::shared_ptr<worker::Worker> worker,
                const TargetTools& tools, SteadyTime due)
      : target_(std::move(target)), worker_(std::move(worker)), tools_(tools), due_(due) {}
  // Closes what is open of the machine.
  ~TargetSession() { close(); }
  TargetSession(const TargetSession&) = delete;
  TargetSession& operator=(const TargetSession&) = delete;

  SteadyTime due() const { return due_; }
  const std::shared_ptr<Target>& target() const { return target_; }

  // Samples what is due. False if that cost the worker its process.
  [[nodiscard]] bool step(const StopToken& stop);

  // Since when no step has cost a process; nothing if none has read anything since.
  std::optional<SteadyTime> well_since() const { return well_since_; }

 private:
  void open(const StopToken& stop);
  void close();
  // Looks again for what the patterns of its configuration stand for.
  void look_again(const StopToken& stop);
  // With what its patterns stand for there; the error is for people.
  [[nodiscard]] std::expected<Config, std::string> concrete_config(const StopToken& stop);
  void conclude(SteadyTime began, SteadyTime next, bool lost);
  // Nothing if any counterset was read since; otherwise why not, for people.
  std::optional<std::string> failure_since(SteadyTime began) const;
  void tell(const std::optional<std::string>& failure, bool lost);

  std::shared_ptr<Target> target_;
  std::shared_ptr<worker::Worker> worker_;
  const TargetTools& tools_;
  SteadyTime due_;
  std::optional<worker::RemoteMachine> machine_;
  std::optional<Sampler> sampler_;
  Inventory inventory_;  // of the last look
  Config concrete_;      // what is sampled
  SteadyTime looked_at_{};
  std::string open_error_;  // what kept it from finding out what to sample
  bool has_read_ = false;
  unsigned failures_ = 0;  // in a row
  std::optional<SteadyTime> well_since_;
};

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
