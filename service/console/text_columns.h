// Text in columns for a terminal. Widths are counted in characters of UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace winperf {

// Columns that a text takes up.
std::size_t text_width(const std::string& text);

// The text, padded to `columns`, and two blanks.
void append_padded(std::string& out, const std::string& text, std::size_t columns);

class TextColumns {
 public:
  explicit TextColumns(std::vector<std::string> head) : rows_{std::move(head)} {}

  // As many cells as the head has.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.size() == 1; }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace winperf
