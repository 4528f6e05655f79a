#include "service/console/text_columns.h"

#include <algorithm>

#include "collectors/base/printable.h"
#include "collectors/base/utf8.h"

namespace winperf {
namespace {

std::size_t characters_in(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, starts_character));
}

}  // namespace

std::size_t text_width(const std::string& text) { return characters_in(printable(text)); }

std::string_view first_characters(std::string_view line, std::size_t columns) {
  std::size_t at = 0;
  for (std::size_t used = 0; at < line.size(); ++at)
    if (starts_character(line[at]) && ++used > columns) break;
  return line.substr(0, at);
}

void append_padded(std::string& out, const std::string& text, std::size_t columns) {
  const std::string shown = printable(text);
  out += shown;
  const std::size_t used = characters_in(shown);
  out.append(used < columns ? columns - used : 0, ' ');
  out += "  ";
}

std::string TextColumns::text() const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], text_width(row[i]));
  std::string out;
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) append_padded(out, row[i], widths[i]);
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }
  return out;
}

}  // namespace winperf
