// Reads each topic in its interval, and publishes what is known after each reading.
//
// A topic that fails keeps its last table until that has got too old. Topics are read one after the
// other; what takes longest is limited by the source. Thread rule: one thread.
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
  // `source` and `slot` must outlive this.
  FactKeeper(FactSource& source, FactSlot& slot, std::vector<PlannedFacts> plan,
             std::function<SteadyTime()> now, FactObserver observer = {});

  // Reads what is due. Returns when the next topic is.
  SteadyTime step(const StopToken& stop);
  // What stays in the plan as it was goes on without a gap.
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
