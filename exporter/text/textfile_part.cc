#include "exporter/text/textfile_part.h"

#include <algorithm>
#include <ranges>
#include <string_view>
#include <utility>

#include "exporter/text/exposition.h"
#include "exporter/text/open_metrics_form.h"
#include "exporter/textfile/textfile_line.h"

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

namespace {

constexpr std::size_t kLargePiece = std::size_t{64} << 10;  // bytes

}  // namespace

const DeflatedPart& TextfilePiece::compressed() const {
  std::call_once(compress_once_, [this] { compressed_ = deflate_part(*text_); });
  return compressed_;
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
  if (begun_.empty()) {
    begun_ = std::move(metric.text);
  } else {
    begun_ += metric.text;
  }
  if (size >= kLargePiece) end_piece();
}

void TextfilePage::end_piece() {
  if (begun_.empty()) return;
  begun_.shrink_to_fit();
  whole_.pieces.push_back(std::make_shared<const TextfilePiece>(std::exchange(begun_, {})));
}

TextfilePage::Part TextfilePage::cut(const AskName& is_wanted) const {
  Part part;
  std::string small;
  const auto end_small = [&] {
    if (!small.empty())
      part.pieces.push_back(std::make_shared<const TextfilePiece>(std::exchange(small, {})));
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

namespace {

constexpr std::string_view kError = "winperf_textfile_error";

}  // namespace

const FactState* fresh_textfiles(const FactSnapshot& facts, SteadyTime now) {
  const auto state = std::ranges::find(facts.topics, FactTopic::kTextfile, &FactState::topic);
  const bool is_known =
      state != facts.topics.end() && is_fresh(*state, now) && state->table->textfiles != nullptr;
  return is_known ? &*state : nullptr;
}

void append_textfile_error(std::string& out, PageFormat format, const FactTable& table,
                           const PageSelection& selection) {
  if (!selection.has_name(kError)) return;
  append_header(out, format, kError, "1 if a folder or a file couldn't be read or was refused.",
                "gauge");
  out += kError;
  out += table.problems.empty() ? " 0\n" : " 1\n";
}

TextfilePage::Part TextfilePart::metrics(const std::shared_ptr<const TextfileResult>& files,
                                         PageFormat format, const PageSelection& selection,
                                         const PageNames& names) {
  const auto all = page(files, format, names);
  if (selection.has_all_names()) return all->whole();
  return all->cut([&](std::string_view name) { return selection.has_name(name); });
}

std::size_t TextfilePart::writings() const {
  const std::lock_guard lock(mutex_);
  return writings_;
}

std::shared_ptr<const TextfilePage> TextfilePart::page(
    const std::shared_ptr<const TextfileResult>& files, PageFormat format, const PageNames& names) {
  const auto is_taken = [&](std::string_view name) { return name == kError || names.has(name); };
  const std::lock_guard lock(mutex_);
  auto& known = pages_.at(static_cast<std::size_t>(format));
  if (known != nullptr && known->is_of(files.get(), is_taken)) return known;
  // Nobody will want those of other files any more.
  for (auto& page : pages_)
    if (page != nullptr && !page->is_of(files.get(), is_taken)) page.reset();
  known = std::make_shared<const TextfilePage>(files, format, is_taken);
  ++writings_;
  return known;
}

}  // namespace winperf
