#include "exporter/text/textfile_lines.h"

#include <utility>

#include "exporter/text/exposition.h"
#include "exporter/text/open_metrics_form.h"
#include "exporter/textfile/go_number.h"

namespace winperf {
namespace {

class Writer {
 public:
  Writer(std::string& out, PageFormat format) : out_(out), format_(format) {}

  void write(const std::string& name, const TextfileFamily& family, const OpenMetricsForm& form) {
    if (form.is_unknown && is_composed(family.type)) {
      for (const LineKind kind : kLineKinds) write_part(name, family, kind);
      return;
    }
    append_header(out_, format_, name, family.help,
                  form.is_unknown ? "unknown" : name_of(family.type));
    for (const auto& [labels, series] : family.series) {
      if (is_composed(family.type)) {
        for (const LineKind kind : kLineKinds) write_lines(name, family.type, kind, labels, series);
      } else {
        write_line(name, {}, labels, series.value);
      }
      if (form.created == nullptr) continue;
      const auto created = form.created->series.find(labels);
      if (created == form.created->series.end()) continue;
      const std::string_view stem = family_of(name, name_of(family.type));
      write_line(stem, "_created", labels, created->second.value);
    }
  }

 private:
  // The lines of one kind as a metric of its own.
  void write_part(const std::string& name, const TextfileFamily& family, LineKind kind) {
    const std::size_t begin = out_.size();
    append_header(out_, format_, name + std::string(suffix_of(kind)), family.help, "unknown");
    const std::size_t end_of_header = out_.size();
    for (const auto& [labels, series] : family.series)
      write_lines(name, family.type, kind, labels, series);
    if (out_.size() == end_of_header) out_.resize(begin);
  }

  void write_lines(const std::string& name, TextfileType type, LineKind kind,
                   const std::string& labels, const TextfileSeries& series) {
    if (!has_lines(type, kind)) return;
    if (kind == LineKind::kSum || kind == LineKind::kCount) {
      const auto& part = kind == LineKind::kSum ? series.sum : series.count;
      if (part) write_line(name, suffix_of(kind), labels, *part);
      return;
    }
    for (const auto& [bound, value] : series.steps) {
      std::string all = labels;
      if (!all.empty()) all += ',';
      all.append(step_label(type)).append("=\"");
      append_go_number(all, bound, format_ == PageFormat::kOpenMetrics);
      all += '"';
      write_line(name, suffix_of(kind), all, value);
    }
  }

  void write_line(std::string_view name, std::string_view suffix, std::string_view labels,
                  double value) {
    out_.append(name).append(suffix);
    if (!labels.empty()) out_.append("{").append(labels).append("}");
    out_ += ' ';
    append_number(out_, value);
    out_ += '\n';
  }

  std::string& out_;
  PageFormat format_;
};

}  // namespace

void write_textfile_families(PageFormat format, const TextfileFamilies& families,
                             const std::function<bool(std::string_view)>& is_taken,
                             const std::function<void(TextfileText)>& use) {
  const OpenMetricsForms forms(families, is_taken);
  for (const auto& [name, family] : families) {
    TextfileText written{.name = name, .type = family.type};
    Writer writer(written.text, format);
    if (has_name(name, family.type, is_taken)) {
      written.left_out = family.series.size();
    } else if (format == PageFormat::kText) {
      writer.write(name, family, {});
    } else if (!forms.is_created_of_another(name)) {
      writer.write(name, family, forms.form_of(name, family));
    }
    use(std::move(written));
  }
}

}  // namespace winperf
