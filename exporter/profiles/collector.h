// windows_exporter's collectors: the countersets and facts that each reads, and the metrics that
// show them, as defined by the tables in this folder (docs/profile-tables.md). Source:
// windows_exporter 0.31 and older versions, what each collector reads. Thread rule: any thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "collectors/model/fact_topic.h"
#include "collectors/model/metric_profile.h"
#include "exporter/profiles/name_template.h"

namespace winperf {

// The metrics of facts in each profile, as defined by the tables in this folder
// (docs/profile-tables.md). A further name is a further row.
enum class FactKind : std::uint8_t {
  kNumber,  // the number in `field`
  kInfo,    // 1, with labels
  kStates,  // one series for each of `states`: 1 for that of `field`, 0 for the others. A number in
            // `field` is a state's place, from 1
  kCounts,  // one series for each of `states`: in how many rows `field` is it
  kIsZero,  // 1 if the number in `field` is 0, else 0
  kIs,      // 1 if the text in `field` is the only one of `states`, else 0
  kPairs,   // `field` is "first second;first second": 1, with both as labels
  kParts,   // `field` is "name number;name number": the number, with the name as label
  kRows,    // how many rows there are
  kNow,     // the time when the page is made, in seconds since 1970; of no row
};

// A label and the field whose text it has.
struct FactLabel {
  std::string_view name{};
  std::string_view field{};
};

inline constexpr std::size_t kMaxFactLabels = 8;
using FactLabels = std::array<FactLabel, kMaxFactLabels>;

struct FactMetric {
  std::string_view name{};
  std::string_view help{};
  FactTopic topic{};
  FactKind kind{};
  std::string_view field{};
  FactLabels labels{};  // up to the first without a name
  // Of kStates, kCounts, kPairs (both with a blank between) and kParts: the further labels' names.
  std::string_view state_label{};
  std::span<const std::string_view> states{};
  double factor = 1;
  bool is_counter = false;
};

// Made from the tables.
std::span<const FactMetric> fact_metrics(MetricProfile profile);
// The names of all labels of its series.
std::vector<std::string_view> label_names(const FactMetric& metric);
// Whether any of these profiles has a metric of the topic.
bool is_shown(FactTopic topic, std::span<const MetricProfile> profiles);

// An object that a collector reads, and the options that select its instances; "" if none does.
struct ReadObject {
  std::string_view name;     // "A|B": alternatives, the first one that the machine has
  std::string_view include;  // "volume-include"
  std::string_view exclude;
  std::string_view prefix;  // what precedes the names that the options match, as a pattern
  std::string_view part;    // its word in the collector's option "enabled"; "" if it has none
};

// A topic of facts that a collector reads, in the same way.
struct ReadTopic {
  FactTopic topic{};
  std::string_view include;
  std::string_view exclude;
  std::string_view part;
  std::string_view note;  // what it needs that the service doesn't have; a part of a sentence
};

// What a collector serves and this program doesn't.
struct MissingPart {
  std::string_view what;             // and what to do instead; a part of a sentence
  std::string_view part;             // as above
  bool is_on_without_asking = true;  // of one with a part: whether it runs by default
};

struct Collector {
  std::string_view name;
  std::span<const ReadObject> objects;
  std::span<const ReadTopic> topics;
  std::span<const MissingPart> missing;
  bool is_default = false;  // it runs without any setting
};

// In the order of their names; those of older versions come last.
std::span<const Collector> collectors();
// The collector whose metrics show the topic.
std::string_view collector_of(FactTopic topic);

struct ReadBy {
  std::string_view collector;
  std::string_view part;          // of the collector (ProfileBlock::part); may be empty
  std::vector<LabelPart> labels;  // that all series of the counterset have
  bool operator==(const ReadBy&) const = default;
};

// The collectors whose metrics show the object, each once. `object`: its English name, in any case.
std::vector<ReadBy> collectors_of(std::string_view object);

}  // namespace winperf
