#include "exporter/text/target_metrics.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <span>

#include "exporter/text/own_families.h"

namespace winperf {
namespace {

using prometheus::MetricFamily;
using Type = prometheus::MetricType;

struct Definition {
  const char* name;
  const char* help;
  Type type = Type::Gauge;
  std::optional<double> (*value)(const TargetState&, SteadyTime now) = nullptr;
};

// What is said of the last attempt is nothing before it.
std::optional<double> of_attempt(const TargetState& state, double value) {
  return state.is_up ? std::optional(value) : std::nullopt;
}

double number(std::uint64_t value) { return static_cast<double>(value); }

constexpr Definition kDefinitions[] = {
    {.name = "winperf_exporter_target_up",
     .help = "Whether the last attempt to sample the target has read any counterset.",
     .value = [](const TargetState& state,
                 SteadyTime) { return of_attempt(state, state.is_up.value_or(false) ? 1 : 0); }},
    {.name = "winperf_exporter_target_sample_age_seconds",
     .help = "How long ago the target was last sampled with success.",
     .value = [](const TargetState& state, SteadyTime now) -> std::optional<double> {
       if (!state.read_at) return std::nullopt;
       return std::chrono::duration<double>(
                  std::max(SteadyTime::duration::zero(), now - *state.read_at))
           .count();
     }},
    {.name = "winperf_exporter_target_late_seconds",
     .help =
         "How much later than it was due the last attempt began, because the targets that share "
         "its lane took long.",
     .value = [](const TargetState& state,
                 SteadyTime) { return of_attempt(state, state.late.count()); }},
    {.name = "winperf_exporter_target_duration_seconds",
     .help = "How long the last attempt took.",
     .value = [](const TargetState& state,
                 SteadyTime) { return of_attempt(state, state.took.count()); }},
    {.name = "winperf_exporter_target_attempts_total",
     .help = "Attempts to sample the target.",
     .type = Type::Counter,
     .value = [](const TargetState& state,
                 SteadyTime) { return std::optional(number(state.attempts)); }},
    {.name = "winperf_exporter_target_failures_total",
     .help = "Attempts that read no counterset of the target.",
     .type = Type::Counter,
     .value = [](const TargetState& state,
                 SteadyTime) { return std::optional(number(state.failures)); }},
    {.name = "winperf_exporter_target_lost_workers_total",
     .help = "Worker processes that the target cost, because it hung or spoiled them.",
     .type = Type::Counter,
     .value = [](const TargetState& state,
                 SteadyTime) { return std::optional(number(state.lost_processes)); }},
    {.name = "winperf_exporter_target_seconds_total",
     .help = "How long all attempts to sample the target took together: its share of its lane.",
     .type = Type::Counter,
     .value = [](const TargetState& state,
                 SteadyTime) { return std::optional(state.busy.count()); }},
    {.name = "winperf_exporter_target_own_lane",
     .help = "Whether the target is sampled apart from the others, because it hung.",
     .value = [](const TargetState& state,
                 SteadyTime) { return std::optional(state.is_alone ? 1.0 : 0.0); }},
};

MetricFamily family_with(const Definition& definition, std::span<const TargetState> targets,
                         SteadyTime now) {
  MetricFamily family = own_family(definition.name, definition.help, definition.type);
  for (const TargetState& state : targets) {
    const auto value = definition.value(state, now);
    if (!value) continue;
    auto metric = own_metric("target", state.host, definition.type, *value);
    metric.label.push_back({"module", state.module});
    family.metric.push_back(std::move(metric));
  }
  return family;
}

struct Count {
  const char* label_value;
  double value;
};

MetricFamily counted(const char* name, const char* help, Type type, const char* label,
                     std::initializer_list<Count> counts) {
  MetricFamily family = own_family(name, help, type);
  for (const Count& count : counts)
    family.metric.push_back(own_metric(label, count.label_value, type, count.value));
  return family;
}

// Not by name: strangers choose the names.
std::vector<MetricFamily> probed_metrics(const ProbedTargets& probed) {
  std::vector<MetricFamily> families;
  families.push_back(counted(
      "winperf_exporter_probed_targets",
      "Machines that only a pattern names and that were asked for: read at least once, at their "
      "first attempt, and those whose first attempt read nothing.",
      Type::Gauge, "state",
      {{"read", number(probed.read)},
       {"trying", number(probed.trying)},
       {"failed", number(probed.failed)}}));
  families.push_back(counted(
      "winperf_exporter_first_probes_total",
      "First attempts to read a machine that only a pattern names, by what came of them; they are "
      "refused while no place is free.",
      Type::Counter, "result",
      {{"read", number(probed.ever_read)},
       {"failed", number(probed.ever_failed)},
       {"refused", number(probed.ever_refused)}}));
  return families;
}

}  // namespace

std::vector<MetricFamily> target_metrics(const TargetsReport& report, SteadyTime now,
                                         const PageSelection& selection) {
  std::vector<MetricFamily> families;
  if (!report.targets.empty())
    for (const Definition& definition : kDefinitions)
      if (selection.has_name(definition.name))
        families.push_back(family_with(definition, report.targets, now));
  if (!report.probed) return families;
  std::vector<MetricFamily> probed = probed_metrics(*report.probed);
  std::erase_if(probed, [&](const auto& family) { return !selection.has_name(family.name); });
  std::ranges::move(probed, std::back_inserter(families));
  return families;
}

}  // namespace winperf
