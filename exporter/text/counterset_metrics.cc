#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "collectors/model/sample.h"
#include "exporter/text/own_metrics.h"

namespace winperf {
namespace {

constexpr OwnLabels kCounterset{{"counterset", "machine"}};

struct Row {
  const CountersetState& state;
  const CountersetCounts& counts;
  SteadyTime now;
};

std::optional<double> unless_absent(const Row& row, auto value) {
  return row.state.is_absent ? std::nullopt : own_value(value);
}

constexpr OwnNumber<Row> kOfAttempts[] = {
    {kCounterset.gauge("winperf_exporter_counterset_success",
                       "Whether the last attempt to sample the counterset succeeded."),
     [](const Row& row) { return unless_absent(row, row.state.success); }},
    {kCounterset.gauge("winperf_exporter_counterset_absent",
                       "1 for a counterset that the machine doesn't have, which is no failure."),
     [](const Row& row) { return row.state.is_absent ? std::optional(1) : std::nullopt; }},
    {kCounterset.gauge(
         "winperf_exporter_counterset_duration_seconds",
         "How long the last attempt took, with the whole of a query that several share."),
     [](const Row& row) { return row.state.duration_seconds; }},
    {kCounterset.counter("winperf_exporter_counterset_attempts_total",
                         "Attempts to sample the counterset."),
     [](const Row& row) { return row.state.attempts; }},
    {kCounterset.counter("winperf_exporter_counterset_failures_total", "Attempts that failed."),
     [](const Row& row) { return unless_absent(row, row.state.failures); }},
    {kCounterset.counter("winperf_exporter_skipped_samples_total",
                         "Samples that were not taken because the previous one was still running."),
     [](const Row& row) { return row.state.skipped_ticks; }},
};

// Of a counterset that has one.
constexpr OwnNumber<Row> kOfTheSample[] = {
    {kCounterset.gauge(
         "winperf_exporter_counterset_fallback",
         "Whether the current sample came through the registry because PerfLib had failed."),
     [](const Row& row) { return row.state.preferred_path_error.has_value(); }},
    {kCounterset.gauge(
         "winperf_exporter_counterset_sample_age_seconds",
         "Age of the current sample; samples are taken in the background, not by scrapes."),
     [](const Row& row) { return age(row.state, row.now).count(); }},
    {kCounterset.gauge(
         "winperf_exporter_counterset_stale",
         "Whether the current sample is too old, so that its values are not on this page."),
     [](const Row& row) { return is_stale(row.state, row.now); }},
    {kCounterset.gauge("winperf_exporter_counterset_last_sample_timestamp_seconds",
                       "When the current sample was taken."),
     [](const Row& row) { return unix_seconds(row.state.sampled_at.wall); }},
    {kCounterset.gauge(
         "winperf_exporter_counterset_sample_bytes",
         "Size of the system's last reply, or of the counterset's part of a shared one."),
     [](const Row& row) { return row.state.bytes; }},
    {kCounterset.gauge("winperf_exporter_counterset_series",
                       "Series of the counterset on this page."),
     [](const Row& row) { return row.counts.series; }},
    {kCounterset.gauge("winperf_exporter_counterset_no_room_series",
                       "Series of the counterset that were left out because of limits.max_series."),
     [](const Row& row) { return row.counts.no_room; }},
    {kCounterset.gauge(
         "winperf_exporter_counterset_left_out_instances",
         "Instances of the current sample that were left out because of instances.max."),
     [](const Row& row) { return row.state.sample->instances_left_out; }},
    {kCounterset.gauge("winperf_exporter_counterset_duplicate_series",
                       "Series that were left out because another counterset has the same ones."),
     [](const Row& row) { return row.counts.duplicates; }},
    {kCounterset.gauge(
         "winperf_exporter_counterset_unplaced_instances",
         "Instances without series by windows_exporter's names, because these have no place for "
         "the instance, another instance has the same labels, or the process has ended."),
     [](const Row& row) { return row.counts.unplaced; }},
    {kCounterset.gauge("winperf_exporter_counterset_unnamed_counters",
                       "Counters without a name: their metrics are named by index, or the provider "
                       "has registered no name and they have none."),
     [](const Row& row) { return row.counts.unnamed; }},
    {kCounterset.gauge("winperf_exporter_counterset_not_numeric_counters",
                       "Counters that are not numbers and have no metric."),
     [](const Row& row) { return row.counts.not_numeric; }},
};

constexpr OwnFamily kPath = kCounterset.gauge(
    "winperf_exporter_counterset_path_info",
    "Through which API the current sample was read; the value is always 1.", "path");
constexpr OwnFamily kMissing =
    kCounterset.gauge("winperf_exporter_values_missing",
                      "Values of the current sample that could not be computed, by reason. Most "
                      "reasons affect only perfmon's number.",
                      "reason");
constexpr OwnFamily kProblems =
    own_counter("winperf_exporter_problems_total",
                "Problems found in the system's data, by reason.", {"counterset", "reason"});

std::string_view machine_of(const CountersetState& state) {
  return state.machine.empty() ? std::string_view() : state.machine;
}

void add_missing(SeriesSink& sink, const Row& row) {
  for (std::size_t reason = 1; reason < kNoValueCount; ++reason)
    if (const std::size_t count = row.counts.missing[reason]; count != 0)
      sink.add(kMissing,
               {row.state.name, machine_of(row.state), name_of(static_cast<NoValue>(reason))},
               static_cast<double>(count));
}

void visit_states(SeriesSink& sink, const Sample& sample, std::span<const CountersetCounts> counts,
                  SteadyTime now) {
  std::vector<Row> all;
  std::vector<Row> sampled;
  for (std::size_t i = 0; i < sample.countersets.size(); ++i) {
    if (!sink.selection().has_state(i)) continue;
    all.push_back({sample.countersets[i], counts[i], now});
    if (sample.countersets[i].sample != nullptr) sampled.push_back(all.back());
  }
  const auto labels = [](const Row& row) {
    return std::array<std::string_view, 2>{row.state.name, machine_of(row.state)};
  };
  add_numbers(sink, kOfAttempts, all, labels);
  add_numbers(sink, kOfTheSample, sampled, labels);
  if (sink.wants(kPath))
    for (const Row& row : sampled)
      sink.add(kPath,
               {row.state.name, machine_of(row.state), name_of(row.state.sample->schema->path)}, 1);
  if (sink.wants(kMissing))
    for (const Row& row : all) add_missing(sink, row);
}

}  // namespace

OwnMetrics counterset_metrics(const Sample& sample, std::span<const CountersetCounts> counts,
                              SteadyTime now) {
  return OwnMetrics([&sample, counts, now](SeriesSink& sink) {
    visit_states(sink, sample, counts, now);
    for (const ProblemCount& problem : sample.problems)
      if (sink.selection().has_state_of(problem.counterset))
        sink.add(kProblems, {problem.counterset, name_of(problem.code)},
                 static_cast<double>(problem.count));
  });
}

}  // namespace winperf
