#include "exporter/counters/section_writer.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "exporter/counters/section_view.h"

namespace winperf::own {
namespace {

void put(Word& word, std::uint64_t value) { word.store(value, std::memory_order_release); }
void put(std::span<Word> words, CopyHead word, std::uint64_t value) {
  put(words[static_cast<std::size_t>(word)], value);
}

// Returns how many units of names the row takes.
std::size_t put_row(std::span<Word> words, const CountersetRow& row) {
  for (std::size_t i = 0; i < row.values.size(); ++i) put(words[i], row.values[i]);
  const std::size_t length = std::min(row.name.size(), kLongestName);
  words = words.subspan(row.values.size());
  put(words[0], length);
  const std::size_t used = length / kUnitsPerWord + 1;  // with the NUL
  for (std::size_t word = 0; word < used; ++word) {
    std::uint64_t units = 0;
    for (std::size_t i = 0; i < kUnitsPerWord; ++i)
      if (const std::size_t at = word * kUnitsPerWord + i; at < length)
        units |= static_cast<std::uint64_t>(row.name[at]) << (16 * i);
    put(words[1 + word], units);
  }
  return used * kUnitsPerWord;
}

}  // namespace

SectionWriter::SectionWriter(std::span<Word> words) : words_(words) {
  if (const auto newest = SectionView(words).newest()) newest_ = newest->number();
  const auto put_head = [&](Head word, std::uint64_t value) {
    put(words[static_cast<std::size_t>(word)], value);
  };
  put_head(Head::kLayout, kLayout);
  put_head(Head::kExporterValues, kExporterValues);
  put_head(Head::kCountersetValues, kCountersetValues);
  put_head(Head::kRows, kMaxRows);
  put_head(Head::kCopyWords, kOwnCopyWords);
  put_head(Head::kMagic, kMagic);
}

// The next state must not get the place of the newest one.
void SectionWriter::start_after(std::uint64_t number) {
  if (number > newest_) newest_ = number + (number - newest_) % 2 * (newest_ != 0 ? 1 : 0);
}

void SectionWriter::publish(const OwnState& state) {
  const std::uint64_t number = next_number();
  const auto copy = words_.subspan(kHeadWords + number % 2 * kOwnCopyWords, kOwnCopyWords);
  put(copy, CopyHead::kBegun, number);
  put(copy, CopyHead::kWrittenAt, static_cast<std::uint64_t>(state.written_at));
  std::uint64_t known = 0;
  for (std::size_t i = 0; i < kExporterValues; ++i) {
    const auto value = i == index_of(ExporterValue::kStateNumber) ? number : state.exporter[i];
    if (value) known |= std::uint64_t{1} << i;
    put(copy[kCopyHeadWords + i], value.value_or(0));
  }
  put(copy, CopyHead::kKnown, known);
  const std::size_t rows = std::min(state.countersets.size(), kMaxRows);
  put(copy, CopyHead::kRowsUsed, rows);
  std::size_t units = 0;
  for (std::size_t i = 0; i < rows; ++i)
    units +=
        put_row(copy.subspan(kCopyHeadWords + kExporterValues + i * row_words(kCountersetValues),
                             row_words(kCountersetValues)),
                state.countersets[i]);
  put(copy, CopyHead::kNameUnits, units);
  put(copy.back(), number);
  newest_ = number;
}

}  // namespace winperf::own
