// The page at /metrics: the latest published sample, facts, then the exporter's own
// metrics. And a target's at /probe: its latest sample, and what the exporter says of it.
//
// Countersets whose values are stale (collectors/model/sample.h) have none on the page; the
// exporter's own metrics say so. The sample's part is rendered once per sample, format and set of
// stale countersets, however many clients scrape it at the same time, and compressed once when the
// first of them accepts gzip; a page of some countersets or metrics shares what was made for others
// (kept_page.h). So are text files (textfile_part.h). The rest is made for each scrape, and of it
// only what is selected; of the exporter's own metrics a whole page needs but the numbers
// (OwnText). Thread rule: any thread.
#pragma once

#include <array>
#include <bitset>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectors/facts/fact_state.h"
#include "collectors/model/sample.h"
#include "collectors/model/target_state.h"
#include "exporter/text/exporter_registry.h"
#include "exporter/text/facts_part.h"
#include "exporter/text/kept_page.h"
#include "exporter/text/own_families.h"
#include "exporter/text/page_selection.h"
#include "exporter/text/sample_writer.h"
#include "exporter/text/textfile_part.h"

namespace winperf {

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
  // The countersets of the page; null before the first sample.
  std::shared_ptr<const CountersetIndex> countersets();

 private:
  // All names of a page depend on what was read, and on which of it is too old.
  struct NamesOf {
    std::shared_ptr<const FactSnapshot> facts;
    std::bitset<kFactTopicCount> fresh;
    bool operator==(const NamesOf&) const = default;
  };
  // The sample's part in one format.
  struct Part {
    std::unique_ptr<KeptPage> page;  // null until it is requested
    std::mutex names_mutex;          // held while names are collected: others wait for the result
    NamesOf names_of;
    std::shared_ptr<const PageNames> names;
  };
  struct Rendered {
    std::shared_ptr<const Sample> sample;  // null before the first one
    std::vector<bool> stale;               // by counterset
    std::vector<CountersetCounts> counts;  // the same in each format
    std::array<Part, kPageFormatCount> parts;
    std::once_flag index_once;
    std::optional<CountersetIndex> index;

    Part& part(PageFormat format) { return parts.at(static_cast<std::size_t>(format)); }
    const CountersetIndex* countersets();  // null without a sample
  };
  // The part of a page that is made for each scrape.
  struct OwnLines {
    std::string text;  // without text files and the metrics about left-out series
    LeftOutFacts left_out{};
  };

  // Of the latest sample; `mutex_` is held.
  const std::shared_ptr<Rendered>& latest(SteadyTime now);
  // With the part of this format.
  std::shared_ptr<Rendered> current(PageFormat format, SteadyTime now);
  void render(Rendered& rendered, PageFormat format);
  static PageSelection select(Rendered& rendered, const PageFilter& filter);
  static const Sample& sample_of(const Rendered& rendered);
  // Facts and the exporter's own metrics, with those of text files in between.
  struct OwnPart {
    std::string before{};
    TextfilePieces files{};
    std::string after{};
  };
  OwnPart own_part(Rendered& rendered, PageFormat format, SteadyTime now,
                   const PageSelection& selection);
  OwnLines own_lines(const Rendered& rendered, PageFormat format, SteadyTime now,
                     const PageSelection& selection, const FactSnapshot& facts);
  // By format.
  using OwnTexts = std::array<OwnText, kPageFormatCount>;
  void append_own(std::string& out, PageFormat format, const PageSelection& selection,
                  std::span<const OwnMetrics> metrics, OwnTexts& texts);
  void append_own_families(std::string& out, const Rendered& rendered, PageFormat format,
                           SteadyTime now, const PageSelection& selection,
                           const FactSnapshot& facts);
  // The names of the whole page, also if only a part is requested. They are collected again only
  // when they change.
  std::shared_ptr<const PageNames> names(Rendered& rendered, PageFormat format, SteadyTime now,
                                         const std::shared_ptr<const FactSnapshot>& known,
                                         const FactSnapshot& facts);

  const SampleSlot& slot_;
  ExporterRegistry* registry_ = nullptr;  // null for a target
  MappingOptions options_;
  std::function<SteadyTime()> now_;
  PageFacts facts_;
  ReportTargets targets_;
  TextfilePart textfiles_;
  OwnTexts own_texts_{OwnText(PageFormat::kText), OwnText(PageFormat::kOpenMetrics)};
  OwnTexts own_texts_of_facts_{OwnText(PageFormat::kText), OwnText(PageFormat::kOpenMetrics)};
  std::mutex mutex_;  // held while rendering: other threads wait for the result
  SampleWriter writer_;
  std::shared_ptr<Rendered> rendered_;
  std::size_t usual_bytes_ = 0;  // of a sample's part
};

}  // namespace winperf
