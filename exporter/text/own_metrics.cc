#include "exporter/text/own_metrics.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <ranges>
#include <string_view>
#include <vector>

#include "collectors/model/sample.h"

namespace winperf {
namespace {

constexpr OwnLabels kWorker{{"worker"}};
constexpr OwnLabels kProvider{{"provider"}};
constexpr OwnLabels kTarget{{"target", "module"}};
constexpr OwnLabels kTopic{{"topic"}};

double seconds_of(SteadyTime::duration time) { return std::chrono::duration<double>(time).count(); }

constexpr OwnNumber<WorkerState> kOfWorkers[] = {
    {kWorker.gauge("winperf_exporter_worker_running",
                   "1 if the worker's process is running, 0 otherwise."),
     [](const WorkerState& state) { return state.process_id != 0; }},
    {kWorker.gauge("winperf_exporter_worker_start_seconds",
                   "Time that the worker's last process took to start."),
     [](const WorkerState& state) { return state.start_seconds; }},
    {kWorker.counter("winperf_exporter_worker_queries_total",
                     "Calls answered by the worker or lost when its process ended."),
     [](const WorkerState& state) { return state.queries; }},
    {kWorker.counter("winperf_exporter_worker_query_seconds_total",
                     "Time spent in calls to the worker, including those that timed out."),
     [](const WorkerState& state) { return state.query_seconds; }},
    {kWorker.counter(
         "winperf_exporter_worker_cpu_seconds_total",
         "CPU time of the worker's processes, as last checked before or during a call."),
     [](const WorkerState& state) { return state.cpu_seconds; }},
    {kWorker.gauge("winperf_exporter_worker_private_bytes",
                   "Private memory of the worker's process."),
     [](const WorkerState& state) { return state.private_bytes; }},
    {kWorker.gauge("winperf_exporter_worker_shared_bytes",
                   "Memory shared by the worker's process and the exporter that is in use."),
     [](const WorkerState& state) { return state.shared_bytes; }},
    {kWorker.gauge("winperf_exporter_worker_handles",
                   "Open handles or file descriptors of the worker's process."),
     [](const WorkerState& state) { return state.handles; }},
    {kWorker.gauge("winperf_exporter_worker_threads", "Threads of the worker's process."),
     [](const WorkerState& state) { return state.threads; }},
};

constexpr OwnFamily kRestarts =
    kWorker.counter("winperf_exporter_worker_restarts_total",
                    help_of_row("winperf_exporter_worker_restarts_total"), "reason");

constexpr OwnNumber<ProviderState> kOfProviders[] = {
    {kProvider.gauge(
         "winperf_exporter_provider_quarantine_seconds",
         "Time left in quarantine, in which the provider is not queried after a fault; 0 "
         "if it is not in quarantine."),
     [](const ProviderState& state) { return state.quarantine_seconds; }},
    {kProvider.gauge("winperf_exporter_provider_apart_seconds",
                     "Remaining time for which the provider stays isolated because it damaged its "
                     "process; 0 otherwise."),
     [](const ProviderState& state) { return state.apart_seconds; }},
    {kProvider.counter("winperf_exporter_provider_queries_total",
                       "Queries for objects of the provider."),
     [](const ProviderState& state) { return state.queries; }},
    {kProvider.counter(
         "winperf_exporter_provider_failures_total",
         "Queries that returned no data from the provider, including those skipped in quarantine."),
     [](const ProviderState& state) { return state.failures; }},
    {kProvider.gauge("winperf_exporter_provider_query_seconds",
                     "Time that the provider took for its last query."),
     [](const ProviderState& state) { return state.query_seconds; }},
    {kProvider.gauge("winperf_exporter_provider_reply_bytes", "Size of the provider's last reply."),
     [](const ProviderState& state) { return state.reply_bytes; }},
};

constexpr OwnFamily kState = kProvider.gauge(
    "winperf_exporter_provider_state", "1 for the provider's state, 0 for the others.", "state");
constexpr OwnFamily kError = kProvider.gauge("winperf_exporter_provider_error_info",
                                             "Reason why the provider's last query returned no "
                                             "data; always 1, and absent after a successful query.",
                                             "reason");
constexpr OwnFamily kHarm = kProvider.counter(
    "winperf_exporter_provider_harm_total",
    "Faults in the provider's process that are attributed to the provider, by its DLL.", "library");

// All of them, so that none is ever absent.
void add_standings(SeriesSink& sink, const ProviderState& state) {
  for (std::size_t i = 0; i < kProviderStandingCount; ++i) {
    const auto standing = static_cast<ProviderStanding>(i);
    sink.add(kState, {state.provider, name_of(standing)}, state.standing == standing ? 1 : 0);
  }
}

struct TargetRow {
  const TargetState& state;
  SteadyTime now;
};

// No value before the first attempt.
std::optional<double> of_attempt(const TargetRow& row, double value) {
  return row.state.is_up ? std::optional(value) : std::nullopt;
}

constexpr OwnNumber<TargetRow> kOfTargets[] = {
    {kTarget.gauge(
         "winperf_exporter_target_up",
         "1 if the last attempt to sample the target read at least one counterset, 0 otherwise."),
     [](const TargetRow& row) { return row.state.is_up; }},
    {kTarget.gauge("winperf_exporter_target_sample_age_seconds",
                   "Time since the target was last sampled successfully."),
     [](const TargetRow& row) {
       return row.state.read_at.transform([&](SteadyTime read_at) {
         return seconds_of(std::max(SteadyTime::duration::zero(), row.now - read_at));
       });
     }},
    {kTarget.gauge("winperf_exporter_target_late_seconds",
                   "Delay of the last attempt, caused by slow targets in the same lane."),
     [](const TargetRow& row) { return of_attempt(row, row.state.late.count()); }},
    {kTarget.gauge("winperf_exporter_target_duration_seconds",
                   "Duration of the last attempt to sample the target."),
     [](const TargetRow& row) { return of_attempt(row, row.state.took.count()); }},
    {kTarget.counter("winperf_exporter_target_attempts_total", "Attempts to sample the target."),
     [](const TargetRow& row) { return row.state.attempts; }},
    {kTarget.counter("winperf_exporter_target_failures_total",
                     "Attempts to sample the target that read no counterset."),
     [](const TargetRow& row) { return row.state.failures; }},
    {kTarget.counter(
         "winperf_exporter_target_lost_workers_total",
         "Worker processes restarted because this target hung or returned damaged data."),
     [](const TargetRow& row) { return row.state.lost_processes; }},
    {kTarget.counter("winperf_exporter_target_seconds_total",
                     "Total time spent sampling the target, which is its share of its lane."),
     [](const TargetRow& row) { return row.state.busy.count(); }},
    {kTarget.gauge("winperf_exporter_target_own_lane",
                   "1 if the target is isolated because it hung, 0 otherwise."),
     [](const TargetRow& row) { return row.state.is_alone; }},
};

// Not by name: strangers choose the names.
constexpr OwnFamily kProbed =
    own_gauge("winperf_exporter_probed_targets",
              "Probed targets that match only a pattern, by state: read at least once, trying for "
              "the first time, or failed at it.",
              {"state"});
constexpr OwnFamily kFirstProbes = own_counter("winperf_exporter_first_probes_total",
                                               "First attempts to sample targets that match only a "
                                               "pattern, by result; refused ones exceeded a limit.",
                                               {"result"});

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

struct TopicRow {
  const FactState& state;
  SteadyTime now;
  std::size_t left_out;  // series of the topic
};

// How many there are in what was read.
std::optional<double> of_table(const TopicRow& row, auto FactTable::* items) {
  const FactTable* const table = row.state.table.get();
  return table != nullptr ? own_value((table->*items).size()) : std::nullopt;
}

constexpr OwnNumber<TopicRow> kOfTopics[] = {
    {kTopic.gauge("winperf_exporter_facts_success",
                  "1 if the last attempt to read the topic succeeded, 0 otherwise."),
     [](const TopicRow& row) { return row.state.success; }},
    {kTopic.gauge("winperf_exporter_facts_timeout",
                  "1 if the last attempt to read the topic timed out, 0 otherwise."),
     [](const TopicRow& row) {
       return row.state.error && row.state.error->code == ErrorCode::kTimedOut;
     }},
    {kTopic.gauge("winperf_exporter_facts_duration_seconds",
                  "Duration of the last attempt to read the topic."),
     [](const TopicRow& row) { return row.state.duration_seconds; }},
    {kTopic.gauge("winperf_exporter_facts_age_seconds", "Age of the topic's facts.").moving(),
     [](const TopicRow& row) {
       const bool is_known = row.state.table != nullptr;
       return is_known ? std::optional(seconds_of(row.now - row.state.read_at)) : std::nullopt;
     }},
    {kTopic.gauge("winperf_exporter_facts_rows", "Number of rows in the topic."),
     [](const TopicRow& row) { return of_table(row, &FactTable::rows); }},
    {kTopic.gauge("winperf_exporter_facts_problems", "Parts of the topic that could not be read."),
     [](const TopicRow& row) { return of_table(row, &FactTable::problems); }},
    {kTopic
         .gauge("winperf_exporter_facts_left_out",
                "Series of the topic left out as duplicates or because of limits.max_series.")
         .moving(),  // as other metrics take the names of text files
     [](const TopicRow& row) { return row.left_out; }},
};

}  // namespace

OwnMetrics worker_metrics(std::span<const WorkerState> workers) {
  return OwnMetrics([workers](SeriesSink& sink) {
    add_numbers(sink, kOfWorkers, workers, [](const WorkerState& state) {
      return std::array<std::string_view, 1>{state.name};
    });
    // All reasons, so that the first loss is an increase.
    for (const WorkerState& state : workers)
      for (std::size_t end = 0; end < kWorkerEndCount; ++end)
        sink.add(kRestarts, {state.name, name_of(static_cast<WorkerEnd>(end))},
                 static_cast<double>(state.ends.at(end)));
  });
}

OwnMetrics provider_metrics(const Sample& sample) {
  return OwnMetrics([&providers = sample.providers](SeriesSink& sink) {
    for (const ProviderState& state : providers) add_standings(sink, state);
    for (const ProviderState& state : providers)
      if (state.error) sink.add(kError, {state.provider, name_of(state.error->code)}, 1);
    for (const ProviderState& state : providers)
      if (state.harms != 0)
        sink.add(kHarm, {state.provider, state.library}, static_cast<double>(state.harms));
    add_numbers(sink, kOfProviders, providers, [](const ProviderState& state) {
      return std::array<std::string_view, 1>{state.provider};
    });
  });
}

OwnMetrics target_metrics(const TargetsReport& report, SteadyTime now) {
  return OwnMetrics([&report, now](SeriesSink& sink) {
    std::vector<TargetRow> rows;
    for (const TargetState& state : report.targets) rows.push_back({state, now});
    add_numbers(sink, kOfTargets, rows, [](const TargetRow& row) {
      return std::array<std::string_view, 2>{row.state.host, row.state.module};
    });
    if (report.probed) add_probed(sink, *report.probed);
  });
}

OwnMetrics facts_metrics(const FactSnapshot& facts, SteadyTime now, const LeftOutFacts& left_out) {
  return OwnMetrics([&facts, now, &left_out](SeriesSink& sink) {
    std::vector<TopicRow> rows;
    rows.reserve(facts.topics.size());
    for (const FactState& state : facts.topics)
      if (state.attempts != 0 && sink.selection().has_topic(state.topic))
        rows.push_back({state, now, left_out.at(static_cast<std::size_t>(state.topic))});
    add_numbers(sink, kOfTopics, rows, [](const TopicRow& row) {
      return std::array<std::string_view, 1>{name_of(row.state.topic)};
    });
  });
}

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
                       "1 if the last attempt to sample the counterset succeeded, 0 otherwise."),
     [](const Row& row) { return unless_absent(row, row.state.success); }},
    {kCounterset.gauge("winperf_exporter_counterset_absent",
                       "1 if the machine does not have the counterset, which is not a failure."),
     [](const Row& row) { return row.state.is_absent ? std::optional(1) : std::nullopt; }},
    {kCounterset.gauge("winperf_exporter_counterset_duration_seconds",
                       "Duration of the last attempt to sample the counterset, including the whole "
                       "query if several share it."),
     [](const Row& row) { return row.state.duration_seconds; }},
    {kCounterset.counter("winperf_exporter_counterset_attempts_total",
                         help_of_row("winperf_exporter_counterset_attempts_total")),
     [](const Row& row) { return row.state.attempts; }},
    {kCounterset.counter("winperf_exporter_counterset_failures_total",
                         help_of_row("winperf_exporter_counterset_failures_total")),
     [](const Row& row) { return unless_absent(row, row.state.failures); }},
    {kCounterset.counter("winperf_exporter_skipped_samples_total",
                         "Samples skipped because the previous one was still running."),
     [](const Row& row) { return row.state.skipped_ticks; }},
    {kCounterset.gauge("winperf_exporter_counterset_late_seconds",
                       "Time from when the current sample was due until it was taken, including "
                       "the query; absent in a recording."),
     [](const Row& row) { return row.state.late_seconds; }},
};

// Of a counterset that has one.
constexpr OwnNumber<Row> kOfTheSample[] = {
    {kCounterset.gauge("winperf_exporter_counterset_fallback",
                       "1 if the current sample was read through the registry because PerfLib "
                       "failed, 0 otherwise."),
     [](const Row& row) { return row.state.preferred_path_error.has_value(); }},
    {kCounterset
         .gauge("winperf_exporter_counterset_sample_age_seconds",
                "Age of the current sample; samples are taken in the background, not by scrapes.")
         .moving(),
     [](const Row& row) { return age(row.state, row.now).count(); }},
    {kCounterset.gauge(
         "winperf_exporter_counterset_stale",
         "1 if the current sample is stale, so that its values are not on this page; 0 otherwise."),
     [](const Row& row) { return is_stale(row.state, row.now); }},
    {kCounterset.gauge("winperf_exporter_counterset_last_sample_timestamp_seconds",
                       "Unix time of the current sample."),
     [](const Row& row) { return unix_seconds(row.state.sampled_at.wall); }},
    {kCounterset.gauge("winperf_exporter_counterset_sample_bytes",
                       help_of_row("winperf_exporter_counterset_sample_bytes")),
     [](const Row& row) { return row.state.bytes; }},
    {kCounterset.gauge("winperf_exporter_counterset_series",
                       help_of_row("winperf_exporter_counterset_series")),
     [](const Row& row) { return row.counts.series; }},
    {kCounterset.gauge("winperf_exporter_counterset_no_room_series",
                       "Series of the counterset left out because of limits.max_series."),
     [](const Row& row) { return row.counts.no_room; }},
    {kCounterset.gauge("winperf_exporter_counterset_left_out_instances",
                       "Instances of the current sample left out because of instances.max."),
     [](const Row& row) { return row.state.sample->instances_left_out; }},
    {kCounterset.gauge("winperf_exporter_counterset_hidden_instances",
                       "Instances of the current sample that are not on this page because only "
                       "the leading ones are; metrics.detail: full has all."),
     [](const Row& row) { return row.counts.hidden_instances; }},
    {kCounterset.gauge("winperf_exporter_counterset_duplicate_series",
                       "Series left out because another counterset has the same series."),
     [](const Row& row) { return row.counts.duplicates; }},
    {kCounterset.gauge(
         "winperf_exporter_counterset_unplaced_instances",
         "Instances without series under windows_exporter's names, because the names have no label "
         "for them, another instance has the same labels, or the process has ended."),
     [](const Row& row) { return row.counts.unplaced; }},
    {kCounterset.gauge("winperf_exporter_counterset_unnamed_counters",
                       "Counters without a name, whose metrics are named by index, or left out if "
                       "the provider registered no name."),
     [](const Row& row) { return row.counts.unnamed; }},
    {kCounterset.gauge("winperf_exporter_counterset_not_numeric_counters",
                       "Counters without a metric because they are not numeric."),
     [](const Row& row) { return row.counts.not_numeric; }},
};

constexpr OwnFamily kPath = kCounterset.gauge(
    "winperf_exporter_counterset_path_info",
    "API through which the current sample was read; the value is always 1.", "path");
constexpr OwnFamily kMissing = kCounterset.gauge(
    "winperf_exporter_values_missing", help_of_row("winperf_exporter_values_missing"), "reason");
constexpr OwnFamily kProblems =
    own_counter("winperf_exporter_problems_total", help_of_row("winperf_exporter_problems_total"),
                {"counterset", "reason"});

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
  all.reserve(sample.countersets.size());
  for (std::size_t i = 0; i < sample.countersets.size(); ++i) {
    if (!sink.selection().has_state(i)) continue;
    all.push_back({sample.countersets[i], counts[i], now});
  }
  auto sampled =
      all | std::views::filter([](const Row& row) { return row.state.sample != nullptr; });
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
