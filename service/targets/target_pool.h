// All targets of the configuration, and the lanes that sample them (docs/adr/0020).
//
// Lanes are created on demand: up to remote.workers for targets that respond, and up to
// kMaxHangingLanes for those that hang, one for each as long as there are enough.
//
// Targets that only match a pattern are created by their first probe and removed ten minutes after
// the last one. Clients choose these names, so the first attempt of each runs in one of
// kMaxTrialLanes lanes, where it doesn't delay the others. If it reads nothing, the target is
// removed immediately and remembered in FailedProbes. A target that was read is never displaced by
// another. Thread rule: probe() and report() by any thread; everything else by the one that made
// the pool.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/model/clock.h"
#include "collectors/model/target_state.h"
#include "config/config.h"
#include "exporter/http/targets.h"
#include "service/targets/lane.h"

namespace winperf {

// Machines that match only a pattern, were requested by /probe, and returned nothing on the first
// attempt: why, and when they may be retried. Clients choose such names, so they use up no target's
// place, have no separate series or log lines, and another early probe doesn't log on again.
//
// Memory is bounded: beyond kMaxNames the oldest failure is forgotten, and each one some time after
// it could have been retried. Thread rule: one thread at a time. Time is an argument.
struct FailedProbe {
  TargetFailure failure{};
  unsigned attempts = 0;
  SteadyTime failed_at{};
  SteadyTime retry_at{};
};

class FailedProbes {
 public:
  using Key = std::pair<std::string, std::string>;  // host_key(), module
  static constexpr std::size_t kMaxNames = 1000;
  static constexpr std::chrono::minutes kForgetAfter{10};     // since it may be retried
  static constexpr std::chrono::minutes kReportInterval{10};  // since the last summary

  // `interval`: how often a machine of its module is sampled. The pause doubles after each attempt,
  // as for configured targets.
  void note(const Key& key, TargetFailure failure, std::chrono::milliseconds interval,
            SteadyTime now);
  // Null unless it has failed and another attempt would be too early.
  const FailedProbe* waiting(const Key& key, SteadyTime now) const;
  // It was read, or the configuration names it now.
  void forget(const Key& key) { names_.erase(key); }
  void clear() { names_.clear(); }
  void forget_old(SteadyTime now);

  std::size_t size() const { return names_.size(); }
  // For the log: how many names have failed since the last summary, with an example; nothing if
  // none has, or if it is too early. A known name that fails again isn't counted.
  std::optional<std::string> take_summary(SteadyTime now);

 private:
  void make_room();

  std::map<Key, FailedProbe> names_;
  std::size_t new_ones_ = 0;
  std::string example_;
  std::optional<SteadyTime> reported_at_;
};

class TargetPool final : public Targets {
 public:
  static constexpr std::size_t kMaxHangingLanes = 8;
  static constexpr std::size_t kMaxUnnamed = 1000;   // that only a pattern names
  static constexpr std::size_t kMaxTrials = 16;      // of these, at their first attempt
  static constexpr std::size_t kMaxTrialsOfOne = 8;  // requested by one network
  static constexpr std::size_t kMaxTrialLanes = 4;
  static constexpr std::chrono::minutes kKeepTrialLanes{1};  // after the last first attempt
  static constexpr std::chrono::minutes kForgetAfter{10};

  explicit TargetPool(TargetTools tools) : tools_(std::move(tools)) {}
  ~TargetPool() override { request_stop(); }

  // Unchanged targets continue.
  void change(const SharedConfig& config);
  // Call it regularly: removes targets that are no longer probed, and lanes without targets, and
  // logs names that could not be read.
  void maintain();
  void request_stop();
  [[nodiscard]] bool ended_by(std::chrono::steady_clock::time_point deadline) const;

  [[nodiscard]] ProbeAnswer probe(std::string_view host, std::string_view module,
                                  const NetAddress& asker) override;
  [[nodiscard]] TargetsReport report() const override;
  // Of the workers that read targets. Any thread.
  [[nodiscard]] std::uint64_t worker_restarts() const;
  // The memory of what is remembered of targets.
  [[nodiscard]] std::size_t recorded_bytes() const;

 private:
  using Key = std::pair<std::string, std::string>;  // host_key(), module
  using Lanes = std::vector<std::unique_ptr<Lane>>;

  void follow(const SharedConfig& config);
  // With the mutex held:
  std::shared_ptr<Target> add(TargetDescription description, SteadyTime due);
  Lanes& lanes(LaneKind kind) { return lanes_.at(static_cast<std::size_t>(kind)); }
  void change_memories();
  std::shared_ptr<TargetMemory> memory_of(const Key& key) const;
  Lane& lane_for(LaneKind kind);
  std::unique_ptr<Lane> make_lane(LaneKind kind);
  std::size_t free_number() const;
  void end_idle_lanes(SteadyTime now);
  // Those from `first` on.
  void end(Lanes& lanes, Lanes::iterator first);
  [[nodiscard]] ProbeAnswer first_probe(const Key& key, const NetAddress& asker);
  // Whether this network may start another first attempt. If all places are taken, the network with
  // the most of them loses one.
  [[nodiscard]] bool make_place(const NetAddress& network);
  ProbedTargets counted() const;
  void remove(const Target& target);
  // The first attempt has ended.
  void give_up(const Target& target);
  void wake_lanes();

  void move(std::shared_ptr<Target> target, LaneKind from);

  const TargetTools tools_;
  mutable std::mutex mutex_;
  SharedConfig config_;
  std::map<Key, std::shared_ptr<Target>> targets_;
  std::map<Key, std::shared_ptr<TargetMemory>> memories_;  // of recorder.targets
  FailedProbes failed_;
  ProbedTargets ever_;  // totals since the start
  SteadyTime last_trial_{};
  std::array<Lanes, kLaneKinds> lanes_;
  Lanes ending_;  // their threads may still wait for an answer
  bool is_stopped_ = false;
};

}  // namespace winperf
