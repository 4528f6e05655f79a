// Sections as a service of any version would write them, to be spoilt by tests.
// Thread rule: one thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "exporter/counters/own_state.h"
#include "exporter/counters/section_layout.h"

namespace winperf::own::testing {

// All values follow from the number, so that a mixture of two states shows; there are up to four
// rows.
inline std::uint64_t exporter_value_of(std::uint64_t number, std::size_t value) {
  return value == index_of(ExporterValue::kStateNumber) ? number : number * 1000 + value;
}
inline std::uint64_t counterset_value_of(std::uint64_t number, std::size_t row, std::size_t value) {
  return number * 100 + row * 20 + value;
}
inline std::u16string row_name_of(std::size_t row) {
  return u"Set " + std::u16string(row % 7 + 1, static_cast<char16_t>(u'a' + row % 26)) + u' ' +
         static_cast<char16_t>(u'0' + row / 100) + static_cast<char16_t>(u'0' + row / 10 % 10) +
         static_cast<char16_t>(u'0' + row % 10);
}
inline std::size_t numbered_rows(std::uint64_t number) {
  return static_cast<std::size_t>(number % 5);
}

inline OwnState numbered_state(std::uint64_t number, std::int64_t written_at, std::size_t rows) {
  OwnState state{.number = number, .written_at = written_at};
  for (std::size_t i = 0; i < kExporterValues; ++i)
    state.exporter[i] = exporter_value_of(number, i);
  for (std::size_t row = 0; row < rows; ++row) {
    CountersetRow added{.name = row_name_of(row)};
    for (std::size_t i = 0; i < kCountersetValues; ++i)
      added.values[i] = counterset_value_of(number, row, i);
    state.countersets.push_back(added);
  }
  return state;
}

class SectionBuilder {
 public:
  // Of a version with so many values, and with room for so many rows.
  SectionBuilder(std::size_t exporter_values, std::size_t counterset_values, std::size_t rows)
      : exporter_values_(exporter_values),
        counterset_values_(counterset_values),
        copy_words_(copy_words(exporter_values, counterset_values, rows)),
        words_(kHeadWords + 2 * copy_words_) {
    head(Head::kMagic) = kMagic;
    head(Head::kLayout) = kLayout;
    head(Head::kExporterValues) = exporter_values;
    head(Head::kCountersetValues) = counterset_values;
    head(Head::kRows) = rows;
    head(Head::kCopyWords) = copy_words_;
  }

  // All values are known and follow from the number, with those that this version doesn't have.
  void put_state(std::uint64_t number, std::int64_t written_at, std::size_t rows) {
    copy_head(number, CopyHead::kBegun) = number;
    copy_head(number, CopyHead::kWrittenAt) = static_cast<std::uint64_t>(written_at);
    copy_head(number, CopyHead::kKnown) = ~std::uint64_t{0};
    copy_head(number, CopyHead::kRowsUsed) = rows;
    for (std::size_t i = 0; i < exporter_values_; ++i)
      words_[copy_at(number) + kCopyHeadWords + i] = exporter_value_of(number, i);
    std::uint64_t units = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t i = 0; i < counterset_values_; ++i)
        words_[row_at(number, row) + i] = counterset_value_of(number, row, i);
      units += put_name(number, row, row_name_of(row));
    }
    copy_head(number, CopyHead::kNameUnits) = units;
    words_[copy_at(number) + copy_words_ - 1] = number;
  }
  // Returns how many units it takes.
  std::uint64_t put_name(std::uint64_t number, std::size_t row, const std::u16string& name) {
    name_length(number, row) = name.size();
    const std::size_t first = row_at(number, row) + counterset_values_ + 1;
    std::fill_n(words_.begin() + static_cast<std::ptrdiff_t>(first), kNameWords, 0);
    for (std::size_t i = 0; i < name.size(); ++i)
      words_[first + i / kUnitsPerWord] |= std::uint64_t{name[i]} << (16 * (i % kUnitsPerWord));
    return (name.size() / kUnitsPerWord + 1) * kUnitsPerWord;
  }

  std::uint64_t& head(Head word) { return words_[static_cast<std::size_t>(word)]; }
  // Of the copy that the state with this number has.
  std::uint64_t& copy_head(std::uint64_t number, CopyHead word) {
    return words_[copy_at(number) + static_cast<std::size_t>(word)];
  }
  std::uint64_t& name_length(std::uint64_t number, std::size_t row) {
    return words_[row_at(number, row) + counterset_values_];
  }
  const std::vector<std::uint64_t>& words() const { return words_; }

 private:
  std::size_t copy_at(std::uint64_t number) const {
    return kHeadWords + static_cast<std::size_t>(number % 2) * copy_words_;
  }
  std::size_t row_at(std::uint64_t number, std::size_t row) const {
    return copy_at(number) + kCopyHeadWords + exporter_values_ +
           row * row_words(counterset_values_);
  }

  std::size_t exporter_values_;
  std::size_t counterset_values_;
  std::size_t copy_words_;
  std::vector<std::uint64_t> words_;
};

// Memory for a section, at its exact size.
class SectionMemory {
 public:
  explicit SectionMemory(std::size_t words)
      : words_(std::make_unique<Word[]>(words)), size_(words) {}
  explicit SectionMemory(std::span<const std::uint64_t> words) : SectionMemory(words.size()) {
    for (std::size_t i = 0; i < words.size(); ++i)
      words_[i].store(words[i], std::memory_order_release);
  }

  std::span<Word> words() const { return {words_.get(), size_}; }

 private:
  std::unique_ptr<Word[]> words_;
  std::size_t size_;
};

}  // namespace winperf::own::testing
