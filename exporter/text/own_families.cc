#include "exporter/text/own_families.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "exporter/text/page_format.h"

namespace winperf {
namespace {

// The text before and after the number of a series.
struct Around {
  std::string before;
  std::string after;
};

bool counts(const prometheus::MetricFamily& family) {
  return family.type == prometheus::MetricType::Counter;
}

Around around(const prometheus::MetricFamily& family, const prometheus::ClientMetric& metric,
              PageFormat format, std::optional<double> counts_since) {
  std::string labels;
  for (const auto& label : metric.label) {
    labels += labels.empty() ? '{' : ',';
    append_label(labels, label.name, label.value);
  }
  if (!labels.empty()) labels += '}';
  Around text{.before = family.name + labels + ' ', .after = "\n"};
  if (counts_since && format == PageFormat::kOpenMetrics && counts(family))
    append_created(text.after, family.name, labels, *counts_since);
  return text;
}

void append_header(std::string& out, const prometheus::MetricFamily& family, PageFormat format) {
  append_header(out, format, family.name, family.help, counts(family) ? "counter" : "gauge");
}

class FamilyCollector final : public SeriesSink {
 public:
  using SeriesSink::SeriesSink;
  std::vector<prometheus::MetricFamily> families;

 private:
  void take(const OwnFamily& family, std::span<const std::string_view> labels,
            double value) override {
    if (families.empty() || families.back().name != family.name)
      families.push_back({family.name, family.help, family.type, {}});
    prometheus::ClientMetric& metric = families.back().metric.emplace_back();
    const auto names = family.labels();
    for (std::size_t i = 0; i < names.size(); ++i)
      if (labels[i].data() != nullptr) metric.label.push_back({names[i], std::string(labels[i])});
    (family.counts() ? metric.counter.value : metric.gauge.value) = value;
  }
};

}  // namespace

std::vector<prometheus::MetricFamily> OwnMetrics::collect(const PageSelection& selection,
                                                          OwnShare share) const {
  FamilyCollector collector(selection, share);
  visit(collector);
  return std::move(collector.families);
}

void append_own(std::string& out, PageFormat format, const OwnMetrics& metrics,
                const PageSelection& selection, OwnShare share) {
  for (const prometheus::MetricFamily& family : metrics.collect(selection, share)) {
    append_header(out, family, format);
    for (const prometheus::ClientMetric& metric : family.metric) {
      const Around text = around(family, metric, format, metrics.counts_since());
      out += text.before;
      append_number(out, counts(family) ? metric.counter.value : metric.gauge.value);
      out += text.after;
    }
  }
}

// Series come in the order of the lines, so what isn't found at or after a place is unknown.
class OwnText::Writer final : public SeriesSink {
 public:
  Writer(std::string& out, const std::vector<Family>& families, const PageSelection& selection,
         OwnShare share)
      : SeriesSink(selection, share), out_(out), families_(families) {}

  bool has_known_all() const { return has_known_all_; }

 private:
  void take(const OwnFamily& family, std::span<const std::string_view> labels,
            double value) override {
    if (!has_known_all_) return;
    const std::string_view name = family.name;
    const auto is_here = [&] { return families_[family_].name == name; };
    if (family_ == families_.size() || !is_here()) {
      has_header_ = false;
      line_ = 0;
      while (family_ < families_.size() && !is_here()) ++family_;
    }
    if (family_ == families_.size()) return void(has_known_all_ = false);
    const std::vector<Line>& lines = families_[family_].lines;
    while (line_ < lines.size() && !are_labels_of(lines[line_], labels)) ++line_;
    if (line_ == lines.size()) return void(has_known_all_ = false);
    if (!std::exchange(has_header_, true)) out_ += families_[family_].header;
    out_ += lines[line_].before;
    append_number(out_, value);
    out_ += lines[line_++].after;
  }

  static bool are_labels_of(const Line& line, std::span<const std::string_view> labels) {
    std::size_t known = 0;
    for (const std::string_view label : labels) {
      if (label.data() == nullptr) continue;
      if (known == line.labels.size() || line.labels[known] != label) return false;
      ++known;
    }
    return known == line.labels.size();
  }

  std::string& out_;
  const std::vector<Family>& families_;
  std::size_t family_ = 0;
  std::size_t line_ = 0;
  bool has_header_ = false;
  bool has_known_all_ = true;
};

void OwnText::append(std::string& out, std::span<const OwnMetrics> metrics,
                     const PageSelection& selection) {
  const std::lock_guard lock(mutex_);
  if (append_known(out, metrics, selection)) return;
  collect(metrics);
  if (append_known(out, metrics, selection)) return;
  // There is a new one already.
  for (const OwnMetrics& part : metrics) append_own(out, format_, part, selection, share_);
}

bool OwnText::append_known(std::string& out, std::span<const OwnMetrics> metrics,
                           const PageSelection& selection) const {
  const std::size_t start = out.size();
  Writer writer(out, families_, selection, share_);
  for (const OwnMetrics& part : metrics) part.visit(writer);
  if (!writer.has_known_all()) out.resize(start);
  return writer.has_known_all();
}

void OwnText::collect(std::span<const OwnMetrics> metrics) {
  families_.clear();
  for (const OwnMetrics& part : metrics) {
    for (const prometheus::MetricFamily& family : part.collect({}, share_)) {
      Family& known =
          families_.emplace_back(Family{.name = family.name, .header = {}, .lines = {}});
      append_header(known.header, family, format_);
      for (const prometheus::ClientMetric& metric : family.metric) {
        Around text = around(family, metric, format_, part.counts_since());
        Line& line = known.lines.emplace_back();
        line.before = std::move(text.before);
        line.after = std::move(text.after);
        for (const auto& label : metric.label) line.labels.push_back(label.value);
      }
    }
  }
}

}  // namespace winperf
