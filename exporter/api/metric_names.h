// The metrics of a sample's counters, by the rule and tables of the page (exporter/mapping), and
// how PromQL makes perfmon's number of them (docs/metrics.md, "What each type becomes"). Thread
// rule: any thread; others wait for the result.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/sample.h"
#include "exporter/mapping/page_plan.h"
#include "exporter/text/row_texts.h"

namespace winperf::api {

struct NamedMetric {
  std::string name;
  MetricType type = MetricType::kGauge;
  std::string unit;    // a base unit, or empty
  std::string labels;  // of this counter alone, as they are written: "mode=\"user\""; may be empty
  bool on_page = false;  // metrics.detail: usual leaves some out
  // What perfmon shows, with $labels in place of an instance's; empty for a base.
  std::string promql{};
  std::vector<RowText> rows{};  // the labels of the instances
};

class MetricNames {
 public:
  explicit MetricNames(const MappingOptions& options);

  // The metrics of each counter of the counterset at this place of the sample.
  std::vector<std::vector<NamedMetric>> of(const Sample& sample, std::size_t place);

 private:
  std::mutex mutex_;
  Mapper page_;
  Mapper full_;
  RowTextCache rows_;
};

// `labels`: of an instance, without braces; they are added to those of the metric.
std::string with_labels(const NamedMetric& metric, std::string_view labels);

}  // namespace winperf::api
