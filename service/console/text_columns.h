// Columns of text for a terminal. Cells may be foreign text: they are shown as
// printable() has them, and widths are counted in characters of what is shown. Thread rule: any
// thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/console/look.h"

namespace winperf {

// The number of columns that the printable text takes up.
std::size_t text_width(const std::string& text);

// As much of a line, which is shown as it is, as fits into so many columns.
std::string_view first_characters(std::string_view line, std::size_t columns);

// The line, or its beginning and "…" if it is wider.
std::string fitted(std::string_view line, std::size_t columns);
// The same for each of the lines.
std::string fitted_lines(std::string_view lines, std::size_t columns);

// Appends the text, padded to `columns`, and two blanks.
void append_padded(std::string& out, const std::string& text, std::size_t columns);

class TextColumns {
 public:
  explicit TextColumns(std::vector<std::string> head) : rows_{std::move(head)} {}

  // The row must have as many cells as the head.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.size() == 1; }
  // If the lines were wider than `most_columns`, the widest columns are cut.
  std::string text(std::size_t most_columns = kUnlimitedColumns) const;

 private:
  std::vector<std::size_t> widths(std::size_t most_columns) const;

  std::vector<std::vector<std::string>> rows_;
};

}  // namespace winperf
