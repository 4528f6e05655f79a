#include "exporter/text/metrics_page.h"

#include <algorithm>
#include <array>
#include <utility>

#include "collectors/model/sample.h"
#include "exporter/text/facts_part.h"
#include "exporter/text/own_metrics.h"

namespace winperf {
namespace {

constexpr std::size_t kRoomForMore = 4096;    // besides an eighth: than the page before has
constexpr std::string_view kEnd = "# EOF\n";  // of OpenMetrics

std::vector<bool> stale_at(SteadyTime now, const Sample* sample) {
  std::vector<bool> stale;
  if (sample != nullptr)
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
  SharedText page = selection.has_all() ? kept.text() : kept.text(selection);
  OwnPart own = own_part(*rendered, format, now, selection);
  page.add(std::move(own.before));
  for (const auto& piece : own.files) page.add(piece->text());
  page.add(std::move(own.after));
  return page;
}

SharedText MetricsPage::gzipped(PageFormat format, const PageFilter& filter) {
  const SteadyTime now = now_();
  const auto rendered = current(format, now);
  const PageSelection selection = select(*rendered, filter);
  KeptPage& kept = *rendered->part(format).page;
  GzipFile file;
  if (selection.has_all())
    file.add(kept.compressed());
  else
    kept.append_to(file, selection);
  const OwnPart own = own_part(*rendered, format, now, selection);
  file.add(deflate_part(own.before));
  for (const auto& piece : own.files) file.add(piece->compressed());
  file.add(deflate_part(own.after));
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
    if (registry_ != nullptr) registry_->count_rendering();
  }
  rendered.part(format).page = std::make_unique<KeptPage>(text, writer_.take_parts());
}

std::shared_ptr<const PageNames> MetricsPage::names(
    Rendered& rendered, PageFormat format, SteadyTime now,
    const std::shared_ptr<const FactSnapshot>& known, const FactSnapshot& facts) {
  NamesOf wanted{.facts = known, .fresh = {}};
  for (const FactState& state : facts.topics)
    wanted.fresh.set(static_cast<std::size_t>(state.topic), is_fresh(state, now));
  Part& part = rendered.part(format);
  const std::lock_guard lock(part.names_mutex);
  if (part.names == nullptr || part.names_of != wanted) {
    auto names = std::make_shared<PageNames>();
    part.page->for_each_family([&](std::string_view comments, std::string_view name) {
      names->add(comments);
      names->add(name);
    });
    names->add(own_lines(rendered, format, now, {}, facts).text);
    part.names = std::move(names);
    part.names_of = std::move(wanted);
  }
  return part.names;
}

MetricsPage::OwnPart MetricsPage::own_part(Rendered& rendered, PageFormat format, SteadyTime now,
                                           const PageSelection& selection) {
  static const FactSnapshot kNothing;
  const auto known = facts_.latest();
  const FactSnapshot& facts = known != nullptr ? *known : kNothing;
  auto [text, left_out] = own_lines(rendered, format, now, selection, facts);
  OwnPart own;
  const FactState* const files = fresh_textfiles(facts, now);
  if (files != nullptr && selection.has_topic(FactTopic::kTextfile)) {
    append_textfile_error(text, format, *files->table, selection);
    // Names are those of the whole page, even if only a part is requested.
    auto metrics = textfiles_.metrics(files->table->textfiles, format, selection,
                                      *names(rendered, format, now, known, facts));
    left_out.at(static_cast<std::size_t>(FactTopic::kTextfile)) += metrics.left_out;
    own.files = std::move(metrics.pieces);
  }
  own.before = std::move(text);
  append_own(own.after, format, selection, std::array{facts_metrics(facts, now, left_out)},
             own_texts_of_facts_);
  if (format == PageFormat::kOpenMetrics) own.after += kEnd;
  return own;
}

MetricsPage::OwnLines MetricsPage::own_lines(const Rendered& rendered, PageFormat format,
                                             SteadyTime now, const PageSelection& selection,
                                             const FactSnapshot& facts) {
  OwnLines lines;
  lines.left_out = append_facts(
      lines.text, format, facts, options_.profiles,
      {.now = now, .unix_seconds = facts_.wall_now ? unix_seconds(facts_.wall_now()) : 0},
      selection, options_.max_series, options_.detail);
  append_own_families(lines.text, rendered, format, now, selection, facts);
  return lines;
}

// Of a target's page nothing is kept: there may be hundreds of them, and they are small.
void MetricsPage::append_own(std::string& out, PageFormat format, const PageSelection& selection,
                             std::span<const OwnMetrics> metrics, OwnTexts& texts) {
  if (registry_ != nullptr)
    return texts.at(static_cast<std::size_t>(format)).append(out, metrics, selection);
  for (const OwnMetrics& part : metrics) winperf::append_own(out, format, part, selection);
}

void MetricsPage::append_own_families(std::string& out, const Rendered& rendered, PageFormat format,
                                      SteadyTime now, const PageSelection& selection,
                                      const FactSnapshot& facts) {
  using Extent = ExporterRegistry::Extent;
  const Sample& sample = sample_of(rendered);
  auto workers = sample.workers;
  workers.insert(workers.end(), facts.workers.begin(), facts.workers.end());
  const TargetsReport targets = targets_ ? targets_() : TargetsReport{};
  workers.insert(workers.end(), targets.workers.begin(), targets.workers.end());
  std::vector<OwnMetrics> metrics{counterset_metrics(sample, rendered.counts, now),
                                  worker_metrics(workers), provider_metrics(sample),
                                  target_metrics(targets, now)};
  if (registry_ != nullptr) {  // the rest is about this program
    metrics.push_back(
        profile_metrics(sample, facts, options_.profiles, registry_->build(), now_() - now));
    metrics.push_back(registry_->metrics(options_.exporter ? Extent::kAll : Extent::kEssential,
                                         options_.created));
  }
  append_own(out, format, selection, metrics, own_texts_);
}

const Sample& MetricsPage::sample_of(const Rendered& rendered) {
  static const Sample kNone;
  return rendered.sample != nullptr ? *rendered.sample : kNone;
}

}  // namespace winperf
