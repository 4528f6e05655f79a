#include "exporter/text/metrics_page.h"

#include <utility>

#include "exporter/text/counterset_metrics.h"
#include "exporter/text/exposition.h"
#include "exporter/text/provider_metrics.h"
#include "exporter/text/worker_metrics.h"

namespace winperf {
namespace {

std::string_view type_name(prometheus::MetricType type) {
  if (type == prometheus::MetricType::Counter) return "counter";
  if (type == prometheus::MetricType::Gauge) return "gauge";
  return "untyped";
}

double value_of(const prometheus::ClientMetric& metric, prometheus::MetricType type) {
  if (type == prometheus::MetricType::Counter) return metric.counter.value;
  if (type == prometheus::MetricType::Gauge) return metric.gauge.value;
  return metric.untyped.value;
}

void append_labels(std::string& out, const prometheus::ClientMetric& metric) {
  char separator = '{';
  for (const auto& label : metric.label) {
    out += separator;
    append_label(out, label.name, label.value);
    separator = ',';
  }
  if (!metric.label.empty()) out += '}';
}

}  // namespace

MetricsPage::MetricsPage(const SampleSlot& slot, ExporterRegistry& registry, MappingOptions options,
                         std::function<Ticks100ns()> now)
    : slot_(slot), registry_(registry), now_(std::move(now)), writer_(options) {}

SharedText MetricsPage::text() {
  const auto rendered = current();
  SharedText page(rendered->text);
  page.add(own_part(*rendered));
  return page;
}

SharedText MetricsPage::gzipped() {
  const auto rendered = current();
  std::call_once(rendered->compress_once,
                 [&] { rendered->compressed = deflate_part(*rendered->text); });
  const DeflatedPart parts[]{rendered->compressed, deflate_part(own_part(*rendered))};
  return gzip(parts);
}

std::shared_ptr<MetricsPage::Rendered> MetricsPage::current() {
  const std::lock_guard lock(mutex_);
  auto sample = slot_.latest();
  if (rendered_ != nullptr && rendered_->sample == sample) return rendered_;
  auto fresh = std::make_shared<Rendered>();
  fresh->sample = std::move(sample);
  if (fresh->sample != nullptr) {
    std::string text;
    if (rendered_ != nullptr) text.reserve(rendered_->text->size() + 4096);
    fresh->counts = writer_.append(text, *fresh->sample);
    fresh->text = std::make_shared<const std::string>(std::move(text));
    registry_.count_rendering();
  }
  rendered_ = std::move(fresh);
  return rendered_;
}

std::string MetricsPage::own_part(const Rendered& rendered) const {
  std::string text;
  if (rendered.sample != nullptr) {
    append_families(text, counterset_metrics(*rendered.sample, rendered.counts, now_()));
    append_families(text, worker_metrics(*rendered.sample));
    append_families(text, provider_metrics(*rendered.sample));
  }
  append_families(text, registry_.collect());
  return text;
}

void append_families(std::string& out, std::span<const prometheus::MetricFamily> families) {
  for (const prometheus::MetricFamily& family : families) {
    if (family.metric.empty()) continue;
    append_header(out, family.name, family.help, type_name(family.type));
    for (const prometheus::ClientMetric& metric : family.metric) {
      out += family.name;
      append_labels(out, metric);
      out += ' ';
      append_number(out, value_of(metric, family.type));
      out += '\n';
    }
  }
}

}  // namespace winperf
