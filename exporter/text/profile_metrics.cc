#include "exporter/text/profile_metrics.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "exporter/mapping/label_text.h"
#include "exporter/profiles/collector.h"
#include "exporter/profiles/fact_metric.h"
#include "exporter/text/own_families.h"

namespace winperf {
namespace {

constexpr char kOwnBuildInfo[] = "winperf_exporter_build_info";
constexpr char kBuildInfo[] = "windows_exporter_build_info";

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

// Of the topic of text files: whether a file or a folder couldn't be read or was refused. What is
// wrong with one thing of another topic is no failure of its collector.
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
    // What this system doesn't have is no failure.
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

constexpr OwnDefinition<CollectorState> kDefinitions[] = {
    {.name = "windows_exporter_collector_duration_seconds",
     .help = "How long the last attempt to sample the slowest of the collector's countersets took.",
     .value = [](const CollectorState& state) { return std::optional(state.duration_seconds); }},
    {.name = "windows_exporter_collector_success",
     .help = "Whether the last attempt to sample each of the collector's countersets succeeded.",
     .value = [](const CollectorState& state) { return std::optional(state.success ? 1.0 : 0.0); }},
    {.name = "windows_exporter_collector_timeout",
     .help = "Whether the last attempt to sample one of the collector's countersets timed out.",
     .value =
         [](const CollectorState& state) { return std::optional(state.timed_out ? 1.0 : 0.0); }},
};

// Of the only collector that reports on each of its parts.
constexpr OwnDefinition<CollectorState> kPartDefinitions[] = {
    {.name = "windows_mssql_collector_duration_seconds",
     .help = "How long the last attempt to sample this part of SQL Server's countersets took.",
     .value = [](const CollectorState& state) { return std::optional(state.duration_seconds); }},
    {.name = "windows_mssql_collector_success",
     .help = "Whether the last attempt to sample this part of SQL Server's countersets succeeded.",
     .value = [](const CollectorState& state) { return std::optional(state.success ? 1.0 : 0.0); }},
};

// What it says of a whole page.
struct Whole {
  const Sample* sample = nullptr;
  const FactSnapshot* facts = nullptr;
  SteadyTime::duration making{};  // of the page, until now
  bool has_textfiles = true;      // the topic is selected
};

// Its snapshots are of what is sampled together, which takes as long as the slowest counterset.
std::optional<double> snapshot_seconds(const Whole& page) {
  if (page.sample->countersets.empty()) return std::nullopt;
  return std::ranges::max(page.sample->countersets, {}, &CountersetState::duration_seconds)
      .duration_seconds;
}

std::optional<double> textfile_error(const Whole& page) {
  const auto topic = std::ranges::find(page.facts->topics, FactTopic::kTextfile, &FactState::topic);
  if (topic == page.facts->topics.end() || topic->attempts == 0 || !page.has_textfiles)
    return std::nullopt;
  return topic->success && !has_refused_files(*topic) ? 0 : 1;
}

constexpr OwnDefinition<Whole> kWholeDefinitions[] = {
    {.name = "windows_exporter_scrape_duration_seconds",
     .help = "How long making this page took: counters are sampled before.",
     .value =
         [](const Whole& page) {
           return std::optional(std::chrono::duration<double>(page.making).count());
         }},
};
// Of versions up to 0.29.
constexpr OwnDefinition<Whole> kLegacyDefinitions[] = {
    {.name = "windows_exporter_perflib_snapshot_duration_seconds",
     .help = "How long the last attempt to sample the slowest counterset took.",
     .value = snapshot_seconds},
    {.name = "windows_textfile_scrape_error",
     .help = "1 if a folder or a file couldn't be read or was refused.",
     .value = textfile_error},
};

bool has_any(const PageSelection& selection) {
  const auto is_selected = [&](const auto& definition) {
    return selection.has_name(definition.name);
  };
  return std::ranges::any_of(kDefinitions, is_selected) ||
         std::ranges::any_of(kPartDefinitions, is_selected);
}

template <class States>
prometheus::MetricFamily family_with(const OwnDefinition<CollectorState>& definition,
                                     const States& states) {
  prometheus::MetricFamily family = own_family(definition.name, definition.help, definition.type);
  for (const auto& [key, state] : states) {
    prometheus::ClientMetric metric =
        own_metric("collector", state.name, definition.type, *definition.value(state));
    for (const LabelPart& label : state.labels) metric.label.push_back({label.name, label.value});
    family.metric.push_back(std::move(metric));
  }
  return family;
}

std::span<const OwnDefinition<Whole>> whole_definitions(MetricProfile profile) {
  switch (profile) {
    case MetricProfile::kWinperf:
      break;
    case MetricProfile::kWindowsExporter:
      return kWholeDefinitions;
    case MetricProfile::kWindowsExporterLegacy:
      return kLegacyDefinitions;
  }
  return {};
}

void add_whole(std::vector<prometheus::MetricFamily>& families, const Whole& page,
               MetricProfile profile, const PageSelection& selection) {
  for (const auto& definition : whole_definitions(profile)) {
    if (!selection.has_name(definition.name)) continue;
    const auto value = definition.value(page);
    if (!value) continue;
    auto& family =
        families.emplace_back(own_family(definition.name, definition.help, definition.type));
    family.metric.emplace_back().gauge.value = *value;
  }
}

// With the names and values that Go's programs give to the same labels.
prometheus::MetricFamily build_info(prometheus::MetricFamily family) {
  static const std::map<std::string_view, const char*> kNames{{"os", "goos"}, {"arch", "goarch"}};
  static const std::map<std::string_view, const char*> kArchitectures{{"x86_64", "amd64"},
                                                                      {"aarch64", "arm64"}};
  family.name = kBuildInfo;
  family.help = "Version and build of winperf_exporter; the value is always 1.";
  for (auto& metric : family.metric) {
    std::erase_if(metric.label, [](const auto& label) { return label.name == "compiler"; });
    for (auto& label : metric.label) {
      if (const auto name = kNames.find(label.name); name != kNames.end())
        label.name = name->second;
      if (const auto known = kArchitectures.find(label.value); known != kArchitectures.end())
        label.value = known->second;
    }
  }
  return family;
}

}  // namespace

std::vector<OwnProfileMetric> own_profile_metrics(MetricProfile profile) {
  static constexpr std::string_view kOfCollectors[] = {"collector"};
  static constexpr std::string_view kOfParts[] = {"collector", "mssql_instance"};
  static constexpr std::string_view kOfBuild[] = {"version", "revision", "goos", "goarch"};
  if (profile == MetricProfile::kWinperf) return {};
  std::vector<OwnProfileMetric> list;
  for (const auto& definition : whole_definitions(profile)) list.push_back({definition.name, {}});
  if (profile != MetricProfile::kWindowsExporter) return list;
  list.push_back({kBuildInfo, kOfBuild});
  for (const auto& definition : kDefinitions) list.push_back({definition.name, kOfCollectors});
  for (const auto& definition : kPartDefinitions) list.push_back({definition.name, kOfParts});
  return list;
}

std::vector<prometheus::MetricFamily> profile_metrics(const Sample& sample,
                                                      const FactSnapshot& facts,
                                                      std::span<const MetricProfile> profiles,
                                                      std::span<const prometheus::MetricFamily> own,
                                                      SteadyTime::duration making,
                                                      const PageSelection& selection) {
  std::vector<prometheus::MetricFamily> families;
  const Whole page{.sample = &sample,
                   .facts = &facts,
                   .making = making,
                   .has_textfiles = selection.has_topic(FactTopic::kTextfile)};
  for (const MetricProfile profile : profiles) add_whole(families, page, profile, selection);
  if (std::ranges::find(profiles, MetricProfile::kWindowsExporter) == profiles.end())
    return families;
  for (const prometheus::MetricFamily& family : own)
    if (family.name == kOwnBuildInfo && selection.has_name(kBuildInfo))
      families.push_back(build_info(family));
  if (!has_any(selection)) return families;
  const auto states = collector_states(sample, facts, selection);
  const auto add = [&](const auto& definition, const auto& of) {
    if (selection.has_name(definition.name)) families.push_back(family_with(definition, of));
  };
  for (const auto& definition : kDefinitions) add(definition, states.collectors);
  for (const auto& definition : kPartDefinitions) add(definition, states.parts);
  return families;
}

}  // namespace winperf
