// The page at /metrics: the latest published sample, then the exporter's own metrics.
//
// The sample's part is rendered once per sample, however many clients scrape it at the same time,
// and compressed once when the first of them accepts gzip. The exporter's own part is made for each
// scrape. Thread rule: any thread.
#pragma once

#include <prometheus/metric_family.h>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "collectors/model/sample_slot.h"
#include "exporter/text/exporter_registry.h"
#include "exporter/text/gzip.h"
#include "exporter/text/sample_writer.h"

namespace winperf {

inline constexpr char kTextContentType[] = "text/plain; version=0.0.4; charset=utf-8";

class MetricsPage {
 public:
  // All arguments must outlive the page. `now`: the clock of CountersetState::sampled_at.
  MetricsPage(const SampleSlot& slot, ExporterRegistry& registry, MappingOptions options,
              std::function<Ticks100ns()> now);

  // The whole page; before the first sample it has only the exporter's own metrics.
  SharedText text();
  // The same as one gzip file.
  SharedText gzipped();

 private:
  struct Rendered {
    std::shared_ptr<const Sample> sample;  // null before the first one
    SharedText::Piece text = std::make_shared<const std::string>();
    std::vector<CountersetCounts> counts;
    std::once_flag compress_once;
    DeflatedPart compressed;
  };

  std::shared_ptr<Rendered> current();
  std::string own_part(const Rendered& rendered) const;

  const SampleSlot& slot_;
  ExporterRegistry& registry_;
  std::function<Ticks100ns()> now_;
  std::mutex mutex_;  // held while rendering: other threads wait for the result
  SampleWriter writer_;
  std::shared_ptr<Rendered> rendered_;
};

// Writes metric families of prometheus-cpp as Prometheus text, in the given order. Families without
// metrics are left out. Handles counters, gauges and untyped families; the exporter has no others.
// The library's own serializer neither escapes HELP nor spells NaN as the format does.
void append_families(std::string& out, std::span<const prometheus::MetricFamily> families);

}  // namespace winperf
