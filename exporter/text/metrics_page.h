// The page at /metrics: the latest published sample, what is not a counter, then the exporter's own
// metrics. And a target's at /probe: its latest sample, and what the exporter says of it.
//
// Countersets whose values are stale (collectors/model/freshness.h) have none on the page; the
// exporter's own metrics say so. The sample's part is rendered once per sample, format and set of
// stale countersets, however many clients scrape it at the same time, and compressed once when the
// first of them accepts gzip. The rest is made for each scrape. Thread rule: any
// thread.
#pragma once

#include <prometheus/metric_family.h>

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectors/facts/fact_state.h"
#include "collectors/model/sample_slot.h"
#include "collectors/model/target_state.h"
#include "exporter/text/exporter_registry.h"
#include "exporter/text/facts_part.h"
#include "exporter/text/gzip.h"
#include "exporter/text/page_cut.h"
#include "exporter/text/page_names.h"
#include "exporter/text/sample_writer.h"
#include "exporter/text/textfile_part.h"

namespace winperf {

// What is not a counter, if anything is read.
struct PageFacts {
  const FactSlot* slot = nullptr;
  std::function<Ticks100ns()> wall_now{};  // the machine's clock
};

// The other machines that are sampled.
using ReportTargets = std::function<TargetsReport()>;

class MetricsPage {
 public:
  // All arguments must outlive the page. `now`: the clock of CountersetState::sampled_at.steady.
  MetricsPage(const SampleSlot& slot, ExporterRegistry& registry, const MappingOptions& options,
              std::function<SteadyTime()> now, PageFacts facts = {}, ReportTargets targets = {});
  // Of one target, which `targets` reports alone.
  MetricsPage(const SampleSlot& slot, const MappingOptions& options,
              std::function<SteadyTime()> now, ReportTargets targets);

  // The whole page, or what of it is wanted; before the first sample it has only the exporter's own
  // metrics.
  SharedText text(PageFormat format = PageFormat::kText, const PageFilter& filter = {});
  // The same as one gzip file.
  SharedText gzipped(PageFormat format = PageFormat::kText, const PageFilter& filter = {});
  // What is not a counter; nothing before it was read.
  std::optional<FactSnapshot> facts();

 private:
  // The sample's part in one format.
  struct Part {
    SharedText::Piece text;  // null until somebody asks for it
    std::vector<PagePart> parts;
    std::once_flag compress_once;
    DeflatedPart compressed;
  };
  struct Rendered {
    std::shared_ptr<const Sample> sample;  // null before the first one
    std::vector<bool> stale;               // by counterset
    std::vector<CountersetCounts> counts;  // the same in each format
    std::array<Part, kPageFormatCount> parts;

    Part& part(PageFormat format) { return parts.at(static_cast<std::size_t>(format)); }
  };

  // With the part of this format.
  std::shared_ptr<Rendered> current(PageFormat format, SteadyTime now);
  void render(Rendered& rendered, PageFormat format);
  static SharedText::Piece sample_part(Rendered& rendered, PageFormat format,
                                       const PageFilter& filter);
  static const Sample& sample_of(const Rendered& rendered);
  // The facts, and the exporter's own metrics.
  std::string own_part(Rendered& rendered, PageFormat format, SteadyTime now,
                       const PageFilter& filter);
  // But for text files, and for what is said of what was left out.
  struct OwnLines {
    std::string text;
    LeftOutFacts left_out{};
  };
  OwnLines own_lines(const Rendered& rendered, PageFormat format, SteadyTime now,
                     const PageFilter& filter, const FactSnapshot& facts) const;
  static PageNames names_on(const Part& part, std::string_view own_lines);

  const SampleSlot& slot_;
  ExporterRegistry* registry_ = nullptr;  // null for a target
  MappingOptions options_;
  std::function<SteadyTime()> now_;
  PageFacts facts_;
  ReportTargets targets_;
  TextfilePart textfiles_;
  std::mutex mutex_;  // held while rendering: other threads wait for the result
  SampleWriter writer_;
  std::shared_ptr<Rendered> rendered_;
  std::size_t usual_bytes_ = 0;  // of a sample's part
};

// Writes metric families of prometheus-cpp in the given order. Families without
// metrics are left out. Handles counters, gauges and untyped families; the exporter has no others.
// The library's own serializer neither escapes HELP nor spells NaN as the format does.
// `counts_since`: of all counters, in seconds since 1970; OpenMetrics has a place for it.
void append_families(std::string& out, PageFormat format,
                     std::span<const prometheus::MetricFamily> families,
                     std::optional<double> counts_since = {});

}  // namespace winperf
