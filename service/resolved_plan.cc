#include "service/resolved_plan.h"

#include <thread>
#include <utility>

#include "exporter/text/sample_writer.h"
#include "service/page.h"
#include "service/plan.h"

namespace winperf {
namespace {

// The configured plan, and behind it the same countersets with everything that they have.
std::vector<PlannedCounterset> twofold_plan(const Config& config) {
  std::vector<PlannedCounterset> plan = make_plan(config);
  const std::size_t configured = plan.size();
  for (std::size_t i = 0; i < configured; ++i) {
    PlannedCounterset everything = plan[i];
    everything.selection = {};
    plan.push_back(std::move(everything));
  }
  for (PlannedCounterset& planned : plan) planned.interval = std::chrono::seconds(1);
  return plan;
}

std::shared_ptr<const Sample> sample_once(const SamplerSources& sources, const Config& config) {
  SampleSlot slot;
  Sampler sampler(sources, slot, twofold_plan(config), system_clocks(), {});
  const Sampler::Time next = sampler.step({});
  if (config.metrics.cooked) {
    std::this_thread::sleep_until(next);
    sampler.step({});
  }
  sampler.release();
  return slot.latest();
}

}  // namespace

ResolvedPlan unresolved_plan(const Config& config, std::string why) {
  ResolvedPlan plan{.countersets = {}, .unresolved = std::move(why)};
  for (const CountersetConfig& counterset : config.countersets)
    plan.countersets.push_back({.label = counterset.label,
                                .names = counterset.names,
                                .interval = counterset.interval,
                                .path = counterset.path.value_or(config.path)});
  return plan;
}

ResolvedPlan resolve_plan(const SamplerSources& sources, const Config& config) {
  ResolvedPlan plan = unresolved_plan(config, {});
  const auto sample = sample_once(sources, config);
  Sample configured = *sample;
  configured.countersets.resize(plan.countersets.size());
  std::string page;
  const auto counts = SampleWriter(mapping_options(config.metrics)).append(page, configured);
  for (std::size_t i = 0; i < plan.countersets.size(); ++i) {
    ResolvedCounterset& resolved = plan.countersets[i];
    resolved.state = configured.countersets[i];
    resolved.series = counts[i].series;
    if (const auto& selected = resolved.state->sample) {
      resolved.counters = exposed_counters(*selected, mapping_options(config.metrics));
      resolved.instances = exposed_instances(*selected, mapping_options(config.metrics));
    }
    const auto& everything = sample->countersets[plan.countersets.size() + i].sample;
    if (everything == nullptr) continue;
    resolved.all_counters = everything->columns();
    if (everything->schema->multi_instance)
      resolved.all_instances = everything->instances->instances.size();
  }
  return plan;
}

}  // namespace winperf
