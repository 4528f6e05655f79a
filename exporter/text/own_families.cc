#include "exporter/text/own_families.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "exporter/text/exposition.h"

namespace winperf {
namespace {

// What stands around the number of a series.
struct Around {
  std::string before;
  std::string after;
};

Around around(const OwnFamily& family, std::span<const std::string_view> values, PageFormat format,
              std::optional<double> counts_since) {
  std::string labels;
  const auto names = family.labels();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (values[i].data() == nullptr) continue;
    labels += labels.empty() ? '{' : ',';
    append_label(labels, names[i], values[i]);
  }
  if (!labels.empty()) labels += '}';
  Around text{.before = family.name + labels + ' ', .after = "\n"};
  if (counts_since && format == PageFormat::kOpenMetrics && family.counts())
    append_created(text.after, family.name, labels, *counts_since);
  return text;
}

void append_header(std::string& out, const OwnFamily& family, PageFormat format) {
  append_header(out, format, family.name, family.help, family.counts() ? "counter" : "gauge");
}

// Hands over each series, and whether it is the first one of its family.
template <class Use>
class EachSeries final : public SeriesSink {
 public:
  EachSeries(const PageSelection& selection, Use use) : SeriesSink(selection), use_(use) {}

 private:
  void take(const OwnFamily& family, std::span<const std::string_view> labels,
            double value) override {
    const bool is_first = std::exchange(last_, family.name) != family.name;
    use_(family, labels, value, is_first);
  }

  Use use_;
  std::string_view last_;
};

}  // namespace

void append_own(std::string& out, PageFormat format, const OwnMetrics& metrics,
                const PageSelection& selection) {
  EachSeries sink(selection, [&](const OwnFamily& family, std::span<const std::string_view> labels,
                                 double value, bool is_first) {
    if (is_first) append_header(out, family, format);
    const Around text = around(family, labels, format, metrics.counts_since());
    out += text.before;
    append_number(out, value);
    out += text.after;
  });
  metrics.visit(sink);
}

// Series come in the order of the lines, so what isn't at a place or behind it isn't known.
class OwnText::Writer final : public SeriesSink {
 public:
  Writer(std::string& out, const std::vector<Family>& families, const PageSelection& selection)
      : SeriesSink(selection), out_(out), families_(families) {}

  bool has_known_all() const { return has_known_all_; }

 private:
  void take(const OwnFamily& family, std::span<const std::string_view> labels,
            double value) override {
    if (!has_known_all_) return;
    const bool continues = family_ < families_.size() && families_[family_].name == family.name;
    if (!continues) has_header_ = false, line_ = 0;
    while (family_ < families_.size() && families_[family_].name != family.name) ++family_;
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
  for (const OwnMetrics& part : metrics) append_own(out, format_, part, selection);
}

bool OwnText::append_known(std::string& out, std::span<const OwnMetrics> metrics,
                           const PageSelection& selection) const {
  const std::size_t start = out.size();
  Writer writer(out, families_, selection);
  for (const OwnMetrics& part : metrics) part.visit(writer);
  if (!writer.has_known_all()) out.resize(start);
  return writer.has_known_all();
}

void OwnText::collect(std::span<const OwnMetrics> metrics) {
  const PageSelection all;
  families_.clear();
  for (const OwnMetrics& part : metrics) {
    EachSeries sink(all, [&](const OwnFamily& family, std::span<const std::string_view> labels,
                             double, bool is_first) {
      if (is_first) append_header(families_.emplace_back(family.name).header, family, format_);
      Around text = around(family, labels, format_, part.counts_since());
      Line& line = families_.back().lines.emplace_back();
      line.before = std::move(text.before);
      line.after = std::move(text.after);
      for (const std::string_view label : labels)
        if (label.data() != nullptr) line.labels.emplace_back(label);
    });
    part.visit(sink);
  }
}

}  // namespace winperf
