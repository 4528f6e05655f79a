#include <array>
#include <optional>
#include <string_view>

#include "exporter/text/own_metrics.h"

namespace winperf {
namespace {

using Number = std::optional<double>;

constexpr OwnFamily gauge(const char* name, const char* help) {
  return {.name = name, .help = help, .label_names = {"worker"}};
}

constexpr OwnFamily counter(const char* name, const char* help, const char* further = nullptr) {
  return {.name = name,
          .help = help,
          .type = prometheus::MetricType::Counter,
          .label_names = {"worker", further}};
}

Number number(const std::optional<std::uint64_t>& value) {
  return value ? Number(static_cast<double>(*value)) : Number();
}

constexpr OwnNumber<WorkerState> kNumbers[] = {
    {gauge("winperf_exporter_worker_running",
           "Whether the process that makes these queries is running."),
     [](const WorkerState& state) { return Number(state.process_id != 0 ? 1 : 0); }},
    {gauge("winperf_exporter_worker_start_seconds",
           "How long the worker's last process took to start."),
     [](const WorkerState& state) { return Number(state.start_seconds); }},
    {counter("winperf_exporter_worker_queries_total",
             "Calls that the worker answered, or that were lost with its process."),
     [](const WorkerState& state) { return number(state.queries); }},
    {counter("winperf_exporter_worker_query_seconds_total",
             "How long the worker was busy with these calls, or was waited for in vain."),
     [](const WorkerState& state) { return Number(state.query_seconds); }},
    {gauge("winperf_exporter_worker_private_bytes",
           "Memory that the worker's process shares with no other one."),
     [](const WorkerState& state) { return number(state.private_bytes); }},
    {gauge("winperf_exporter_worker_shared_bytes",
           "Memory that the worker's process shares with the exporter, as far as it is in use."),
     [](const WorkerState& state) { return number(state.shared_bytes); }},
    {gauge("winperf_exporter_worker_handles", "Open handles, or files, of the worker's process."),
     [](const WorkerState& state) { return number(state.handles); }},
    {gauge("winperf_exporter_worker_threads", "Threads of the worker's process."),
     [](const WorkerState& state) { return number(state.threads); }},
};

constexpr OwnFamily kRestarts =
    counter("winperf_exporter_worker_restarts_total",
            "Processes of the worker that ended or had to be ended, and were replaced, by reason.",
            "reason");

}  // namespace

OwnMetrics worker_metrics(std::span<const WorkerState> workers) {
  return OwnMetrics([workers](SeriesSink& sink) {
    add_numbers(sink, kNumbers, workers, [](const WorkerState& state) {
      return std::array<std::string_view, 1>{state.name};
    });
    // All reasons, so that the first loss is an increase.
    for (const WorkerState& state : workers)
      for (std::size_t end = 0; end < kWorkerEndCount; ++end)
        sink.add(kRestarts, {state.name, name_of(static_cast<WorkerEnd>(end))},
                 static_cast<double>(state.ends.at(end)));
  });
}

}  // namespace winperf
