// The exporter's own metrics in a form that a test can compare. Thread rule: one thread.
#pragma once

#include <gtest/gtest.h>
#include <prometheus/metric_family.h>

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/text/own_families.h"

namespace winperf::testing {

inline std::vector<prometheus::MetricFamily> collected(const OwnMetrics& metrics,
                                                       const PageSelection& selection = {}) {
  return metrics.collect(selection);
}

// "registry" or "registry,reason=crashed", and the value: the first label is the one that tells
// what the series is about, and has no name here.
using Series = std::vector<std::pair<std::string, double>>;
// By the name without the prefix.
using Families = std::map<std::string, Series>;

inline std::string labels_of(const prometheus::ClientMetric& metric) {
  std::string text;
  for (const auto& label : metric.label)
    text += text.empty() ? label.value : ',' + label.name + '=' + label.value;
  return text;
}

// All names must begin with the prefix, and be unlike; names, types and HELP must suit each other,
// and the first label must be `label`.
inline Families series_of(const std::vector<prometheus::MetricFamily>& all, std::string_view prefix,
                          std::string_view label) {
  Families families;
  for (const prometheus::MetricFamily& family : all) {
    EXPECT_TRUE(family.name.starts_with(prefix)) << family.name;
    const auto [place, is_new] = families.try_emplace(family.name.substr(prefix.size()));
    EXPECT_TRUE(is_new) << family.name << " is there twice";
    const bool grows = family.type == prometheus::MetricType::Counter;
    EXPECT_EQ(grows, family.name.ends_with("_total")) << family.name;
    EXPECT_TRUE(grows || family.type == prometheus::MetricType::Gauge) << family.name;
    EXPECT_TRUE(family.help.ends_with('.')) << family.name;
    for (const auto& metric : family.metric) {
      EXPECT_EQ(metric.label.at(0).name, label) << family.name;
      place->second.emplace_back(labels_of(metric),
                                 grows ? metric.counter.value : metric.gauge.value);
    }
  }
  return families;
}

}  // namespace winperf::testing
