#include "exporter/text/counterset_metrics.h"

#include <optional>
#include <string>
#include <utility>

#include "collectors/model/freshness.h"
#include "exporter/text/own_families.h"

namespace winperf {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using Type = prometheus::MetricType;

constexpr const char* kLabel = "counterset";

struct Row {
  const CountersetState& state;
  const CountersetCounts& counts;
  SteadyTime now;
};

struct Definition {
  const char* name;
  const char* help;
  Type type = Type::Gauge;
  bool needs_sample = true;                              // left out until there is a sample
  std::optional<double> (*value)(const Row&) = nullptr;  // left out if it returns nothing
};

double number(std::uint64_t value) { return static_cast<double>(value); }

constexpr Definition kDefinitions[] = {
    {.name = "winperf_exporter_counterset_success",
     .help = "Whether the last attempt to sample the counterset succeeded.",
     .needs_sample = false,
     .value = [](const Row& row) -> std::optional<double> {
       if (row.state.is_absent) return std::nullopt;
       return row.state.success ? 1.0 : 0.0;
     }},
    {.name = "winperf_exporter_counterset_absent",
     .help = "1 for a counterset that the machine doesn't have, which is no failure.",
     .needs_sample = false,
     .value = [](const Row& row) -> std::optional<double> {
       if (!row.state.is_absent) return std::nullopt;
       return 1.0;
     }},
    {.name = "winperf_exporter_counterset_fallback",
     .help = "Whether the current sample came through the registry because PerfLib had failed.",
     .value =
         [](const Row& row) { return std::optional(row.state.preferred_path_error ? 1.0 : 0.0); }},
    {.name = "winperf_exporter_counterset_duration_seconds",
     .help = "How long the last attempt took, with the whole of a query that several share.",
     .needs_sample = false,
     .value = [](const Row& row) { return std::optional(row.state.duration_seconds); }},
    {.name = "winperf_exporter_counterset_attempts_total",
     .help = "Attempts to sample the counterset.",
     .type = Type::Counter,
     .needs_sample = false,
     .value = [](const Row& row) { return std::optional(number(row.state.attempts)); }},
    {.name = "winperf_exporter_counterset_failures_total",
     .help = "Attempts that failed.",
     .type = Type::Counter,
     .needs_sample = false,
     .value = [](const Row& row) -> std::optional<double> {
       if (row.state.is_absent) return std::nullopt;
       return number(row.state.failures);
     }},
    {.name = "winperf_exporter_skipped_samples_total",
     .help = "Samples that were not taken because the previous one was still running.",
     .type = Type::Counter,
     .needs_sample = false,
     .value = [](const Row& row) { return std::optional(number(row.state.skipped_ticks)); }},
    {.name = "winperf_exporter_counterset_sample_age_seconds",
     .help = "Age of the current sample; samples are taken in the background, not by scrapes.",
     .value = [](const Row& row) { return std::optional(age(row.state, row.now).count()); }},
    {.name = "winperf_exporter_counterset_stale",
     .help = "Whether the current sample is too old, so that its values are not on this page.",
     .value =
         [](const Row& row) { return std::optional(is_stale(row.state, row.now) ? 1.0 : 0.0); }},
    {.name = "winperf_exporter_counterset_last_sample_timestamp_seconds",
     .help = "When the current sample was taken.",
     .value =
         [](const Row& row) {
           return std::optional(
               static_cast<double>(row.state.sampled_at.wall.ticks - kUnixEpoch100ns) / 1e7);
         }},
    {.name = "winperf_exporter_counterset_sample_bytes",
     .help = "Size of the system's last reply, or of the counterset's part of a shared one.",
     .value = [](const Row& row) { return std::optional(number(row.state.bytes)); }},
    {.name = "winperf_exporter_counterset_series",
     .help = "Series of the counterset on this page.",
     .value = [](const Row& row) { return std::optional(number(row.counts.series)); }},
    {.name = "winperf_exporter_counterset_no_room_series",
     .help = "Series of the counterset that were left out because of limits.max_series.",
     .value = [](const Row& row) { return std::optional(number(row.counts.no_room)); }},
    {.name = "winperf_exporter_counterset_left_out_instances",
     .help = "Instances of the current sample that were left out because of instances.max.",
     .value =
         [](const Row& row) {
           return std::optional(number(row.state.sample->instances_left_out));
         }},
    {.name = "winperf_exporter_counterset_duplicate_series",
     .help = "Series that were left out because another counterset has the same ones.",
     .value = [](const Row& row) { return std::optional(number(row.counts.duplicates)); }},
    {.name = "winperf_exporter_counterset_unplaced_instances",
     .help =
         "Instances without series by windows_exporter's names, because these have no place for "
         "the instance, another instance has the same labels, or the process has ended.",
     .value = [](const Row& row) { return std::optional(number(row.counts.unplaced)); }},
    {.name = "winperf_exporter_counterset_unnamed_counters",
     .help = "Counters without a name: their metrics are named by index, or the provider has "
             "registered "
             "no name and they have none.",
     .value = [](const Row& row) { return std::optional(number(row.counts.unnamed)); }},
    {.name = "winperf_exporter_counterset_not_numeric_counters",
     .help = "Counters that are not numbers and have no metric.",
     .value = [](const Row& row) { return std::optional(number(row.counts.not_numeric)); }},
};

ClientMetric metric(const CountersetState& state, Type type, double value) {
  ClientMetric result = own_metric(kLabel, state.name, type, value);
  if (!state.machine.empty()) result.label.push_back({"machine", state.machine});
  return result;
}

constexpr const char* kMissing = "winperf_exporter_values_missing";
constexpr const char* kPath = "winperf_exporter_counterset_path_info";
constexpr const char* kProblems = "winperf_exporter_problems_total";

using Places = std::vector<std::size_t>;  // of countersets, in the sample

MetricFamily family_with(const Definition& definition, const Sample& sample, const Places& places,
                         std::span<const CountersetCounts> counts, SteadyTime now) {
  MetricFamily result = own_family(definition.name, definition.help, definition.type);
  for (const std::size_t i : places) {
    const CountersetState& state = sample.countersets[i];
    if (definition.needs_sample && state.sample == nullptr) continue;
    const Row row{state, counts[i], now};
    if (const auto value = definition.value(row))
      result.metric.push_back(metric(state, definition.type, *value));
  }
  return result;
}

MetricFamily values_missing(const Sample& sample, const Places& places,
                            std::span<const CountersetCounts> counts) {
  MetricFamily result =
      own_family(kMissing,
                 "Values of the current sample that could not be computed, by reason. "
                 "Most reasons affect only perfmon's number.",
                 Type::Gauge);
  for (const std::size_t i : places) {
    for (std::size_t reason = 1; reason < kNoValueCount; ++reason) {
      if (counts[i].missing[reason] == 0) continue;
      ClientMetric one =
          metric(sample.countersets[i], Type::Gauge, number(counts[i].missing[reason]));
      one.label.push_back({"reason", std::string(name_of(static_cast<NoValue>(reason)))});
      result.metric.push_back(std::move(one));
    }
  }
  return result;
}

MetricFamily paths(const Sample& sample, const Places& places) {
  MetricFamily result = own_family(
      kPath, "Through which API the current sample was read; the value is always 1.", Type::Gauge);
  for (const std::size_t i : places) {
    const CountersetState& state = sample.countersets[i];
    if (state.sample == nullptr) continue;
    ClientMetric one = metric(state, Type::Gauge, 1);
    one.label.push_back({"path", std::string(name_of(state.sample->schema->path))});
    result.metric.push_back(std::move(one));
  }
  return result;
}

MetricFamily problems(const Sample& sample, const PageSelection& selection) {
  MetricFamily result =
      own_family(kProblems, "Problems found in the system's data, by reason.", Type::Counter);
  for (const ProblemCount& problem : sample.problems) {
    if (!selection.has_state_of(problem.counterset)) continue;
    ClientMetric one = own_metric(kLabel, problem.counterset, Type::Counter, number(problem.count));
    one.label.push_back({"reason", std::string(name_of(problem.code))});
    result.metric.push_back(std::move(one));
  }
  return result;
}

}  // namespace

std::vector<MetricFamily> counterset_metrics(const Sample& sample,
                                             std::span<const CountersetCounts> counts,
                                             SteadyTime now, const PageSelection& selection) {
  Places places;
  for (std::size_t i = 0; i < sample.countersets.size(); ++i)
    if (selection.has_state(i)) places.push_back(i);
  std::vector<MetricFamily> families;
  for (const Definition& definition : kDefinitions)
    if (selection.has_name(definition.name))
      families.push_back(family_with(definition, sample, places, counts, now));
  if (selection.has_name(kPath)) families.push_back(paths(sample, places));
  if (selection.has_name(kProblems)) families.push_back(problems(sample, selection));
  if (selection.has_name(kMissing)) families.push_back(values_missing(sample, places, counts));
  return families;
}

}  // namespace winperf
