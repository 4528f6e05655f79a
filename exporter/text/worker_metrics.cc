#include "exporter/text/worker_metrics.h"

#include <optional>
#include <string>
#include <utility>

namespace winperf {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using Type = prometheus::MetricType;

struct Definition {
  const char* name;
  const char* help;
  Type type = Type::Gauge;
  std::optional<double> (*value)(const WorkerState&) = nullptr;  // left out if it returns nothing
};

double number(std::uint64_t value) { return static_cast<double>(value); }

std::optional<double> number(const std::optional<std::uint64_t>& value) {
  return value ? std::optional(number(*value)) : std::nullopt;
}

constexpr Definition kDefinitions[] = {
    {.name = "winperf_exporter_worker_running",
     .help = "Whether the process that makes these queries is running.",
     .value =
         [](const WorkerState& state) { return std::optional(state.process_id != 0 ? 1.0 : 0.0); }},
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
    {.name = "winperf_exporter_worker_handles",
     .help = "Open handles, or files, of the worker's process.",
     .value = [](const WorkerState& state) { return number(state.handles); }},
    {.name = "winperf_exporter_worker_threads",
     .help = "Threads of the worker's process.",
     .value = [](const WorkerState& state) { return number(state.threads); }},
};

MetricFamily family(const char* name, const char* help, Type type) {
  MetricFamily result;
  result.name = name;
  result.help = help;
  result.type = type;
  return result;
}

ClientMetric metric(const WorkerState& state, Type type, double value) {
  ClientMetric result;
  result.label.push_back({"worker", state.name});
  (type == Type::Counter ? result.counter.value : result.gauge.value) = value;
  return result;
}

// All reasons, so that the first loss is an increase.
MetricFamily restarts(const Sample& sample) {
  MetricFamily result =
      family("winperf_exporter_worker_restarts_total",
             "Processes of the worker that ended or had to be ended, and were replaced, by reason.",
             Type::Counter);
  for (const WorkerState& state : sample.workers) {
    for (std::size_t end = 0; end < kWorkerEndCount; ++end) {
      ClientMetric one = metric(state, Type::Counter, number(state.ends.at(end)));
      one.label.push_back({"reason", std::string(name_of(static_cast<WorkerEnd>(end)))});
      result.metric.push_back(std::move(one));
    }
  }
  return result;
}

}  // namespace

std::vector<MetricFamily> worker_metrics(const Sample& sample) {
  std::vector<MetricFamily> families;
  for (const Definition& definition : kDefinitions) {
    MetricFamily result = family(definition.name, definition.help, definition.type);
    for (const WorkerState& state : sample.workers)
      if (const auto value = definition.value(state))
        result.metric.push_back(metric(state, definition.type, *value));
    families.push_back(std::move(result));
  }
  families.push_back(restarts(sample));
  return families;
}

}  // namespace winperf
