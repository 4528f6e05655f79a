// The lines of one column of a sample: most of a page is written here, so most lines are two
// copies and a number, in memory that is there already. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/sample.h"
#include "exporter/mapping/family.h"
#include "exporter/text/family_text.h"
#include "exporter/text/row_texts.h"

namespace winperf {

struct SeriesText {
  std::string_view name;
  const LabelEnds& ends;
  const RowTexts& rows;
  const std::vector<bool>* shown = nullptr;  // by row of the sample; null: all
};

// Of a source of a family, for one row.
std::optional<MetricValue> value_of(const ValueRule& rule, const RowTexts& rows, const RowText& row,
                                    const CountersetSample& sample);

// Appends "name{labels} number\n" for each shown row that has a number; returns how many.
std::size_t append_series(std::string& out, const SeriesText& series, const ValueRule& rule,
                          const CountersetSample& sample);

}  // namespace winperf
