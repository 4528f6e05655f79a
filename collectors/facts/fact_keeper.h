// Reads each topic at its interval, and publishes the state after each reading. A topic that
// fails keeps its last table until that is stale. Topics are read one after the other, with time
// limits of the source. Thread rule: one thread.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/facts/fact_source.h"
#include "collectors/facts/fact_state.h"
#include "collectors/match/filter.h"

namespace winperf {

struct PlannedFacts {
  FactRequest request;
  std::chrono::milliseconds interval{};
  std::chrono::milliseconds stale_after{};
  bool operator==(const PlannedFacts&) const = default;
};

// Called when a topic begins to fail, fails for another reason, or works again (null).
using FactObserver = std::function<void(FactTopic, const Error*)>;

class FactKeeper {
 public:
  // Counters are sampled at whole intervals after the same start, so readings after the first one
  // are usually between samples; after a late one they may not be.
  static constexpr std::chrono::milliseconds kBesideSamples{500};

  // `source` and `slot` must outlive this.
  FactKeeper(FactSource& source, FactSlot& slot, std::vector<PlannedFacts> plan,
             std::function<SteadyTime()> now, FactObserver observer = {});

  // Reads what is due. Returns when the next topic is.
  SteadyTime step(const StopToken& stop);
  // Unchanged topics continue without a gap.
  void change_plan(std::vector<PlannedFacts> plan);

 private:
  struct Topic {
    PlannedFacts plan;
    FactState state;
    SteadyTime due;
  };

  void read(Topic& topic, const StopToken& stop);
  void publish();

  FactSource* source_;
  FactSlot& slot_;
  std::function<SteadyTime()> now_;
  FactObserver observer_;
  std::vector<Topic> topics_;
};

}  // namespace winperf
