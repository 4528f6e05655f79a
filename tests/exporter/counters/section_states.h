// States whose values all follow from their number, so that a mixture of two shows. Thread rule:
// values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "exporter/counters/own_state.h"
#include "exporter/counters/section_view.h"

namespace winperf::own::testing {

// Changes `state`, so that a writer allocates nothing but once.
inline void become(OwnState& state, std::uint64_t number, std::size_t rows) {
  state.number = number;
  state.written_at = static_cast<std::int64_t>(number * 3);
  for (std::size_t i = 0; i < kExporterValues; ++i) state.exporter[i] = number * 1000 + i;
  state.exporter[number % kExporterValues] = std::nullopt;
  state.countersets.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    CountersetRow& one = state.countersets[row];
    one.name.assign(1 + (number + row) % kLongestName, static_cast<char16_t>(u'a' + number % 26));
    for (std::size_t i = 0; i < kCountersetValues; ++i)
      one.values[i] = number * 10'000 + row * 100 + i;
  }
}

inline std::size_t row_count_of(std::uint64_t number) { return 10 + number % 30; }

inline OwnState state_of(std::uint64_t number) {
  OwnState state;
  become(state, number, row_count_of(number));
  return state;
}

// What of the copy isn't that of its number; empty if it is whole. It may be written to meanwhile,
// so that each of its counts may be another one the next time.
inline std::string wrong_in(const SectionView::Copy& copy) {
  const OwnState state = state_of(copy.number());
  const auto at = [&](const char* what) {
    return what + (" of state " + std::to_string(copy.number()));
  };
  if (copy.written_at() != state.written_at) return at("the time");
  for (std::size_t i = 0; i < kExporterValues; ++i) {
    const auto value = i == 0 ? copy.number() : state.exporter[i];
    if (copy.is_known(i) != value.has_value()) return at("what is known");
    if (copy.exporter_value(i) != value.value_or(0)) return at("a value");
  }
  if (copy.rows() != state.countersets.size()) return at("the number of rows");
  for (std::size_t row = 0; row < state.countersets.size(); ++row) {
    const CountersetRow& wanted = state.countersets[row];
    if (copy.name_length(row) != wanted.name.size()) return at("the length of a name");
    for (std::size_t i = 0; i < wanted.name.size(); ++i)
      if (copy.name_unit(row, i) != wanted.name[i]) return at("a name");
    for (std::size_t i = 0; i < kCountersetValues; ++i)
      if (copy.value(row, i) != wanted.values[i]) return at("a row's value");
  }
  return {};
}

}  // namespace winperf::own::testing
