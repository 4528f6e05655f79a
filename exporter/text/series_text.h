// The lines of one column of a sample: most of a page is written here, so each line is three copies
// and a number, in memory that is there already. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

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

// Appends "name{labels} number\n" for each shown row that has a number; returns how many.
std::size_t append_series(std::string& out, const SeriesText& series, const PlainColumn& column);

}  // namespace winperf
