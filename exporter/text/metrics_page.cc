#include "exporter/text/metrics_page.h"

#include <utility>

#include "exporter/text/counterset_metrics.h"
#include "exporter/text/metric_families.h"

namespace winperf {

MetricsPage::MetricsPage(const SampleSlot& slot, ExporterRegistry& registry, MappingOptions options,
                         std::function<Ticks100ns()> now)
    : slot_(slot), registry_(registry), now_(std::move(now)), writer_(options) {}

std::string MetricsPage::text() {
  const auto rendered = current();
  return rendered->text + own_part(*rendered);
}

std::string MetricsPage::gzipped() {
  const auto rendered = current();
  std::call_once(rendered->compress_once,
                 [&] { rendered->compressed = deflate_part(rendered->text); });
  return gzip(rendered->compressed, own_part(*rendered));
}

std::shared_ptr<MetricsPage::Rendered> MetricsPage::current() {
  const std::lock_guard lock(mutex_);
  auto sample = slot_.latest();
  if (rendered_ != nullptr && rendered_->sample == sample) return rendered_;
  auto fresh = std::make_shared<Rendered>();
  fresh->sample = std::move(sample);
  if (fresh->sample != nullptr) {
    if (rendered_ != nullptr) fresh->text.reserve(rendered_->text.size() + 4096);
    fresh->counts = writer_.append(fresh->text, *fresh->sample);
    registry_.count_rendering();
  }
  rendered_ = std::move(fresh);
  return rendered_;
}

std::string MetricsPage::own_part(const Rendered& rendered) const {
  std::string text;
  if (rendered.sample != nullptr) {
    append_families(text, counterset_metrics(*rendered.sample, rendered.counts, now_()));
  }
  append_families(text, registry_.collect());
  return text;
}

}  // namespace winperf
