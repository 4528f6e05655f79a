#include "exporter/text/textfile_page.h"

#include <algorithm>
#include <utility>

#include "exporter/text/open_metrics_form.h"

namespace winperf {
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

}  // namespace winperf
