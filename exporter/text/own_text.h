// The exporter's own metrics as lines of a page. Thread rule: any thread.
#pragma once

#include <prometheus/metric_family.h>

#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "exporter/text/own_families.h"
#include "exporter/text/page_format.h"

namespace winperf {

// Writes metric families of prometheus-cpp in the given order. Families without metrics are left
// out. Handles counters, gauges and untyped families; the exporter has no others. The library's own
// serializer neither escapes HELP nor spells NaN as the format does. `counts_since`: of all
// counters, in seconds since 1970; OpenMetrics has a place for it.
void append_families(std::string& out, PageFormat format,
                     std::span<const prometheus::MetricFamily> families,
                     std::optional<double> counts_since = {});

// Most numbers change with each scrape, but seldom which series there are. So what stands around
// the numbers is kept, and metrics are collected again only for a series that isn't known.
class OwnText {
 public:
  explicit OwnText(PageFormat format) : format_(format) {}

  // `metrics`: the same parts each time. What isn't selected isn't written.
  void append(std::string& out, std::span<const OwnMetrics> metrics,
              const PageSelection& selection);

 private:
  struct Line {
    std::vector<std::string> labels;  // their values
    std::string before;               // the number
    std::string after;
  };
  struct Family {
    std::string name;
    std::string header;
    std::vector<Line> lines;
  };
  class Writer;

  bool append_known(std::string& out, std::span<const OwnMetrics> metrics,
                    const PageSelection& selection) const;
  void collect(std::span<const OwnMetrics> metrics);

  const PageFormat format_;
  std::mutex mutex_;
  std::vector<Family> families_;  // in the order in which they are visited, as their lines are
};

}  // namespace winperf
