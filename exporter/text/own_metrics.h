// What the exporter says of the states that it shows; docs/own-metrics.md lists the families.
// Without series where there is nothing to say: no workers, a provider that was never asked, what
// the system doesn't tell. Thread rule: any thread; what is handed over must outlive the result.
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

// The V1 providers that have a worker process of their own.
OwnMetrics provider_metrics(const Sample& sample);

// The other machines that are sampled.
OwnMetrics target_metrics(const TargetsReport& report, SteadyTime now);

// How each topic was read the last time.
OwnMetrics facts_metrics(const FactSnapshot& facts, SteadyTime now, const LeftOutFacts& left_out);

// What the build info metric and /version say about this build.
struct BuildInfo {
  std::string version;
  std::string revision;
  std::string compiler;
  std::string os;
  std::string arch;
};

// What windows_exporter says about itself, from what this program knows of the countersets that its
// collectors read, and of topics of facts: of each collector of which a counterset is sampled, or a
// topic is read, or should be. Nothing unless windows_exporter's names are wanted. `making`: how
// long this page has been made.
OwnMetrics profile_metrics(const Sample& sample, const FactSnapshot& facts,
                           std::span<const MetricProfile> profiles, const BuildInfo& build,
                           SteadyTime::duration making = {});
// All families of it that a profile has.
std::vector<const OwnFamily*> own_profile_families(MetricProfile profile);

}  // namespace winperf
