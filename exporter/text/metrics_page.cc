#include "exporter/text/metrics_page.h"

#include <algorithm>
#include <array>
#include <utility>

#include "collectors/model/sample.h"
#include "exporter/text/facts_part.h"
#include "exporter/text/own_metrics.h"

namespace winperf {
namespace {

constexpr std::size_t kRoomForMore = 4096;  // besides an eighth: than the page before has
// What moves is compressed only if it is more than this: each scrape would pay for it.
constexpr std::size_t kMostUncompressed = 32 * 1024;
constexpr std::string_view kEnd = "# EOF\n";  // of OpenMetrics

std::vector<bool> stale_at(SteadyTime now, const Sample* sample) {
  std::vector<bool> stale;
  if (sample == nullptr) return stale;
  stale.reserve(sample->countersets.size());
  for (const CountersetState& state : sample->countersets) stale.push_back(is_stale(state, now));
  return stale;
}

}  // namespace

MetricsPage::MetricsPage(const SampleSlot& slot, ExporterRegistry& registry,
                         const MappingOptions& options, std::function<SteadyTime()> now,
                         PageFacts facts, ReportTargets targets)
    : MetricsPage(slot, options, std::move(now), std::move(targets)) {
  registry_ = &registry;
  facts_ = std::move(facts);
}

MetricsPage::MetricsPage(const SampleSlot& slot, const MappingOptions& options,
                         std::function<SteadyTime()> now, ReportTargets targets)
    : slot_(slot),
      options_(options),
      now_(std::move(now)),
      targets_(std::move(targets)),
      writer_(options) {}

SharedText MetricsPage::text(PageFormat format, const PageFilter& filter) {
  const SteadyTime now = now_();
  const auto rendered = current(format, now);
  const PageSelection selection = select(*rendered, filter);
  const KeptPage& kept = *rendered->part(format).page;
  OwnPart own = own_part(*rendered, format, now, selection);
  SharedText page;
  page.reserve(1 + own.kept.size() + kept.text().pieces().size());
  page.add(std::move(own.moving));
  for (const auto& piece : own.kept) page.add(piece->text());
  page.add(selection.has_all() ? kept.text() : kept.text(selection));
  return page;
}

SharedText MetricsPage::gzipped(PageFormat format, const PageFilter& filter) {
  const SteadyTime now = now_();
  const auto rendered = current(format, now);
  const PageSelection selection = select(*rendered, filter);
  KeptPage& kept = *rendered->part(format).page;
  const OwnPart own = own_part(*rendered, format, now, selection);
  GzipFile file(own.moving.size());
  if (own.moving.size() <= kMostUncompressed)
    file.store(own.moving);
  else
    file.add(deflate_part(own.moving));
  for (const auto& piece : own.kept) file.add(piece->compressed());
  if (selection.has_all())
    file.add(kept.compressed());
  else
    kept.append_to(file, selection);
  return std::move(file).finish();
}

const CountersetIndex* MetricsPage::Rendered::countersets() {
  if (sample == nullptr) return nullptr;
  std::call_once(index_once, [this] { index.emplace(sample); });
  return &*index;
}

std::shared_ptr<const CountersetIndex> MetricsPage::countersets() {
  const SteadyTime now = now_();
  const auto rendered = [&] {
    const std::lock_guard lock(mutex_);
    return latest(now);
  }();
  return {rendered, rendered->countersets()};
}

MetricsPage::SeriesOfSample MetricsPage::series() {
  const auto rendered = current(PageFormat::kText, now_());
  SeriesOfSample found{.sample = rendered->sample, .series = {}};
  for (const CountersetCounts& counts : rendered->counts) found.series.push_back(counts.series);
  return found;
}

PageSelection MetricsPage::select(Rendered& rendered, const PageFilter& filter) {
  return filter.admits_all() ? PageSelection() : PageSelection(filter, rendered.countersets());
}

const std::shared_ptr<MetricsPage::Rendered>& MetricsPage::latest(SteadyTime now) {
  auto sample = slot_.latest();
  auto stale = stale_at(now, sample.get());
  if (rendered_ == nullptr || rendered_->sample != sample || rendered_->stale != stale) {
    auto fresh = std::make_shared<Rendered>();
    fresh->sample = std::move(sample);
    fresh->stale = std::move(stale);
    rendered_ = std::move(fresh);
  }
  return rendered_;
}

std::shared_ptr<MetricsPage::Rendered> MetricsPage::current(PageFormat format, SteadyTime now) {
  const std::lock_guard lock(mutex_);
  const auto& rendered = latest(now);
  if (rendered->part(format).page == nullptr) render(*rendered, format);
  return rendered;
}

void MetricsPage::render(Rendered& rendered, PageFormat format) {
  std::string text;
  if (rendered.sample != nullptr) {
    text.reserve(usual_bytes_);
    auto counts = writer_.append(text, *rendered.sample, format, rendered.stale);
    // Requests for another format may be reading them.
    const bool is_first =
        std::ranges::none_of(rendered.parts, [](const Part& part) { return part.page != nullptr; });
    if (is_first) rendered.counts = std::move(counts);
    usual_bytes_ = text.size() + text.size() / 8 + kRoomForMore;
    if (registry_ != nullptr) {
      std::uint64_t series = 0;
      for (const CountersetCounts& one : rendered.counts) series += one.series;
      registry_->count_rendering(series);
    }
  }
  rendered.part(format).page =
      std::make_unique<KeptPage>(std::move(text), writer_.take_parts(),
                                 format == PageFormat::kOpenMetrics ? kEnd : std::string_view());
}

std::shared_ptr<const PageNames> MetricsPage::names(const Request& request) {
  Part& part = request.rendered.part(request.format);
  const std::lock_guard lock(part.names_mutex);
  if (part.names != nullptr && part.names_of == request.names_of) return part.names;
  const PageSelection all;
  const Request whole{request.rendered, request.format,  request.now, all,
                      request.facts,    request.names_of};
  auto names = std::make_shared<PageNames>();
  part.page->for_each_family([&](std::string_view comments, std::string_view name) {
    names->add(comments);
    names->add(name);
  });
  const auto facts = facts_text(whole);
  names->add(*facts->text->text());
  names->add(*states_text(whole)->text());
  std::string moving;
  append_moving(moving, whole, *facts, {});
  names->add(moving);
  part.names = std::move(names);
  part.names_of = request.names_of;
  return part.names;
}

MetricsPage::OwnPart MetricsPage::own_part(Rendered& rendered, PageFormat format, SteadyTime now,
                                           const PageSelection& selection) {
  static const FactSnapshot kNothing;
  NamesOf names_of{.facts = facts_.latest(), .fresh = {}};
  const FactSnapshot& facts = names_of.facts != nullptr ? *names_of.facts : kNothing;
  for (const FactState& state : facts.topics)
    names_of.fresh.set(static_cast<std::size_t>(state.topic), is_fresh(state, now));
  const Request request{rendered, format, now, selection, facts, std::move(names_of)};
  const auto written = facts_text(request);
  OwnPart own;
  own.moving.reserve(moving_bytes_ + kRoomForMore);
  own.kept = {written->text, states_text(request)};
  LeftOutFacts left_out = written->written.left_out;
  const FactState* const files = fresh_textfiles(facts, now);
  if (files != nullptr && selection.has_topic(FactTopic::kTextfile)) {
    append_textfile_error(own.moving, format, *files->table, selection);
    // Names are those of the whole page, even if only a part is requested.
    auto metrics = textfiles_.metrics(files->table->textfiles, format, selection, *names(request));
    left_out.at(static_cast<std::size_t>(FactTopic::kTextfile)) += metrics.left_out;
    own.kept.insert(own.kept.end(), metrics.pieces.begin(), metrics.pieces.end());
  }
  append_moving(own.moving, request, *written, left_out);
  moving_bytes_ = own.moving.size();
  return own;
}

std::shared_ptr<const MetricsPage::KeptFacts> MetricsPage::facts_text(const Request& request) {
  const auto write = [&] {
    std::string text;
    auto written = append_facts(text, request.format, request.facts, options_.profiles, request.now,
                                request.selection, options_.max_series, options_.detail);
    return std::make_shared<const KeptFacts>(KeptFacts{
        std::make_shared<const KeptPiece>(std::move(text)), std::move(written), request.names_of});
  };
  if (!request.selection.has_all()) return write();
  const std::lock_guard lock(facts_mutex_);
  auto& known = facts_texts_.at(static_cast<std::size_t>(request.format));
  if (known == nullptr || known->of != request.names_of) known = write();
  return known;
}

std::shared_ptr<const KeptPiece> MetricsPage::states_text(const Request& request) {
  const auto write = [&] {
    std::string text;
    append_own(text, request, state_metrics(request, {}), OwnShare::kKept, state_texts_);
    return std::make_shared<const KeptPiece>(std::move(text));
  };
  if (!request.selection.has_all()) return write();
  Part& part = request.rendered.part(request.format);
  const std::lock_guard lock(part.states_mutex);
  if (part.states == nullptr || part.states_with != request.names_of.facts) {
    part.states = write();
    part.states_with = request.names_of.facts;
  }
  return part.states;
}

std::vector<OwnMetrics> MetricsPage::state_metrics(const Request& request,
                                                   const LeftOutFacts& left_out) const {
  const Sample& sample = sample_of(request.rendered);
  std::vector<OwnMetrics> metrics;
  metrics.reserve(4);
  metrics.push_back(counterset_metrics(sample, request.rendered.counts, request.now));
  metrics.push_back(provider_metrics(sample));
  metrics.push_back(facts_metrics(request.facts, request.now, left_out));
  if (registry_ != nullptr)  // it is about this program
    metrics.push_back(profile_metrics(sample, request.facts, options_.profiles, registry_->build(),
                                      now_() - request.now));
  return metrics;
}

void MetricsPage::append_moving(std::string& out, const Request& request, const KeptFacts& facts,
                                const LeftOutFacts& left_out) {
  using Extent = ExporterRegistry::Extent;
  append_own(out, request, state_metrics(request, left_out), OwnShare::kMoving, age_texts_);
  auto workers = sample_of(request.rendered).workers;
  workers.insert(workers.end(), request.facts.workers.begin(), request.facts.workers.end());
  const TargetsReport targets = targets_ ? targets_() : TargetsReport{};
  workers.insert(workers.end(), targets.workers.begin(), targets.workers.end());
  std::vector<OwnMetrics> metrics;
  metrics.reserve(3);
  metrics.push_back(worker_metrics(workers));
  metrics.push_back(target_metrics(targets, request.now));
  if (registry_ != nullptr)
    metrics.push_back(registry_->metrics(options_.exporter ? Extent::kAll : Extent::kEssential,
                                         options_.created));
  append_own(out, request, metrics, OwnShare::kAll, own_texts_);
  append_times(out, request.format, facts.written.times,
               facts_.wall_now ? unix_seconds(facts_.wall_now()) : 0);
}

// Of a target's page no lines are kept: there may be hundreds of them, and they are small.
void MetricsPage::append_own(std::string& out, const Request& request,
                             std::span<const OwnMetrics> metrics, OwnShare share,
                             OwnTexts& texts) const {
  if (registry_ != nullptr)
    return texts.at(static_cast<std::size_t>(request.format))
        .append(out, metrics, request.selection);
  for (const OwnMetrics& part : metrics)
    winperf::append_own(out, request.format, part, request.selection, share);
}

const Sample& MetricsPage::sample_of(const Rendered& rendered) {
  static const Sample kNone;
  return rendered.sample != nullptr ? *rendered.sample : kNone;
}

}  // namespace winperf
