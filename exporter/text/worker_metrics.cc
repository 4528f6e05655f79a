#include "exporter/text/worker_metrics.h"

#include <optional>
#include <string>
#include <utility>

#include "exporter/text/own_families.h"

namespace winperf {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using Type = prometheus::MetricType;

constexpr const char* kLabel = "worker";

double number(std::uint64_t value) { return static_cast<double>(value); }

std::optional<double> number(const std::optional<std::uint64_t>& value) {
  return value ? std::optional(number(*value)) : std::nullopt;
}

constexpr OwnDefinition<WorkerState> kDefinitions[] = {
    {.name = "winperf_exporter_worker_running",
     .help = "Whether the process that makes these queries is running.",
     .value =
         [](const WorkerState& state) { return std::optional(state.process_id != 0 ? 1.0 : 0.0); }},
    {.name = "winperf_exporter_worker_start_seconds",
     .help = "How long the worker's last process took to start.",
     .value = [](const WorkerState& state) { return state.start_seconds; }},
    {.name = "winperf_exporter_worker_queries_total",
     .help = "Calls that the worker answered, or that were lost with its process.",
     .type = Type::Counter,
     .value = [](const WorkerState& state) { return std::optional(number(state.queries)); }},
    {.name = "winperf_exporter_worker_query_seconds_total",
     .help = "How long the worker was busy with these calls, or was waited for in vain.",
     .type = Type::Counter,
     .value = [](const WorkerState& state) { return std::optional(state.query_seconds); }},
    {.name = "winperf_exporter_worker_private_bytes",
     .help = "Memory that the worker's process shares with no other one.",
     .value = [](const WorkerState& state) { return number(state.private_bytes); }},
    {.name = "winperf_exporter_worker_shared_bytes",
     .help = "Memory that the worker's process shares with the exporter, as far as it is in use.",
     .value = [](const WorkerState& state) { return number(state.shared_bytes); }},
    {.name = "winperf_exporter_worker_handles",
     .help = "Open handles, or files, of the worker's process.",
     .value = [](const WorkerState& state) { return number(state.handles); }},
    {.name = "winperf_exporter_worker_threads",
     .help = "Threads of the worker's process.",
     .value = [](const WorkerState& state) { return number(state.threads); }},
};

constexpr const char* kRestarts = "winperf_exporter_worker_restarts_total";

// All reasons, so that the first loss is an increase.
MetricFamily restarts(std::span<const WorkerState> workers) {
  MetricFamily result = own_family(
      kRestarts,
      "Processes of the worker that ended or had to be ended, and were replaced, by reason.",
      Type::Counter);
  for (const WorkerState& state : workers) {
    for (std::size_t end = 0; end < kWorkerEndCount; ++end) {
      ClientMetric one = own_metric(kLabel, state.name, Type::Counter, number(state.ends.at(end)));
      one.label.push_back({"reason", std::string(name_of(static_cast<WorkerEnd>(end)))});
      result.metric.push_back(std::move(one));
    }
  }
  return result;
}

}  // namespace

std::vector<MetricFamily> worker_metrics(std::span<const WorkerState> workers,
                                         const PageSelection& selection) {
  std::vector<MetricFamily> families;
  add_own_families(families, selection, kDefinitions, workers, kLabel, &WorkerState::name);
  if (selection.has_name(kRestarts)) families.push_back(restarts(workers));
  return families;
}

}  // namespace winperf
