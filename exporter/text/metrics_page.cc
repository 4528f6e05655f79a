#include "exporter/text/metrics_page.h"

#include <algorithm>
#include <utility>

#include "collectors/model/freshness.h"
#include "exporter/text/counterset_metrics.h"
#include "exporter/text/exposition.h"
#include "exporter/text/facts_part.h"
#include "exporter/text/profile_metrics.h"
#include "exporter/text/provider_metrics.h"
#include "exporter/text/target_metrics.h"
#include "exporter/text/worker_metrics.h"

namespace winperf {
namespace {

constexpr std::size_t kRoomForMore = 4096;    // that a page has than the one before
constexpr std::string_view kEnd = "# EOF\n";  // of OpenMetrics

std::string_view type_name(prometheus::MetricType type, PageFormat format) {
  if (type == prometheus::MetricType::Counter) return "counter";
  if (type == prometheus::MetricType::Gauge) return "gauge";
  return format == PageFormat::kText ? "untyped" : "unknown";
}

double value_of(const prometheus::ClientMetric& metric, prometheus::MetricType type) {
  if (type == prometheus::MetricType::Counter) return metric.counter.value;
  if (type == prometheus::MetricType::Gauge) return metric.gauge.value;
  return metric.untyped.value;
}

std::string labels_of(const prometheus::ClientMetric& metric) {
  std::string text;
  for (const auto& label : metric.label) {
    text += text.empty() ? '{' : ',';
    append_label(text, label.name, label.value);
  }
  if (!text.empty()) text += '}';
  return text;
}

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
  SharedText page(sample_part(*rendered, format, filter));
  page.add(own_part(*rendered, format, now, filter));
  return page;
}

SharedText MetricsPage::gzipped(PageFormat format, const PageFilter& filter) {
  const SteadyTime now = now_();
  const auto rendered = current(format, now);
  Part& part = rendered->part(format);
  if (filter.admits_all())
    std::call_once(part.compress_once, [&] { part.compressed = deflate_part(*part.text); });
  const DeflatedPart parts[]{
      filter.admits_all() ? part.compressed : deflate_part(*sample_part(*rendered, format, filter)),
      deflate_part(own_part(*rendered, format, now, filter))};
  return gzip(parts);
}

SharedText::Piece MetricsPage::sample_part(Rendered& rendered, PageFormat format,
                                           const PageFilter& filter) {
  const Part& whole = rendered.part(format);
  if (filter.admits_all() || rendered.sample == nullptr) return whole.text;
  return std::make_shared<const std::string>(
      cut_page(*whole.text, whole.parts, *rendered.sample, filter));
}

std::shared_ptr<MetricsPage::Rendered> MetricsPage::current(PageFormat format, SteadyTime now) {
  const std::lock_guard lock(mutex_);
  auto sample = slot_.latest();
  auto stale = stale_at(now, sample.get());
  if (rendered_ == nullptr || rendered_->sample != sample || rendered_->stale != stale) {
    auto fresh = std::make_shared<Rendered>();
    fresh->sample = std::move(sample);
    fresh->stale = std::move(stale);
    rendered_ = std::move(fresh);
  }
  if (rendered_->part(format).text == nullptr) render(*rendered_, format);
  return rendered_;
}

void MetricsPage::render(Rendered& rendered, PageFormat format) {
  std::string text;
  if (rendered.sample != nullptr) {
    text.reserve(usual_bytes_);
    auto counts = writer_.append(text, *rendered.sample, format, rendered.stale);
    // Who has another format may be reading them.
    const bool is_first =
        std::ranges::none_of(rendered.parts, [](const Part& part) { return part.text != nullptr; });
    if (is_first) rendered.counts = std::move(counts);
    usual_bytes_ = text.size() + kRoomForMore;
    if (registry_ != nullptr) registry_->count_rendering();
  }
  rendered.part(format).parts = writer_.take_parts();
  rendered.part(format).text = std::make_shared<const std::string>(std::move(text));
}

std::optional<FactSnapshot> MetricsPage::facts() {
  const auto known = facts_.slot != nullptr ? facts_.slot->latest() : nullptr;
  if (known == nullptr) return std::nullopt;
  return textfiles_.parse(*known).facts;
}

PageNames MetricsPage::names_on(const Part& part, std::string_view own_lines) {
  PageNames names;
  if (part.text != nullptr) {
    const std::string_view page = *part.text;
    for (const PagePart& one : part.parts) {
      names.add(page.substr(one.header, one.header_size));
      names.add(page.substr(one.begin, one.name_size));
    }
  }
  names.add(own_lines);
  return names;
}

std::string MetricsPage::own_part(Rendered& rendered, PageFormat format, SteadyTime now,
                                  const PageFilter& filter) {
  const auto known = facts_.slot != nullptr ? facts_.slot->latest() : nullptr;
  const ParsedFacts parsed = known != nullptr ? textfiles_.parse(*known) : ParsedFacts{};
  auto [text, left_out] = own_lines(rendered, format, now, filter, parsed.facts);
  if (parsed.textfiles != nullptr) {
    // What a part of the page leaves out has its names nevertheless.
    const PageNames names = names_on(
        rendered.part(format),
        filter.admits_all() ? text : own_lines(rendered, format, now, {}, parsed.facts).text);
    left_out.at(static_cast<std::size_t>(FactTopic::kTextfile)) +=
        append_textfiles(text, format, parsed, now, filter, names);
  }
  append_families(text, format,
                  cut_families(facts_metrics(parsed.facts, now, left_out, filter),
                               sample_of(rendered), filter));
  if (format == PageFormat::kOpenMetrics) text += kEnd;
  return text;
}

MetricsPage::OwnLines MetricsPage::own_lines(const Rendered& rendered, PageFormat format,
                                             SteadyTime now, const PageFilter& filter,
                                             const FactSnapshot& facts) const {
  const Sample& sample = sample_of(rendered);
  OwnLines lines;
  lines.left_out = append_facts(
      lines.text, format, facts, options_.profiles,
      {.now = now, .unix_seconds = facts_.wall_now ? unix_seconds(facts_.wall_now()) : 0}, filter,
      options_.max_series);
  const auto add = [&](std::vector<prometheus::MetricFamily> families,
                       std::optional<double> counts_since = {}) {
    append_families(lines.text, format, cut_families(std::move(families), sample, filter),
                    counts_since);
  };
  add(counterset_metrics(sample, rendered.counts, now));
  auto workers = sample.workers;
  workers.insert(workers.end(), facts.workers.begin(), facts.workers.end());
  const TargetsReport targets = targets_ ? targets_() : TargetsReport{};
  workers.insert(workers.end(), targets.workers.begin(), targets.workers.end());
  add(worker_metrics(workers));
  add(provider_metrics(sample));
  add(target_metrics(targets.targets, now));
  // The rest is about this program.
  if (registry_ == nullptr) return lines;
  auto essentials = registry_->collect_essentials();
  add(profile_metrics(sample, facts, options_.profiles, essentials, filter));
  add(options_.exporter ? registry_->collect() : std::move(essentials),
      options_.created ? std::optional(registry_->started_at()) : std::nullopt);
  return lines;
}

const Sample& MetricsPage::sample_of(const Rendered& rendered) {
  static const Sample kNone;
  return rendered.sample != nullptr ? *rendered.sample : kNone;
}

void append_families(std::string& out, PageFormat format,
                     std::span<const prometheus::MetricFamily> families,
                     std::optional<double> counts_since) {
  for (const prometheus::MetricFamily& family : families) {
    if (family.metric.empty()) continue;
    append_header(out, format, family.name, family.help, type_name(family.type, format));
    const bool has_created = counts_since && format == PageFormat::kOpenMetrics &&
                             family.type == prometheus::MetricType::Counter;
    for (const prometheus::ClientMetric& metric : family.metric) {
      const std::string labels = labels_of(metric);
      out += family.name;
      out += labels;
      out += ' ';
      append_number(out, value_of(metric, family.type));
      out += '\n';
      if (has_created) append_created(out, family.name, labels, *counts_since);
    }
  }
}

}  // namespace winperf
