// The page at /metrics: the exporter's own metrics, facts, then the latest published
// sample. And a target's at /probe: its latest sample, and what the exporter says of it.
//
// Countersets whose values are stale (collectors/model/sample.h) have none on the page; the
// exporter's own metrics say so. The sample's part is rendered once per sample, format and set of
// stale countersets, however many clients scrape it at the same time, and compressed once when the
// first of them accepts gzip; a page of some countersets or metrics shares what was made for others
// (kept_page.h). So are text files (textfile_part.h), facts as long as they are the same ones, and
// the states of countersets as long as the sample is. What moves from scrape to scrape, such as
// ages, is the beginning of the page: of a whole page, it needs but the numbers (OwnText), and
// isn't worth compressing. A part of the page is made of all that for each scrape. Thread rule: any
// thread.
#pragma once

#include <array>
#include <atomic>
#include <bitset>
#include <cstdint>
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
  // How many series it has of each counterset of the sample, which is null before the first one.
  struct SeriesOfSample {
    std::shared_ptr<const Sample> sample;
    std::vector<std::uint64_t> series;
  };
  SeriesOfSample series();

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
    std::mutex states_mutex;  // the same, while states are written
    std::shared_ptr<const FactSnapshot> states_with;
    std::shared_ptr<const KeptPiece> states;
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
  struct KeptFacts {
    std::shared_ptr<const KeptPiece> text;
    WrittenFacts written;
    NamesOf of;
  };
  // What a request needs besides the format.
  struct Request {
    Rendered& rendered;
    PageFormat format{};
    SteadyTime now{};
    const PageSelection& selection;
    const FactSnapshot& facts;
    NamesOf names_of{};
  };

  // Of the latest sample; `mutex_` is held.
  const std::shared_ptr<Rendered>& latest(SteadyTime now);
  // With the part of this format.
  std::shared_ptr<Rendered> current(PageFormat format, SteadyTime now);
  void render(Rendered& rendered, PageFormat format);
  static PageSelection select(Rendered& rendered, const PageFilter& filter);
  static const Sample& sample_of(const Rendered& rendered);
  // What moves, then facts, states and text files.
  struct OwnPart {
    KeptPieces kept{};
    std::string moving{};
  };
  OwnPart own_part(Rendered& rendered, PageFormat format, SteadyTime now,
                   const PageSelection& selection);
  // Both are made anew for a part of the page.
  std::shared_ptr<const KeptFacts> facts_text(const Request& request);
  std::shared_ptr<const KeptPiece> states_text(const Request& request);
  void append_moving(std::string& out, const Request& request, const KeptFacts& facts,
                     const LeftOutFacts& left_out);
  // By format.
  using OwnTexts = std::array<OwnText, kPageFormatCount>;
  static OwnTexts own_texts(OwnShare share) {
    return {OwnText(PageFormat::kText, share), OwnText(PageFormat::kOpenMetrics, share)};
  }
  void append_own(std::string& out, const Request& request, std::span<const OwnMetrics> metrics,
                  OwnShare share, OwnTexts& texts) const;
  // `left_out`: of facts, which moves.
  std::vector<OwnMetrics> state_metrics(const Request& request, const LeftOutFacts& left_out) const;
  // The names of the whole page, also if only a part is requested. They are collected again only
  // when they change.
  std::shared_ptr<const PageNames> names(const Request& request);

  const SampleSlot& slot_;
  ExporterRegistry* registry_ = nullptr;  // null for a target
  MappingOptions options_;
  std::function<SteadyTime()> now_;
  PageFacts facts_;
  ReportTargets targets_;
  TextfilePart textfiles_;
  OwnTexts state_texts_ = own_texts(OwnShare::kKept);
  OwnTexts age_texts_ = own_texts(OwnShare::kMoving);
  OwnTexts own_texts_ = own_texts(OwnShare::kAll);
  std::atomic<std::size_t> moving_bytes_ = 0;  // of the last scrape
  std::mutex facts_mutex_;  // held while facts are written: other threads wait for the result
  std::array<std::shared_ptr<const KeptFacts>, kPageFormatCount> facts_texts_;
  std::mutex mutex_;  // held while rendering: other threads wait for the result
  SampleWriter writer_;
  std::shared_ptr<Rendered> rendered_;
  std::size_t usual_bytes_ = 0;  // of a sample's part
};

}  // namespace winperf
