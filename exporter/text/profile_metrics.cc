#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/mapping/family.h"
#include "exporter/profiles/collector.h"
#include "exporter/text/own_metrics.h"

namespace winperf {
namespace {

using Number = std::optional<double>;

// The countersets of one collector, or of one part of it, together.
struct CollectorState {
  std::string name;
  std::vector<LabelPart> labels;  // further ones, of a part
  bool success = true;
  bool timed_out = false;
  double duration_seconds = 0;  // of the slowest: countersets share queries

  // A counterset's state, or a topic's.
  void add(const auto& part) {
    success = success && part.success;
    timed_out = timed_out || (part.error && part.error->code == ErrorCode::kTimedOut);
    duration_seconds = std::max(duration_seconds, part.duration_seconds);
  }
};

struct CollectorStates {
  std::map<std::string_view, CollectorState> collectors;
  std::map<std::pair<std::string_view, std::string>, CollectorState> parts;  // by part and labels
};

// Of the topic of text files: whether a file or a folder couldn't be read or was refused. Problems
// with single rows of other topics don't make their collector fail.
bool has_refused_files(const FactState& topic) {
  return topic.topic == FactTopic::kTextfile && topic.table != nullptr &&
         !topic.table->problems.empty();
}

CollectorStates collector_states(const Sample& sample, const FactSnapshot& facts,
                                 const PageSelection& selection) {
  CollectorStates states;
  for (std::size_t i = 0; i < sample.countersets.size(); ++i) {
    if (!selection.has_counterset(i)) continue;
    const CountersetState& counterset = sample.countersets[i];
    if (counterset.is_absent) continue;
    const std::string& name = counterset.sample ? counterset.sample->schema->name : counterset.name;
    for (const ReadBy& read : collectors_of(name)) {
      CollectorState& collector = states.collectors[read.collector];
      collector.name = read.collector;
      collector.add(counterset);
      if (read.part.empty()) continue;
      std::string labels;
      for (const LabelPart& label : read.labels) append_label(labels, label.name, label.value);
      CollectorState& part = states.parts[{read.part, labels}];
      part.name = read.part;
      part.labels = read.labels;
      part.add(counterset);
    }
  }
  for (const FactState& topic : facts.topics) {
    // A topic that this system doesn't support is no failure.
    const bool is_absent = topic.error && topic.error->code == ErrorCode::kUnsupported;
    if (topic.attempts == 0 || is_absent || !selection.has_topic(topic.topic)) continue;
    const std::string_view name = collector_of(topic.topic);
    CollectorState& collector = states.collectors[name];
    collector.name = name;
    collector.add(topic);
    if (has_refused_files(topic)) collector.success = false;
  }
  return states;
}

constexpr OwnLabels kCollector{{"collector"}};

constexpr OwnNumber<CollectorState> kOfCollectors[] = {
    {kCollector.gauge("windows_exporter_collector_duration_seconds",
                      "Duration of the last attempt to sample the collector's slowest counterset."),
     [](const CollectorState& state) { return state.duration_seconds; }},
    {kCollector.gauge("windows_exporter_collector_success",
                      "1 if the last attempt to sample each of the collector's countersets "
                      "succeeded, 0 otherwise."),
     [](const CollectorState& state) { return state.success; }},
    {kCollector.gauge("windows_exporter_collector_timeout",
                      "1 if the last attempt to sample one of the collector's countersets timed "
                      "out, 0 otherwise."),
     [](const CollectorState& state) { return state.timed_out; }},
};

constexpr OwnLabels kPart{{"collector", "mssql_instance"}};

// Of the only collector that reports on each of its parts.
constexpr OwnNumber<CollectorState> kOfParts[] = {
    {kPart.gauge("windows_mssql_collector_duration_seconds",
                 "Duration of the last attempt to sample this part of SQL Server's countersets."),
     [](const CollectorState& state) { return state.duration_seconds; }},
    {kPart.gauge("windows_mssql_collector_success",
                 "1 if the last attempt to sample this part of SQL Server's countersets succeeded, "
                 "0 otherwise."),
     [](const CollectorState& state) { return state.success; }},
};

// The data of the metrics about a whole page.
struct Whole {
  const Sample& sample;
  const FactSnapshot& facts;
  SteadyTime::duration making{};  // of the page, until now
  bool has_textfiles = true;      // the topic is selected
};

// Its snapshots are of what is sampled together, which takes as long as the slowest counterset.
Number snapshot_seconds(const Whole& page) {
  if (page.sample.countersets.empty()) return std::nullopt;
  return std::ranges::max(page.sample.countersets, {}, &CountersetState::duration_seconds)
      .duration_seconds;
}

Number textfile_error(const Whole& page) {
  const auto topic = std::ranges::find(page.facts.topics, FactTopic::kTextfile, &FactState::topic);
  if (topic == page.facts.topics.end() || topic->attempts == 0 || !page.has_textfiles)
    return std::nullopt;
  return topic->success && !has_refused_files(*topic) ? 0 : 1;
}

constexpr OwnNumber<Whole> kOfPages[] = {
    {own_gauge("windows_exporter_scrape_duration_seconds",
               "Time taken to render this page; counters are sampled in the background.")
         .moving(),
     [](const Whole& page) { return std::chrono::duration<double>(page.making).count(); }},
};
// Of versions up to 0.29.
constexpr OwnNumber<Whole> kOfLegacyPages[] = {
    {own_gauge("windows_exporter_perflib_snapshot_duration_seconds",
               "Duration of the last attempt to sample the slowest counterset."),
     [](const Whole& page) { return snapshot_seconds(page); }},
    {own_gauge("windows_textfile_scrape_error",
               "1 if a folder or a file could not be read or was rejected, 0 otherwise."),
     [](const Whole& page) { return textfile_error(page); }},
};

std::span<const OwnNumber<Whole>> of_pages(MetricProfile profile) {
  switch (profile) {
    case MetricProfile::kWinperf:
      break;
    case MetricProfile::kWindowsExporter:
      return kOfPages;
    case MetricProfile::kWindowsExporterLegacy:
      return kOfLegacyPages;
  }
  return {};
}

constexpr OwnFamily kWindowsExporterBuildInfo = own_gauge(
    "windows_exporter_build_info", "Version and build of winperf_exporter; the value is always 1.",
    {"goarch", "goos", "revision", "version"});

// As Go's programs call it.
std::string_view go_name(std::string_view architecture) {
  static const std::map<std::string_view, std::string_view> kNames{{"x86_64", "amd64"},
                                                                   {"aarch64", "arm64"}};
  const auto known = kNames.find(architecture);
  return known != kNames.end() ? known->second : architecture;
}

void add_collectors(SeriesSink& sink, const Sample& sample, const FactSnapshot& facts) {
  const auto is_wanted = [&](const auto& number) { return sink.wants(number.family); };
  if (std::ranges::none_of(kOfCollectors, is_wanted) && std::ranges::none_of(kOfParts, is_wanted))
    return;
  const auto states = collector_states(sample, facts, sink.selection());
  add_numbers(
      sink, kOfCollectors, states.collectors | std::views::values,
      [](const CollectorState& state) { return std::array<std::string_view, 1>{state.name}; });
  add_numbers(sink, kOfParts, states.parts | std::views::values, [](const CollectorState& state) {
    const auto instance = state.labels.empty() ? std::string_view() : state.labels.front().value;
    return std::array<std::string_view, 2>{state.name, instance};
  });
}

}  // namespace

std::vector<const OwnFamily*> own_profile_families(MetricProfile profile) {
  std::vector<const OwnFamily*> families;
  const auto add = [&](const auto& numbers) {
    for (const auto& number : numbers) families.push_back(&number.family);
  };
  add(of_pages(profile));
  if (profile != MetricProfile::kWindowsExporter) return families;
  families.push_back(&kWindowsExporterBuildInfo);
  add(kOfCollectors);
  add(kOfParts);
  return families;
}

OwnMetrics profile_metrics(const Sample& sample, const FactSnapshot& facts,
                           std::span<const MetricProfile> profiles, const BuildInfo& build,
                           SteadyTime::duration making) {
  return OwnMetrics([&sample, &facts, profiles, &build, making](SeriesSink& sink) {
    const Whole page[] = {{.sample = sample,
                           .facts = facts,
                           .making = making,
                           .has_textfiles = sink.selection().has_topic(FactTopic::kTextfile)}};
    for (const MetricProfile profile : profiles)
      add_numbers(sink, of_pages(profile), page,
                  [](const Whole&) { return std::array<std::string_view, 0>{}; });
    if (std::ranges::find(profiles, MetricProfile::kWindowsExporter) == profiles.end()) return;
    sink.add(kWindowsExporterBuildInfo,
             {go_name(build.arch), build.os, build.revision, build.version}, 1);
    add_collectors(sink, sample, facts);
  });
}

}  // namespace winperf
