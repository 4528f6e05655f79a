// Text for a terminal: counts, and columns. Cells may be foreign text: they are shown as
// printable() has them, and widths are counted in characters of what is shown. Thread rule: any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace winperf {

// "1 sample", "2 samples", "0 samples". The noun's plural must end in -s.
std::string counted(std::uint64_t count, std::string_view noun);

// "a, b and 3 more", as printable() has each; all of them unless `most` says otherwise.
std::string joined(const std::vector<std::string>& names, std::string_view separator,
                   std::size_t most = static_cast<std::size_t>(-1));

// How many columns a text takes up, as it is shown.
std::size_t text_width(const std::string& text);

// Appends the text, padded to `columns`, and two blanks.
void append_padded(std::string& out, const std::string& text, std::size_t columns);

class TextColumns {
 public:
  explicit TextColumns(std::vector<std::string> head) : rows_{std::move(head)} {}

  // The row must have as many cells as the head.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.size() == 1; }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace winperf
