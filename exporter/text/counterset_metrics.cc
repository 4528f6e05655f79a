#include "exporter/text/counterset_metrics.h"

#include <string>
#include <utility>

namespace winperf {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using Type = prometheus::MetricType;

struct Row {
  const CountersetState& state;
  const CountersetCounts& counts;
  double age_seconds;
};

struct Definition {
  const char* name;
  const char* help;
  Type type;
  bool needs_sample;  // left out where there is no sample yet
  double (*value)(const Row&);
};

double number(std::uint64_t value) { return static_cast<double>(value); }

constexpr Definition kDefinitions[] = {
    {"winperf_exporter_counterset_success", "Whether the last attempt to sample it succeeded.",
     Type::Gauge, false, [](const Row& row) { return row.state.success ? 1.0 : 0.0; }},
    {"winperf_exporter_counterset_fallback",
     "Whether the sample that is shown came by the other path because the preferred one failed.",
     Type::Gauge, true, [](const Row& row) { return row.state.preferred_path_error ? 1.0 : 0.0; }},
    {"winperf_exporter_counterset_duration_seconds", "How long the last attempt took.", Type::Gauge,
     false, [](const Row& row) { return row.state.duration_seconds; }},
    {"winperf_exporter_counterset_attempts_total", "Attempts to sample it.", Type::Counter, false,
     [](const Row& row) { return number(row.state.attempts); }},
    {"winperf_exporter_counterset_failures_total", "Attempts that failed.", Type::Counter, false,
     [](const Row& row) { return number(row.state.failures); }},
    {"winperf_exporter_skipped_samples_total",
     "Samples that were not taken because the one before was still running.", Type::Counter, false,
     [](const Row& row) { return number(row.state.skipped_ticks); }},
    {"winperf_exporter_counterset_sample_age_seconds",
     "Age of the sample that is shown; samples are taken in the background.", Type::Gauge, true,
     [](const Row& row) { return row.age_seconds; }},
    {"winperf_exporter_counterset_last_sample_timestamp_seconds",
     "When the sample that is shown was taken.", Type::Gauge, true,
     [](const Row& row) {
       return static_cast<double>(row.state.sampled_at.ticks - kUnixEpoch100ns) / 1e7;
     }},
    {"winperf_exporter_counterset_sample_bytes", "Size of the last reply of the system.",
     Type::Gauge, true, [](const Row& row) { return number(row.state.bytes); }},
    {"winperf_exporter_counterset_series", "Series on this page.", Type::Gauge, true,
     [](const Row& row) { return number(row.counts.series); }},
    {"winperf_exporter_counterset_duplicate_series",
     "Series left out because another counterset has the same.", Type::Gauge, true,
     [](const Row& row) { return number(row.counts.duplicates); }},
    {"winperf_exporter_counterset_unnamed_counters",
     "Counters that the system has no name for; they are named by their index.", Type::Gauge, true,
     [](const Row& row) { return number(row.counts.unnamed); }},
    {"winperf_exporter_counterset_not_numeric_counters",
     "Counters that are no number and have no metric.", Type::Gauge, true,
     [](const Row& row) { return number(row.counts.not_numeric); }},
};

MetricFamily family(const char* name, const char* help, Type type) {
  MetricFamily result;
  result.name = name;
  result.help = help;
  result.type = type;
  return result;
}

ClientMetric metric(const std::string& counterset, Type type, double value) {
  ClientMetric result;
  result.label.push_back({"counterset", counterset});
  (type == Type::Counter ? result.counter.value : result.gauge.value) = value;
  return result;
}

ClientMetric metric(const CountersetState& state, Type type, double value) {
  ClientMetric result = metric(state.name, type, value);
  if (!state.machine.empty()) result.label.push_back({"machine", state.machine});
  return result;
}

MetricFamily values_missing(const Sample& sample, std::span<const CountersetCounts> counts) {
  MetricFamily result = family("winperf_exporter_values_missing",
                               "Values of the shown sample that could not be computed, by reason. "
                               "Most reasons concern perfmon's number alone.",
                               Type::Gauge);
  for (std::size_t i = 0; i < sample.countersets.size(); ++i) {
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

MetricFamily paths(const Sample& sample) {
  MetricFamily result =
      family("winperf_exporter_counterset_path_info",
             "By which of Windows' two ways the sample that is shown was read.", Type::Gauge);
  for (const CountersetState& state : sample.countersets) {
    if (state.sample == nullptr) continue;
    ClientMetric one = metric(state, Type::Gauge, 1);
    one.label.push_back({"path", std::string(name_of(state.sample->schema->path))});
    result.metric.push_back(std::move(one));
  }
  return result;
}

MetricFamily problems(const Sample& sample) {
  MetricFamily result = family("winperf_exporter_problems_total",
                               "Problems met in the system's data, by reason.", Type::Counter);
  for (const ProblemCount& problem : sample.problems) {
    ClientMetric one = metric(problem.counterset, Type::Counter, number(problem.count));
    one.label.push_back({"reason", std::string(name_of(problem.code))});
    result.metric.push_back(std::move(one));
  }
  return result;
}

}  // namespace

std::vector<MetricFamily> counterset_metrics(const Sample& sample,
                                             std::span<const CountersetCounts> counts,
                                             Ticks100ns now) {
  std::vector<MetricFamily> families;
  for (const Definition& definition : kDefinitions) {
    MetricFamily result = family(definition.name, definition.help, definition.type);
    for (std::size_t i = 0; i < sample.countersets.size(); ++i) {
      const CountersetState& state = sample.countersets[i];
      if (definition.needs_sample && state.sample == nullptr) continue;
      const auto age = elapsed(state.sampled_at, now);
      const Row row{state, counts[i], age ? number(*age) / 1e7 : 0.0};
      result.metric.push_back(metric(state, definition.type, definition.value(row)));
    }
    families.push_back(std::move(result));
  }
  families.push_back(paths(sample));
  families.push_back(problems(sample));
  families.push_back(values_missing(sample, counts));
  return families;
}

}  // namespace winperf
