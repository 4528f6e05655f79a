// All targets of the configuration, and the lanes that sample them (docs/adr/0020).
//
// Lanes are made when there is something for them to do: as many for targets that answer as
// remote.workers says, and up to kMaxLonely for those that hang, each of which has one of its own
// as long as there are enough.
//
// Targets that were only named by a pattern are made by their first probe, and go ten minutes after
// the last one. Strangers choose these names, so each has to prove itself in one of kMaxTrialLanes
// lanes, where it holds up none of the others. If its first attempt reads nothing, it gives its
// place up at once and is remembered in FailedProbes. One that was read never has to go for
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

// The machines that only a pattern names, that /probe has asked for, and whose first attempt read
// nothing: why, and when they may be tried again. A stranger chooses such names, so they take no
// place among those that exist, get no series and no line of the log each, and asking again soon
// leads to no second logon.
//
// Memory is bounded: beyond kMaxNames the one that failed first is forgotten, and each is some time
// after it could have been tried again. Thread rule: one thread at a time. Time is an argument.
struct FailedProbe {
  std::string reason{};  // for people
  unsigned attempts = 0;
  SteadyTime failed_at{};
  SteadyTime retry_at{};
};

class FailedProbes {
 public:
  using Key = std::pair<std::string, std::string>;  // host_key(), module
  static constexpr std::size_t kMaxNames = 1000;
  static constexpr std::chrono::minutes kForgetAfter{10};  // since it may be tried again
  static constexpr std::chrono::minutes kTellAfter{10};    // since something was told

  // `interval`: how often a machine of its module is sampled. The pause is twice as long after each
  // attempt, as for those of the configuration.
  void note(const Key& key, std::string reason, std::chrono::milliseconds interval, SteadyTime now);
  // Null unless it has failed and it is too early for another attempt.
  const FailedProbe* waiting(const Key& key, SteadyTime now) const;
  // It was read, or the configuration names it now.
  void forget(const Key& key) { names_.erase(key); }
  void clear() { names_.clear(); }
  void forget_old(SteadyTime now);

  std::size_t size() const { return names_.size(); }
  // For the log: how many names have failed since it was told, with an example; nothing if none
  // has, or if it is too early. A name that fails again isn't new while it is known.
  std::optional<std::string> take_news(SteadyTime now);

 private:
  void make_room();

  std::map<Key, FailedProbe> names_;
  std::size_t new_ones_ = 0;
  std::string example_;
  std::optional<SteadyTime> told_at_;
};

class TargetPool final : public Targets {
 public:
  static constexpr std::size_t kMaxLonely = 8;
  static constexpr std::size_t kMaxUnnamed = 1000;   // that only a pattern names
  static constexpr std::size_t kMaxTrials = 16;      // of those, at their first attempt
  static constexpr std::size_t kMaxTrialsOfOne = 8;  // that one network has asked for
  static constexpr std::size_t kMaxTrialLanes = 4;
  static constexpr std::chrono::minutes kKeepTrialLanes{1};  // after the last first attempt
  static constexpr std::chrono::minutes kForgetAfter{10};

  explicit TargetPool(TargetTools tools) : tools_(std::move(tools)) {}
  ~TargetPool() override { request_stop(); }

  // Those of it that stay as they were go on.
  void change(const SharedConfig& config);
  // Call it regularly: forgets targets that nobody probes, and lanes without targets, and tells the
  // log of names that could not be read.
  void maintain();
  void request_stop();
  [[nodiscard]] bool ended_by(std::chrono::steady_clock::time_point deadline) const;

  [[nodiscard]] ProbeAnswer probe(std::string_view host, std::string_view module,
                                  const NetAddress& asker) override;
  [[nodiscard]] TargetsReport report() const override;

 private:
  using Key = std::pair<std::string, std::string>;  // host_key(), module
  using Lanes = std::vector<std::unique_ptr<Lane>>;

  // With the mutex held:
  std::shared_ptr<Target> add(TargetDescription description, SteadyTime due);
  Lanes& lanes(LaneKind kind) { return lanes_.at(static_cast<std::size_t>(kind)); }
  Lane& lane_for(LaneKind kind);
  std::unique_ptr<Lane> make_lane(LaneKind kind);
  std::size_t free_number() const;
  void end_idle_lanes(SteadyTime now);
  // Those from `first` on.
  void end(Lanes& lanes, Lanes::iterator first);
  [[nodiscard]] ProbeAnswer first_probe(const Key& key, const NetAddress& asker);
  // Whether another one may have its first attempt for this network. If all places are taken,
  // whoever has the most of them loses one.
  [[nodiscard]] bool make_place(const NetAddress& network);
  ProbedTargets counted() const;
  void remove(const Target& target);
  // Its first attempt is over.
  void give_up(const Target& target);
  void look();

  void move(std::shared_ptr<Target> target, LaneKind from);

  const TargetTools tools_;
  mutable std::mutex mutex_;
  SharedConfig config_;
  std::map<Key, std::shared_ptr<Target>> targets_;
  FailedProbes failed_;
  ProbedTargets ever_;  // what happened since the start
  SteadyTime last_trial_{};
  std::array<Lanes, kLaneKinds> lanes_;
  Lanes ending_;  // their threads may still wait for an answer
  bool is_stopped_ = false;
};

}  // namespace winperf
