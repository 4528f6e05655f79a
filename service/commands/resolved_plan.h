// A configuration resolved on a machine: the countersets found there, the path of each, and the
// counters and instances that are selected right now. Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/model/sample.h"
#include "collectors/sampler/sampler.h"
#include "config/config.h"

namespace winperf {

// The part of a sample that is on the metrics page, by display names, in the sample's order. Thread
// rule: any thread.
struct Exposure {
  std::vector<std::string> shown;
  std::vector<std::string> hidden;  // sampled, but not on the page
};

struct ResolvedCounterset {
  std::string label;               // as configured
  std::vector<std::string> names;  // the alternatives
  std::string machine{};           // if a recording has several; empty otherwise
  std::chrono::milliseconds interval{0};
  CounterPath path = CounterPath::kAuto;  // as configured
  std::string ranked_by{};                // the counter by which instances are chosen; may be empty

  // From here on, if the counterset was looked up. `state` has the reason if it could not be read.
  std::optional<CountersetState> state{};
  // The names of its counters, selected or not.
  std::vector<std::string> all_counters{};
  std::uint64_t all_instances = 0;     // right now
  Exposure counters{};                 // of the selected ones
  Exposure instances{};                // the same
  std::uint64_t series = 0;            // on the metrics page
  std::uint64_t no_room = 0;           // left out because of limits.max_series
  std::uint64_t hidden_instances = 0;  // that metrics.detail: usual leaves out
};

struct ResolvedPlan {
  std::vector<ResolvedCounterset> countersets{};  // in configured order
  std::size_t max_series = 0;                     // limits.max_series
  std::uint64_t full_series = 0;                  // with metrics.detail: full
  std::vector<std::string> unmatched{};           // patterns for which there is no counterset now
  std::vector<std::string> empty_sets{};          // with no counterset on this machine now
  std::vector<std::string> repeated{};  // countersets that patterns leave out: repetitions
  std::string unresolved{};             // why nothing was resolved; empty if it was
};

// From the file alone.
ResolvedPlan unresolved_plan(const Config& config, std::string why);
// Samples the machine once, or twice, a second apart, if exposed values need two samples. Reads a
// recording, without waiting, until every counterset has been found. Selected and existing counters
// and instances are counted in the same sample. Countersets of several machines follow one another
// in the plan. A stop ends this early.
ResolvedPlan resolve_plan(const SamplerSources& sources, const Config& config, bool is_recording,
                          const StopToken& stop);

}  // namespace winperf
