#include "service/commands/fact_reading.h"

#include <chrono>
#include <utility>

#include "collectors/facts/fact_keeper.h"
#include "exporter/textfile/textfile_source.h"
#include "service/plan/setup.h"

namespace winperf {

std::shared_ptr<const FactSnapshot> read_facts_once(const worker::WorkerOptions& origin,
                                                    const Config& config,
                                                    const std::vector<FactConfig>& topics) {
  // However long the reading takes.
  constexpr std::chrono::hours kNeverStale{24};
  const ClockSource clocks = system_clocks();
  TextfileSource source(isolated_facts(origin, config), clocks);
  std::vector<PlannedFacts> plan;
  for (const FactConfig& fact : topics)
    plan.push_back({.request = {.topic = fact.topic, .folders = fact.folders, .rows = fact.rows},
                    .interval = kNeverStale,
                    .stale_after = kNeverStale});
  FactSlot slot;
  FactKeeper keeper(source, slot, std::move(plan), clocks.steady_now);
  keeper.step(StopToken());
  return slot.latest();
}

}  // namespace winperf
