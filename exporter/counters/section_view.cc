#include "exporter/counters/section_view.h"

namespace winperf::own {
namespace {

// Above what any version has: products of these numbers don't overflow.
constexpr std::uint64_t kMostValues = 1024;
constexpr std::uint64_t kMostRows = 1 << 16;

constexpr std::size_t smaller(std::size_t a, std::size_t b) { return a < b ? a : b; }

}  // namespace

SectionView::SectionView(std::span<const Word> words) : words_(words) {
  if (words.size() < kHeadWords) return;
  const auto head = [&](Head word) {
    return words[static_cast<std::size_t>(word)].load(std::memory_order_acquire);
  };
  if (head(Head::kMagic) != kMagic) return;
  state_ = SectionState::kOtherLayout;
  if (head(Head::kLayout) != kLayout) return;
  state_ = SectionState::kDamaged;
  const std::uint64_t exporter_values = head(Head::kExporterValues);
  const std::uint64_t counterset_values = head(Head::kCountersetValues);
  const std::uint64_t rows = head(Head::kRows);
  if (exporter_values > 64 || counterset_values > kMostValues || rows > kMostRows) return;
  shape_.exporter_values = static_cast<std::size_t>(exporter_values);
  shape_.counterset_values = static_cast<std::size_t>(counterset_values);
  shape_.rows = static_cast<std::size_t>(rows);
  copy_words_ = copy_words(shape_.exporter_values, shape_.counterset_values, shape_.rows);
  if (head(Head::kCopyWords) != copy_words_ || (words.size() - kHeadWords) / 2 < copy_words_)
    return;
  exporter_values_ = smaller(shape_.exporter_values, kExporterValues);
  counterset_values_ = smaller(shape_.counterset_values, kCountersetValues);
  state_ = SectionState::kSound;
}

std::optional<SectionView::Copy> SectionView::copy(std::size_t which) const {
  const auto words = words_.subspan(kHeadWords + which * copy_words_, copy_words_);
  const std::uint64_t ended = words.back().load(std::memory_order_acquire);
  if (ended == 0) return std::nullopt;
  const Copy found(shape_, words, ended);
  return found.is_whole() ? std::optional(found) : std::nullopt;
}

std::optional<SectionView::Copy> SectionView::newest() const {
  if (state_ != SectionState::kSound) return std::nullopt;
  const auto even = copy(0);
  const auto odd = copy(1);
  if (!even || !odd) return even ? even : odd;
  return even->number() > odd->number() ? even : odd;
}

std::int64_t SectionView::Copy::written_at() const {
  return static_cast<std::int64_t>(word(static_cast<std::size_t>(CopyHead::kWrittenAt)));
}

bool SectionView::Copy::is_known(std::size_t value) const {
  return (word(static_cast<std::size_t>(CopyHead::kKnown)) >> value & 1) != 0;
}

std::uint64_t SectionView::Copy::exporter_value(std::size_t value) const {
  return word(kCopyHeadWords + value);
}

std::size_t SectionView::Copy::rows() const {
  const std::uint64_t used = word(static_cast<std::size_t>(CopyHead::kRowsUsed));
  return used < shape_.rows ? static_cast<std::size_t>(used) : shape_.rows;
}

std::size_t SectionView::Copy::name_units() const {
  const std::uint64_t units = word(static_cast<std::size_t>(CopyHead::kNameUnits));
  const std::size_t most = shape_.rows * kNameWords * kUnitsPerWord;
  return units < most ? static_cast<std::size_t>(units) : most;
}

std::size_t SectionView::Copy::row_at(std::size_t row) const {
  return kCopyHeadWords + shape_.exporter_values + row * row_words(shape_.counterset_values);
}

std::uint64_t SectionView::Copy::value(std::size_t row, std::size_t value) const {
  return word(row_at(row) + value);
}

std::size_t SectionView::Copy::name_length(std::size_t row) const {
  const std::uint64_t length = word(row_at(row) + shape_.counterset_values);
  return length < kLongestName ? static_cast<std::size_t>(length) : kLongestName;
}

char16_t SectionView::Copy::name_unit(std::size_t row, std::size_t index) const {
  const std::size_t first = row_at(row) + shape_.counterset_values + 1;
  const std::uint64_t units = word(first + index / kUnitsPerWord);
  return static_cast<char16_t>(units >> (16 * (index % kUnitsPerWord)));
}

// What was read before came from stores that follow the store of kBegun, so a newer state that
// has been read, even in part, shows here.
bool SectionView::Copy::is_whole() const {
  return word(static_cast<std::size_t>(CopyHead::kBegun)) == number_;
}

}  // namespace winperf::own
