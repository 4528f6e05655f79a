#include "exporter/text/kept_page.h"

#include <algorithm>
#include <utility>

namespace winperf {
namespace {

// A run of fewer bytes shares its piece with others, and no piece becomes larger unless one family
// of a counterset is.
constexpr std::size_t kSmallRun = 8 * 1024;
constexpr std::size_t kMostOfAPiece = 64 * 1024;
// Less than this is stored as it is: compressing it would cost more than it saves.
constexpr std::size_t kLeastCompressed = 1024;

}  // namespace

KeptPage::KeptPage(std::string text, std::vector<PagePart> parts, std::string_view end)
    : parts_(std::move(parts)), end_(end) {
  text += end;
  whole_ = std::make_shared<const std::string>(std::move(text));
}

std::shared_ptr<const std::string> KeptPage::whole() const {
  const std::lock_guard lock(mutex_);
  return whole_;
}

KeptPage::Pieces& KeptPage::pieces() const {
  std::call_once(cut_once_, [this] {
    pieces_ = pieces_of(*whole());
    const std::lock_guard lock(mutex_);
    whole_.reset();
  });
  return *pieces_;
}

std::unique_ptr<KeptPage::Pieces> KeptPage::pieces_of(std::string_view text) const {
  auto pieces = std::make_unique<Pieces>();
  const auto add = [&](Range piece) {
    pieces->add(text.substr(piece.begin, piece.end - piece.begin), piece.begin);
  };
  Range piece;
  for (std::size_t first = 0; first < parts_.size();) {
    const Run run{first, end_of_run(first)};
    const Range range = range_of(run);
    const std::size_t bytes = range.end - range.begin;
    const bool shares = bytes < kSmallRun && piece.end - piece.begin < kSmallRun;
    if (!shares) add(std::exchange(piece, {range.begin, range.begin}));
    piece.end = range.end;
    if (bytes >= kSmallRun) add(std::exchange(piece, {range.end, range.end}));
    pieces->runs.push_back(run);
    first = run.end;
  }
  add(piece);
  pieces->text.add(std::string(end_));
  for (std::size_t i = 0; i < parts_.size(); ++i)
    if (parts_[i].is_first())
      pieces->families.push_back(
          {pieces->view({parts_[i].begin, parts_[i].begin + parts_[i].name_size}), i});
  pieces->compressed_runs = std::vector<Compressed>(pieces->runs.size());
  return pieces;
}

// As long as a piece may be.
std::size_t KeptPage::end_of_run(std::size_t first) const {
  std::size_t end = first + 1;
  while (end < parts_.size() && parts_[end].counterset == parts_[first].counterset &&
         parts_[end].end - parts_[first].start() <= kMostOfAPiece)
    ++end;
  return end;
}

void KeptPage::Pieces::add(std::string_view piece, std::size_t start) {
  if (piece.empty()) return;
  starts.push_back(start);
  text.add(std::string(piece));
}

std::size_t KeptPage::Pieces::piece_of(std::size_t place) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(starts, place) - starts.begin()) - 1;
}

std::string_view KeptPage::Pieces::view(Range range) const {
  const std::size_t piece = piece_of(range.begin);
  return std::string_view(*text.pieces()[piece])
      .substr(range.begin - starts[piece], range.end - range.begin);
}

const DeflatedPart& KeptPage::compressed() {
  std::call_once(compress_once_, [this] {
    const auto uncut = whole();
    const std::string joined = uncut == nullptr ? text().str() : std::string();
    compressed_ = counted(deflate_part(uncut != nullptr ? *uncut : joined));
  });
  return compressed_;
}

// Their first parts, in the order of the page. There may be many families and many names.
std::vector<std::size_t> KeptPage::families_called(const PageSelection& selection) const {
  const std::vector<Family>& families = pieces().families;
  std::vector<std::size_t> found;
  for (const std::string& name : selection.names()) {
    const auto family = std::ranges::lower_bound(families, name, {}, &Family::name);
    if (family != families.end() && family->name == name) found.push_back(family->first);
  }
  std::ranges::sort(found);
  return found;
}

// Calls use(kind, index, range) in the order of the page; `index`: of the run or the part.
template <class Use>
void KeptPage::for_each_selected(const PageSelection& selection, const Use& use) const {
  std::size_t commented = std::string_view::npos;  // whose comments are there: of which family
  const auto add = [&](Kind kind, std::size_t index, const Run& run) {
    const PagePart& first = parts_[run.first];
    if (!selection.has_counterset(first.counterset)) return;
    if (!first.is_first() && first.header != commented)
      use(Kind::kComments, 0, Range{first.header, first.header + first.header_size});
    use(kind, index, range_of(run));
    commented = parts_[run.end - 1].header;
  };
  if (selection.has_all_names()) {
    const std::vector<Run>& runs = pieces().runs;
    for (std::size_t i = 0; i < runs.size(); ++i) add(Kind::kRun, i, runs[i]);
    return;
  }
  for (const std::size_t first : families_called(selection))
    for (std::size_t i = first; i < parts_.size() && parts_[i].header == parts_[first].header; ++i)
      add(Kind::kPart, i, {i, i + 1});
}

SharedText KeptPage::text(const PageSelection& selection) const {
  const Pieces& cut = pieces();
  TextJoiner joiner;
  Range joined;  // within a piece
  const auto flush = [&] {
    if (joined.begin == joined.end) return;
    const SharedText::Piece& piece = cut.text.pieces()[cut.piece_of(joined.begin)];
    if (joined.end - joined.begin == piece->size())
      joiner.add(piece);
    else
      joiner.add(cut.view(joined));
  };
  for_each_selected(selection, [&](Kind, std::size_t, Range range) {
    const bool follows =
        range.begin == joined.end && !std::ranges::binary_search(cut.starts, range.begin);
    if (!follows) flush();
    joined = {follows ? joined.begin : range.begin, range.end};
  });
  flush();
  joiner.add(end_);
  return std::move(joiner).finish();
}

void KeptPage::append_to(GzipFile& file, const PageSelection& selection) {
  Pieces& cut = pieces();
  if (!selection.has_all_names())
    std::call_once(part_once_,
                   [this] { compressed_parts_ = std::vector<Compressed>(parts_.size()); });
  for_each_selected(selection, [&](Kind kind, std::size_t index, Range range) {
    const std::string_view text = cut.view(range);
    if (kind == Kind::kComments) return file.store(text);
    append_kept(file, kind == Kind::kRun ? cut.compressed_runs[index] : compressed_parts_[index],
                text);
  });
  file.store(end_);
}

DeflatedPart KeptPage::counted(DeflatedPart part) {
  compressed_text_bytes_ += part.size;
  if (part.data != nullptr) kept_bytes_ += part.data->size();
  return part;
}

void KeptPage::append_kept(GzipFile& file, Compressed& kept, std::string_view text) {
  if (text.size() < kLeastCompressed) return file.store(text);
  std::call_once(kept.once, [&] { kept.part = counted(deflate_part(text)); });
  file.add(kept.part);
}

}  // namespace winperf
