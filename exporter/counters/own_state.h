// The numbers of the exporter's own counters at one moment, as both roads publish them.
// Thread rule: values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "exporter/counters/section_layout.h"

namespace winperf::own {

// Raw values, in the unit of their counter's type: a FILETIME for PERF_ELAPSED_TIME, ticks of the
// performance counter for PERF_AVERAGE_TIMER, and units of 100 ns for the other times.
struct CountersetRow {
  std::u16string name{};  // as it shall be shown: at most kLongestName, unique, without ()#/\*
  std::array<std::uint64_t, kCountersetValues> values{};

  std::uint64_t& operator[](CountersetValue value) { return values[index_of(value)]; }
  std::uint64_t operator[](CountersetValue value) const { return values[index_of(value)]; }
};

struct OwnState {
  std::uint64_t number = 0;     // grows by one with each state; 0 is never published
  std::int64_t written_at = 0;  // a FILETIME
  std::array<std::optional<std::uint64_t>, kExporterValues> exporter{};
  std::vector<CountersetRow> countersets{};  // at most kMaxRows

  std::optional<std::uint64_t>& operator[](ExporterValue value) {
    return exporter[index_of(value)];
  }
  const std::optional<std::uint64_t>& operator[](ExporterValue value) const {
    return exporter[index_of(value)];
  }
};

}  // namespace winperf::own
