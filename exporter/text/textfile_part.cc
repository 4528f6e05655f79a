#include "exporter/text/textfile_part.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <string_view>
#include <utility>

#include "exporter/text/page_format.h"
#include "exporter/textfile/textfile_family.h"

namespace winperf {

void PageNames::add(std::string_view lines) {
  constexpr std::string_view kType = "# TYPE ";
  for (const auto range : std::views::split(lines, '\n')) {
    const std::string_view line(range.begin(), range.end());
    if (line.starts_with(kType)) {
      const std::string_view family = line.substr(kType.size());
      const std::size_t blank = family.find(' ');
      if (blank != family.npos) add_family(family.substr(0, blank), family.substr(blank + 1));
    } else if (!line.empty() && !line.starts_with('#')) {
      names_.emplace(line.substr(0, line.find_first_of(" {")));
    }
  }
}

void PageNames::add_family(std::string_view name, std::string_view type) {
  names_.emplace(name);
  if (type != "counter") return;
  const std::string stem(family_of(name, type));
  names_.insert({stem, stem + "_total", stem + "_created"});
}

bool PageNames::has(std::string_view name) const {
  return name.starts_with("winperf_exporter_") || names_.contains(name);
}

namespace {

using AskName = TextfilePage::AskName;

constexpr std::size_t kLargePiece = std::size_t{64} << 10;  // bytes
constexpr std::string_view kTextfileError = "winperf_textfile_error";

// Whether one of the names that its lines have, or its own, is such a name.
bool has_name(std::string_view name, TextfileType type, const AskName& is_one) {
  return is_one(name) ||
         (is_composed(type) && std::ranges::any_of(kLineKinds, [&](LineKind kind) {
            return has_lines(type, kind) && is_one(std::string(name).append(suffix_of(kind)));
          }));
}

// How metrics of text files are written in OpenMetrics, which allows less than the text format.
// Source: OpenMetrics 1.0.

constexpr std::string_view kCreated = "_created";

// The numbers that the format has for such a series.
bool fits(TextfileType type, const TextfileSeries& series) {
  const auto& steps = series.steps;
  const auto is_quantile = [](const auto& step) {
    return step.first >= 0 && step.first <= 1 && !(step.second < 0);
  };
  switch (type) {
    case TextfileType::kCounter:
      return series.value >= 0;
    case TextfileType::kHistogram:
      return series.sum.value_or(-1) >= 0 && (steps.empty() || steps.begin()->first >= 0);
    case TextfileType::kSummary:
      return series.sum.value_or(0) >= 0 && std::ranges::all_of(steps, is_quantile);
    case TextfileType::kUntyped:
    case TextfileType::kGauge:
      break;
  }
  return true;
}

bool is_plain(TextfileType type) {
  return type == TextfileType::kGauge || type == TextfileType::kUntyped;
}

bool has_all(const TextfileFamily& family, const TextfileFamily& labels_of) {
  return std::ranges::all_of(
      labels_of.series, [&](const auto& series) { return family.series.contains(series.first); });
}

struct OpenMetricsForm {
  // Its lines are those of metrics of unknown type, one for each name.
  bool is_unknown = false;
  // Since when its series count, or null.
  const TextfileFamily* created = nullptr;
};

class OpenMetricsForms {
 public:
  // Both have to outlive it.
  OpenMetricsForms(const TextfileFamilies& families, const AskName& is_taken)
      : families_(families), is_taken_(is_taken) {}

  OpenMetricsForm form_of(std::string_view name, const TextfileFamily& family) const;
  // Whether it is a part of another one.
  bool is_created_of_another(std::string_view name) const;

 private:
  bool is_occupied(std::string_view name) const;

  const TextfileFamilies& families_;
  const AskName& is_taken_;
};

bool OpenMetricsForms::is_occupied(std::string_view name) const {
  return families_.contains(name) || is_taken_(name);
}

OpenMetricsForm OpenMetricsForms::form_of(std::string_view name,
                                          const TextfileFamily& family) const {
  constexpr OpenMetricsForm kUnknown{.is_unknown = true};
  if (family.type == TextfileType::kUntyped) return kUnknown;
  if (family.type == TextfileType::kGauge) return {};
  if (family.type == TextfileType::kCounter) {
    const std::string_view stem = family_of(name, "counter");
    if (stem.empty() || stem == name || is_occupied(stem)) return kUnknown;
    name = stem;
  }
  const bool is_sound = std::ranges::all_of(
      family.series, [&](const auto& series) { return fits(family.type, series.second); });
  if (!is_sound) return kUnknown;
  const std::string created_name = std::string(name).append(kCreated);
  if (!is_occupied(created_name)) return {};
  const auto created = families_.find(created_name);
  const bool is_its_own = created != families_.end() && !is_taken_(created_name) &&
                          is_plain(created->second.type) && has_all(family, created->second);
  return is_its_own ? OpenMetricsForm{.created = &created->second} : kUnknown;
}

bool OpenMetricsForms::is_created_of_another(std::string_view name) const {
  if (!name.ends_with(kCreated)) return false;
  const std::string stem(name.substr(0, name.size() - kCreated.size()));
  const auto created = families_.find(name);
  return std::ranges::any_of(std::array{stem, stem + "_total"}, [&](const std::string& owner) {
    const auto found = families_.find(owner);
    return found != families_.end() && created != families_.end() &&
           !has_name(owner, found->second.type, is_taken_) &&
           form_of(owner, found->second).created == &created->second;
  });
}

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
  // The lines of one kind as a separate metric.
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

TextfilePage::TextfilePage(std::shared_ptr<const TextfileResult> files, PageFormat format,
                           const AskName& is_taken)
    : files_(std::move(files)) {
  const AskName noting = [&](std::string_view name) {
    const auto known = asked_.find(name);
    return known != asked_.end() ? known->second
                                 : asked_.emplace(name, is_taken(name)).first->second;
  };
  write_textfile_families(format, files_->families, noting,
                          [this](TextfileText metric) { add(std::move(metric)); });
  end_piece();
}

bool TextfilePage::is_of(const TextfileResult* files, const AskName& is_taken) const {
  return files == files_.get() && std::ranges::all_of(asked_, [&](const auto& asked) {
           return is_taken(asked.first) == asked.second;
         });
}

void TextfilePage::add(TextfileText metric) {
  const std::size_t size = metric.text.size();
  if (size >= kLargePiece || begun_.size() >= kLargePiece) end_piece();
  metrics_.push_back({.name = metric.name,
                      .type = metric.type,
                      .piece = whole_.pieces.size(),
                      .begin = begun_.size(),
                      .size = size,
                      .left_out = metric.left_out});
  whole_.left_out += metric.left_out;
  if (begun_.empty())
    begun_ = std::move(metric.text);
  else
    begun_ += metric.text;
  if (size >= kLargePiece) end_piece();
}

void TextfilePage::end_piece() {
  if (begun_.empty()) return;
  begun_.shrink_to_fit();
  whole_.pieces.push_back(std::make_shared<const KeptPiece>(std::exchange(begun_, {})));
}

TextfilePage::Part TextfilePage::cut(const AskName& is_wanted) const {
  Part part;
  std::string small;
  const auto end_small = [&] {
    if (!small.empty())
      part.pieces.push_back(std::make_shared<const KeptPiece>(std::exchange(small, {})));
  };
  for (const Metric& metric : metrics_) {
    if (!has_name(metric.name, metric.type, is_wanted)) continue;
    part.left_out += metric.left_out;
    if (metric.size == 0) continue;
    const auto& piece = whole_.pieces[metric.piece];
    if (metric.size == piece->text()->size()) {
      end_small();
      part.pieces.push_back(piece);
    } else {
      small.append(*piece->text(), metric.begin, metric.size);
    }
  }
  end_small();
  return part;
}

const FactState* fresh_textfiles(const FactSnapshot& facts, SteadyTime now) {
  const auto state = std::ranges::find(facts.topics, FactTopic::kTextfile, &FactState::topic);
  const bool is_known =
      state != facts.topics.end() && is_fresh(*state, now) && state->table->textfiles != nullptr;
  return is_known ? &*state : nullptr;
}

void append_textfile_error(std::string& out, PageFormat format, const FactTable& table,
                           const PageSelection& selection) {
  if (!selection.has_name(kTextfileError)) return;
  append_header(out, format, kTextfileError,
                "1 if a folder or a file could not be read or was rejected, 0 otherwise.", "gauge");
  out += kTextfileError;
  out += table.problems.empty() ? " 0\n" : " 1\n";
}

TextfilePage::Part TextfilePart::metrics(const std::shared_ptr<const TextfileResult>& files,
                                         PageFormat format, const PageSelection& selection,
                                         const PageNames& names) {
  const auto all = page(files, format, names);
  if (selection.has_all_names()) return all->whole();
  return all->cut([&](std::string_view name) { return selection.has_name(name); });
}

std::shared_ptr<const TextfilePage> TextfilePart::page(
    const std::shared_ptr<const TextfileResult>& files, PageFormat format, const PageNames& names) {
  const auto is_taken = [&](std::string_view name) {
    return name == kTextfileError || names.has(name);
  };
  const std::lock_guard lock(mutex_);
  auto& known = pages_.at(static_cast<std::size_t>(format));
  if (known != nullptr && known->is_of(files.get(), is_taken)) return known;
  // Pages of earlier files are no longer needed.
  for (auto& page : pages_)
    if (page != nullptr && !page->is_of(files.get(), is_taken)) page.reset();
  known = std::make_shared<const TextfilePage>(files, format, is_taken);
  return known;
}

}  // namespace winperf
