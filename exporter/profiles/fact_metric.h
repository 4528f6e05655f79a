// Which metrics the facts become, in each profile: the tables beside this file say so
// (docs/profile-tables.md). A further name is a further row. Thread rule: constants.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "collectors/model/fact_topic.h"
#include "collectors/model/metric_profile.h"

namespace winperf {

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

}  // namespace winperf
