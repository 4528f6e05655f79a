// A thread with a worker and the targets that it samples one after the other, in order of their due
// times. A target whose sampling ended the worker process leaves a common lane immediately; the
// others are overdue by then and follow without a pause.
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
#include "exporter/http/machine_view.h"
#include "exporter/http/sample_news.h"
#include "service/log/logging.h"
#include "service/targets/target_memory.h"

namespace winperf {

// The pause before a machine that couldn't be read is retried. Thread rule: pure function.
inline constexpr std::chrono::minutes kLongestRetryPause{5};

// `failures`: consecutive, at least one. Doubles each time, and is never shorter than the sampling
// interval.
inline SteadyTime::duration retry_pause(unsigned failures, std::chrono::milliseconds interval) {
  return std::max<SteadyTime::duration>(interval, back_off(interval, failures, kLongestRetryPause));
}

// A target with one of its modules: its state, and what the server shows of it.
//
// A lane samples it; everyone else only reads. Thread rule: any thread; what a lane alone uses is
// in TargetSession.
struct TargetDescription {
  std::string host;
  std::string module;
  std::vector<std::pair<std::string, std::string>> labels{};
  bool is_named = true;   // by name, not only by a pattern
  NetAddress network{};   // otherwise: the network of the probe that created it
  SharedConfig config{};  // as for the local machine (config/hosts.h)
};

// Of one of the entry's machines. `config`: its configuration.
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
  MachineView& view() { return view_; }

  TargetState state() const;
  // Whether it was named only by a client and has never been read.
  bool is_on_trial() const { return is_on_trial_; }
  // `change`: (TargetState&), called with exclusive access.
  void update(const std::function<void(TargetState&)>& change);

  // Its sample was published.
  void note_sample();
  // Where its samples are remembered from now on; null: nowhere.
  void remember_in(std::shared_ptr<TargetMemory> memory);

  // Removes it: its lane drops it.
  void retire() { view_.retire(); }
  bool is_retired() const { return view_.is_retired(); }

  void note_probe(SteadyTime now) { probed_at_ = now; }
  SteadyTime probed_at() const { return probed_at_; }

 private:
  std::shared_ptr<TargetMemory> memory() const;

  const TargetDescription description_;
  SampleSlot slot_;
  mutable std::mutex mutex_;
  TargetState state_;
  std::shared_ptr<TargetMemory> memory_;
  std::atomic<bool> is_on_trial_;
  std::atomic<SteadyTime> probed_at_{};
  MachineView view_;
};

// Dependencies of target sampling, supplied by the composition root or a test. The functions may be
// called by any thread.
struct TargetTools {
  // For the lane with this number.
  std::function<std::shared_ptr<worker::Worker>(const Config&, const std::string& number)>
      make_worker;
  std::function<worker::RemoteMachine(const std::shared_ptr<worker::Worker>&,
                                      const std::string& host)>
      connect;
  ClockSource clocks;
  Logger logger;
  std::shared_ptr<SampleNews> news{};  // gets each sample of a target; may be null
};

// The sampling of one target by the worker of one lane: its connection, its sampler, and when it is
// due next.
//
// The first step connects. A step in which no counterset could be read is a failure: the pause
// doubles each time, up to five minutes. A session that never succeeded starts over, because its
// names and expanded patterns may be empty. Thread rule: the lane's thread.
class TargetSession {
 public:
  static constexpr std::chrono::minutes kDiscoveryInterval{5};  // for patterns

  // `due`: the first step. The tools outlive the session.
  TargetSession(std::shared_ptr<Target> target, std::shared_ptr<worker::Worker> worker,
                const TargetTools& tools, SteadyTime due)
      : target_(std::move(target)), worker_(std::move(worker)), tools_(tools), due_(due) {}
  // Closes the machine's connections.
  ~TargetSession() { close(); }
  TargetSession(const TargetSession&) = delete;
  TargetSession& operator=(const TargetSession&) = delete;

  SteadyTime due() const { return due_; }
  const std::shared_ptr<Target>& target() const { return target_; }

  // Samples what is due. False if that ended the worker process.
  [[nodiscard]] bool step(const StopToken& stop);

  // Since when no step has ended a process; nothing if none has read anything since.
  std::optional<SteadyTime> well_since() const { return well_since_; }

 private:
  void open(const StopToken& stop);
  void close();
  // Expands the patterns of its configuration again.
  void rediscover(const StopToken& stop);
  // With its patterns expanded on that machine. The error is a sentence.
  [[nodiscard]] std::expected<Config, TargetFailure> concrete_config(const StopToken& stop);
  void conclude(SteadyTime began, SteadyTime next, bool lost);
  // Nothing if any counterset was read since; otherwise the reason, as text.
  std::optional<TargetFailure> failure_since(SteadyTime began) const;
  void tell(const std::optional<TargetFailure>& failure, bool lost);

  std::shared_ptr<Target> target_;
  std::shared_ptr<worker::Worker> worker_;
  const TargetTools& tools_;
  SteadyTime due_;
  std::optional<worker::RemoteMachine> machine_;
  std::optional<Sampler> sampler_;
  Inventory inventory_;  // of the last discovery run
  Config concrete_;      // what is sampled
  SteadyTime discovered_at_{};
  std::optional<TargetFailure> open_failure_;  // why discovery failed
  bool has_read_ = false;
  unsigned failures_ = 0;  // in a row
  std::optional<SteadyTime> well_since_;
};

// Which targets a lane is for.
enum class LaneKind : std::uint8_t {
  kCommon,   // that respond
  kHanging,  // that ended a process; they leave after Lane::kWellAgain without a failure
  kTrial,    // that clients name, for the first attempt only
};
inline constexpr std::size_t kLaneKinds = 3;

class Lane {
 public:
  static constexpr std::chrono::minutes kWellAgain{10};

  // Takes a target that leaves the lane; called on the lane's thread.
  using Leave = std::function<void(std::shared_ptr<Target>)>;

  // `number`: as in TargetTools::make_worker.
  Lane(std::size_t number, std::shared_ptr<worker::Worker> worker, const TargetTools& tools,
       LaneKind kind, Leave leave);

  // `due`: its first sample.
  void add(std::shared_ptr<Target> target, SteadyTime due);
  // Retired targets go.
  void wake();
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
  // Whether a target has to leave after a step. `is_well`: it ended no process.
  bool has_to_leave(const TargetSession& session, bool is_well) const;
  void let_go(Sessions::iterator session);
  // A local failure, such as a lack of memory.
  void begin_anew(Sessions::iterator session, const std::string& why);

  const std::size_t number_;
  const std::shared_ptr<worker::Worker> worker_;
  const TargetTools& tools_;
  const LaneKind kind_;
  const Leave leave_;
  std::atomic<std::size_t> size_ = 0;

  Sessions sessions_;  // used only by the thread
  mutable std::mutex mutex_;
  WorkerState worker_state_;

  Changes<Arrivals> changes_;
  BackgroundThread thread_;
};

}  // namespace winperf
