// The exporter's metrics about states; docs/own-metrics.md lists the families. No series where a
// state has no value: no workers, a provider that was never queried, values that the system doesn't
// have. Thread rule: any thread; what is handed over must outlive the result.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "collectors/model/clock.h"
#include "collectors/model/metric_profile.h"
#include "collectors/model/sample.h"
#include "collectors/model/target_state.h"
#include "collectors/model/worker_state.h"
#include "exporter/text/facts_part.h"
#include "exporter/text/own_families.h"
#include "exporter/text/sample_writer.h"

namespace winperf {

// `counts`: in the order of sample.countersets. `now`: on the clock of
// CountersetState::sampled_at.steady.
OwnMetrics counterset_metrics(const Sample& sample, std::span<const CountersetCounts> counts,
                              SteadyTime now);

// The processes that make queries.
OwnMetrics worker_metrics(std::span<const WorkerState> workers);

// The V1 providers that have a separate worker process.
OwnMetrics provider_metrics(const Sample& sample);

// The other machines that are sampled.
OwnMetrics target_metrics(const TargetsReport& report, SteadyTime now);

// The last attempt to read each topic.
OwnMetrics facts_metrics(const FactSnapshot& facts, SteadyTime now, const LeftOutFacts& left_out);

// What the build info metric and /version say about this build.
struct BuildInfo {
  std::string version;
  std::string revision;
  std::string compiler;
  std::string os;
  std::string arch;
};

// windows_exporter's metrics about itself, from the state of the countersets and topics that its
// collectors read: for each collector with a counterset or topic that is, or should be, sampled.
// Nothing without one of windows_exporter's profiles. `making`: how long this page has been made.
OwnMetrics profile_metrics(const Sample& sample, const FactSnapshot& facts,
                           std::span<const MetricProfile> profiles, const BuildInfo& build,
                           SteadyTime::duration making = {});
// All families of it that a profile has.
std::vector<const OwnFamily*> own_profile_families(MetricProfile profile);

}  // namespace winperf
