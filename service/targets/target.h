// One of the configuration's other machines with one of its modules: what is known of it, for
// whoever asks, and its page.
//
// A lane samples it; everyone else only reads. Thread rule: any thread; what a lane alone uses is
// in TargetSession.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>

#include "collectors/model/sample_slot.h"
#include "collectors/model/target_state.h"
#include "config/config.h"
#include "exporter/http/port_owner.h"
#include "exporter/text/metrics_page.h"

namespace winperf {

struct TargetDescription {
  std::string host;
  std::string module;
  std::vector<std::pair<std::string, std::string>> labels{};
  bool is_named = true;  // not only by a pattern
  NetAddress network{};  // if it isn't: from where the probe came that made it a target
  Config config{};       // as if the machine was this one (config/targets.h)
};

// Of one of the entry's machines.
[[nodiscard]] TargetDescription describe_target(const Config& config, const TargetConfig& entry,
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

}  // namespace winperf
