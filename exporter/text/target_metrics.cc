#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <ranges>
#include <string_view>
#include <vector>

#include "exporter/text/own_metrics.h"

namespace winperf {
namespace {

using Number = std::optional<double>;

struct Row {
  const TargetState& state;
  SteadyTime now;
};

constexpr OwnFamily gauge(const char* name, const char* help) {
  return {.name = name, .help = help, .label_names = {"target", "module"}};
}

constexpr OwnFamily counter(const char* name, const char* help) {
  OwnFamily family = gauge(name, help);
  family.type = prometheus::MetricType::Counter;
  return family;
}

Number number(std::uint64_t value) { return static_cast<double>(value); }

// What is said of the last attempt is nothing before it.
Number of_attempt(const Row& row, double value) {
  return row.state.is_up ? Number(value) : Number();
}

constexpr OwnNumber<Row> kNumbers[] = {
    {gauge("winperf_exporter_target_up",
           "Whether the last attempt to sample the target has read any counterset."),
     [](const Row& row) { return of_attempt(row, row.state.is_up.value_or(false) ? 1 : 0); }},
    {gauge("winperf_exporter_target_sample_age_seconds",
           "How long ago the target was last sampled with success."),
     [](const Row& row) {
       if (!row.state.read_at) return Number();
       const auto age = std::max(SteadyTime::duration::zero(), row.now - *row.state.read_at);
       return Number(std::chrono::duration<double>(age).count());
     }},
    {gauge("winperf_exporter_target_late_seconds",
           "How much later than it was due the last attempt began, because the targets that share "
           "its lane took long."),
     [](const Row& row) { return of_attempt(row, row.state.late.count()); }},
    {gauge("winperf_exporter_target_duration_seconds", "How long the last attempt took."),
     [](const Row& row) { return of_attempt(row, row.state.took.count()); }},
    {counter("winperf_exporter_target_attempts_total", "Attempts to sample the target."),
     [](const Row& row) { return number(row.state.attempts); }},
    {counter("winperf_exporter_target_failures_total",
             "Attempts that read no counterset of the target."),
     [](const Row& row) { return number(row.state.failures); }},
    {counter("winperf_exporter_target_lost_workers_total",
             "Worker processes that the target cost, because it hung or spoiled them."),
     [](const Row& row) { return number(row.state.lost_processes); }},
    {counter("winperf_exporter_target_seconds_total",
             "How long all attempts to sample the target took together: its share of its lane."),
     [](const Row& row) { return Number(row.state.busy.count()); }},
    {gauge("winperf_exporter_target_own_lane",
           "Whether the target is sampled apart from the others, because it hung."),
     [](const Row& row) { return Number(row.state.is_alone ? 1 : 0); }},
};

// Not by name: strangers choose the names.
constexpr OwnFamily kProbed{
    .name = "winperf_exporter_probed_targets",
    .help =
        "Machines that only a pattern names and that were asked for: read at least once, at "
        "their first attempt, and those whose first attempt read nothing.",
    .label_names = {"state"}};
constexpr OwnFamily kFirstProbes{
    .name = "winperf_exporter_first_probes_total",
    .help =
        "First attempts to read a machine that only a pattern names, by what came of them; "
        "they are refused while no place is free.",
    .type = prometheus::MetricType::Counter,
    .label_names = {"result"}};

void add_probed(SeriesSink& sink, const ProbedTargets& probed) {
  const auto add = [&](const OwnFamily& family, const char* label, std::uint64_t count) {
    sink.add(family, {label}, static_cast<double>(count));
  };
  add(kProbed, "read", probed.read);
  add(kProbed, "trying", probed.trying);
  add(kProbed, "failed", probed.failed);
  add(kFirstProbes, "read", probed.ever_read);
  add(kFirstProbes, "failed", probed.ever_failed);
  add(kFirstProbes, "refused", probed.ever_refused);
}

}  // namespace

OwnMetrics target_metrics(const TargetsReport& report, SteadyTime now) {
  return OwnMetrics([&report, now](SeriesSink& sink) {
    std::vector<Row> rows;
    for (const TargetState& state : report.targets) rows.push_back({state, now});
    add_numbers(sink, kNumbers, rows, [](const Row& row) {
      return std::array<std::string_view, 2>{row.state.host, row.state.module};
    });
    if (report.probed) add_probed(sink, *report.probed);
  });
}

}  // namespace winperf
